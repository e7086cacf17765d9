//! Reading the journal: the host's readable log, by cursor.
//!
//! Called by the handler of `GET /Journal`. Entries of lists that the credential does not cover
//! are not in it.

use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::JournalPage;

use super::access;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ServiceResult;
use crate::storage::store::LogFilter;

/// Which entries to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogQuery {
    /// Past this cursor.
    pub after: u64,
    /// How many, 100 without a number, at most 500.
    pub limit: Option<u32>,
    /// Of that type only.
    pub object_type: Option<String>,
    /// Of that object only.
    pub object_id: Option<String>,
    /// Of that purpose only.
    pub purpose: Option<String>,
}

/// A page of entries, oldest first.
///
/// # Errors
/// `PermissionDenied`.
pub async fn page(app: &App, principal: &Principal, query: LogQuery) -> ServiceResult<JournalPage> {
    access::need(principal, Permission::Read)?;
    Ok(app
        .store()
        .journal(&principal.tenant, filter(principal, query))
        .await?)
}

/// The query with what the credential covers.
pub(super) fn filter(principal: &Principal, query: LogQuery) -> LogFilter {
    LogFilter {
        after: query.after,
        limit: query.limit.unwrap_or(100).clamp(1, 500),
        object_type: query.object_type,
        object_id: query.object_id,
        purpose: query.purpose,
        scope: principal.contexts.clone(),
    }
}
