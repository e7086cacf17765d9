//! Reads the journal, the host's readable log, with a cursor.
//!
//! Invariant: entries of lists outside the credential's scope are never returned.

use checklist_auth::Principal;
use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::{JournalEntry, JournalPage};
use checklist_store::error::ServiceResult;

use super::access;
use super::log_search::{LogPage, search};
use crate::app::App;

pub use super::log_search::LogQuery;

/// Reads a page of entries.
///
/// # Errors
/// `PermissionDenied`.
pub async fn page(app: &App, principal: &Principal, query: LogQuery) -> ServiceResult<JournalPage> {
    access::require_permission(principal, Permission::Read)?;
    let read = async |filter| {
        let JournalPage {
            entries,
            cursor,
            more,
        } = app.store().journal(&principal.tenant, filter).await?;
        Ok(LogPage {
            rows: entries,
            cursor,
            more,
        })
    };
    let found = search(
        principal,
        &query,
        read,
        |sought, entry: &JournalEntry| sought.fits(&entry.actor, &entry.events, &entry.text, None),
        |entry| entry.cursor,
    )
    .await?;
    Ok(JournalPage {
        entries: found.rows,
        cursor: found.cursor,
        more: found.more,
    })
}
