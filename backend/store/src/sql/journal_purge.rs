//! Removes old entries of the journal.
//!
//! Entries lie in the order of their last change. The newest one of a tenant stays, however old it
//! is: it says what the next cursor is.

use checklist_shared::time::Timestamp;

use super::{Session, values};
use crate::store::StoreError;

/// The most entries that one statement removes, so that other writes can run in between.
pub(crate) const AT_ONCE: u32 = 1_000;

/// Removes some entries that were last continued before a moment; returns how many.
pub(crate) async fn some<S: Session>(
    session: &mut S,
    tenant: &str,
    before: Timestamp,
) -> Result<u64, StoreError> {
    let sql = "DELETE FROM journal WHERE tenant = $1 AND cursor IN (
             SELECT cursor FROM journal WHERE tenant = $1 AND cursor < coalesce(
                 (SELECT cursor FROM journal WHERE tenant = $1 AND continued_at >= $2
                  ORDER BY cursor LIMIT 1),
                 (SELECT max(cursor) FROM journal WHERE tenant = $1))
             ORDER BY cursor LIMIT $3)";
    session.execute(sql, values![tenant, before, AT_ONCE]).await
}
