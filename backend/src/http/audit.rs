//! The audit trail: every change with its full text, in a chain of hashes.
//!
//! Read page by page by whoever has the permission `Audit`. What a row holds and how the chain
//! is made is told in `crate::audit`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use checklist_shared::wire::admin::AuditPage;

use super::Web;
use super::extract::{Caller, Parameters};
use super::journal::Log;
use crate::error::ServiceError;
use crate::services::audit;

/// Audit rows, oldest first.
///
/// Written with every change, in the same transaction; needs the permission `Audit`. Each row
/// carries the hash of the one before, so that `checklist-server audit verify` finds any edit.
#[utoipa::path(get, path = "/Audit", operation_id = "ReadAudit", tag = "Journal and audit", params(Log),
    responses((status = 200, description = "A page of rows.", body = AuditPage)))]
pub async fn page(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(log): Parameters<Log>,
) -> Result<Json<AuditPage>, ServiceError> {
    audit::page(&web.app, &caller, log.into()).await.map(Json)
}
