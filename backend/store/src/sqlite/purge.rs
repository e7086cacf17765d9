//! Removes what is past its retention.
//!
//! The services call it hourly. The audit trail is never purged. A list stores up to which revision
//! its deleted items are gone; a client that asks for changes since then has to read it whole.

use checklist_shared::time::Timestamp;
use rusqlite::{Connection, Result, params};

use crate::store::PurgeCounts;

/// Every tenant with deleted items has a row in `audit_head`. `+tenant` groups the rows that the
/// index `item_deleted` finds; without it SQLite would walk the primary key of all items.
pub(super) const NOTE_REVISIONS: &str =
    "UPDATE checklist SET purged_revision = max(purged_revision, gone.revision)
     FROM (SELECT tenant, checklist, max(revision) AS revision FROM item
           WHERE tenant IN (SELECT tenant FROM audit_head)
               AND deleted_at IS NOT NULL AND deleted_at < ?1
           GROUP BY +tenant, checklist) AS gone
     WHERE checklist.tenant = gone.tenant AND checklist.number = gone.checklist";
pub(super) const ITEMS: &str = "DELETE FROM item
     WHERE tenant IN (SELECT tenant FROM audit_head) AND deleted_at IS NOT NULL AND deleted_at < ?1";
/// Rows are appended in the order of time, so the oldest are the first.
pub(super) const OPERATIONS: &str = "DELETE FROM operation
     WHERE number < (SELECT coalesce(min(number), 9223372036854775807) FROM operation WHERE at >= ?1)";

/// Removes items that were deleted before `items`, and operations from before `operations`.
pub(super) fn run(
    connection: &Connection,
    items: Timestamp,
    operations: Timestamp,
) -> Result<PurgeCounts> {
    connection.execute(NOTE_REVISIONS, [items.as_millis()])?;
    let items = connection.execute(ITEMS, [items.as_millis()])?;
    let operations = connection.execute(OPERATIONS, [operations.as_millis()])?;
    Ok(PurgeCounts {
        items: items as u64,
        operations: operations as u64,
    })
}

/// The most deliveries that one transaction removes, so that other writes can run in between.
pub(super) const DELIVERIES_AT_ONCE: u64 = 1_000;

/// Tenant by tenant, in the order of the rows: there are many deliveries in thirty days, and no
/// other write can run during the scan.
pub(super) const DELIVERIES: &str = "DELETE FROM webhook_delivery WHERE (tenant, id) IN
     (SELECT d.tenant, d.id FROM tenant
      CROSS JOIN webhook_delivery d ON d.tenant = tenant.id AND d.id < ?1 LIMIT ?2)";

/// Removes some deliveries with lower ids; returns how many.
pub(super) fn deliveries(connection: &Connection, id: &str) -> Result<u64> {
    let deleted = connection
        .prepare_cached(DELIVERIES)?
        .execute(params![id, DELIVERIES_AT_ONCE as i64])?;
    Ok(deleted as u64)
}
