//! Reading the journal: the host's readable log, by cursor.
//!
//! Entries of lists that the credential does not cover are not in it.

use checklist_shared::permission::Permission;
use checklist_shared::wire::admin::{JournalEntry, JournalPage};

use super::access;
use super::log_search::{LogPage, search};
use crate::app::App;
use crate::auth::Principal;
use crate::error::ServiceResult;

pub use super::log_search::LogQuery;

/// A page of entries.
///
/// # Errors
/// `PermissionDenied`.
pub async fn page(app: &App, principal: &Principal, query: LogQuery) -> ServiceResult<JournalPage> {
    access::need(principal, Permission::Read)?;
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
