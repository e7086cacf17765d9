//! The journal: readable entries that the host copies into its own records.
//!
//! Read page by page with a cursor. Which entries a caller sees is decided by
//! `services::journal`; the same parameters serve the audit trail.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use checklist_shared::wire::admin::JournalPage;
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::extract::{Caller, Parameters};
use crate::error::ServiceError;
use crate::services::journal::{self, LogQuery};

/// Which entries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Log {
    /// Past this one: the `Cursor` of the page before.
    #[serde(default)]
    after: u64,
    /// How many, at most 500; 100 otherwise.
    limit: Option<u32>,
    /// Of objects of this type only.
    object_type: Option<String>,
    /// Of this object only.
    object_id: Option<String>,
    /// Of this purpose only.
    purpose: Option<String>,
}

impl From<Log> for LogQuery {
    fn from(log: Log) -> Self {
        Self {
            after: log.after,
            limit: log.limit,
            object_type: log.object_type,
            object_id: log.object_id,
            purpose: log.purpose,
        }
    }
}

/// Journal entries, oldest first.
///
/// Entries of the lists that the token covers. What one person does to a list within two minutes
/// is one entry; while it is continued, it appears again under a new cursor with the same `Id`.
#[utoipa::path(get, path = "/Journal", operation_id = "ReadJournal", tag = "Journal and audit", params(Log),
    responses((status = 200, description = "A page of entries.", body = JournalPage)))]
pub async fn page(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(log): Parameters<Log>,
) -> Result<Json<JournalPage>, ServiceError> {
    journal::page(&web.app, &caller, log.into()).await.map(Json)
}
