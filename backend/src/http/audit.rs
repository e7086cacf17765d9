//! The audit trail: every change with its full text, in a chain of hashes.
//!
//! Read page by page, or as one CSV file, by whoever has the permission `Audit`. What a row holds
//! and how the chain is made is told in `crate::audit`.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use checklist_shared::wire::admin::{AuditPage, AuditVerification};

use super::Web;
use super::csv::{self, Format};
use super::extract::{Caller, Parameters};
use super::journal::Log;
use crate::error::ServiceError;
use crate::services::audit;
use crate::services::journal::LogQuery;

/// Audit rows.
///
/// Written with every change, in the same transaction; needs the permission `Audit`. Each row
/// carries the hash of the one before, so that `Audit/Verification` finds any edit. A search for
/// words, an actor or a kind looks at 10,000 rows and then answers with what it has found: `More`
/// and `Cursor` say where to go on.
#[utoipa::path(get, path = "/Audit", operation_id = "ReadAudit", tag = "Journal and audit", params(Log),
    responses((status = 200, description = "A page of rows, or all of them as CSV.", content((AuditPage = "application/json"), (String = "text/csv")))))]
pub async fn page(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Parameters(log): Parameters<Log>,
) -> Result<Response, ServiceError> {
    let format = log.format(&headers);
    let query = LogQuery::from(log);
    if format == Format::Json {
        return Ok(Json(audit::page(&web.app, &caller, query).await?).into_response());
    }
    let (now, from) = (web.now(), query.after);
    let shared = Arc::new((web, caller, query));
    csv::stream("audit", now, from, move |after| {
        let shared = Arc::clone(&shared);
        async move {
            let (web, caller, query) = &*shared;
            let page = audit::page(&web.app, caller, csv::piece(query, after)).await?;
            Ok((page.rows, page.more.then_some(page.cursor)))
        }
    })
    .await
}

/// Verify the audit trail.
///
/// Walks the whole chain of the tenant and says whether every row is what was written. Needs the
/// permission `Audit` and a credential that covers every context.
#[utoipa::path(get, path = "/Audit/Verification", operation_id = "VerifyAudit", tag = "Journal and audit",
    responses((status = 200, description = "What was found.", body = AuditVerification)))]
pub async fn verification(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<AuditVerification>, ServiceError> {
    audit::verification(&web.app, &caller).await.map(Json)
}
