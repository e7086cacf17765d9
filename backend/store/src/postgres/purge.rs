//! Removes what is past its retention, tenant by tenant.
//!
//! The services call it hourly, on every node. The audit trail is never purged. A list stores up to
//! which revision its deleted items are gone: a client that asks for changes since then has to read
//! it whole, and nodes drop their cached list.

use checklist_shared::time::Timestamp;

use super::error::PostgresError;
use super::session::Session;
use crate::store::PurgeCounts;

/// Removes items that were deleted before `items`, and operations from before `operations`. Has to
/// be called in a transaction.
pub(super) async fn run(
    session: &mut Session,
    tenant: &str,
    items: Timestamp,
    operations: Timestamp,
) -> Result<PurgeCounts, PostgresError> {
    let (items, operations) = (items.as_millis(), operations.as_millis());
    // In the order in which writers lock the rows.
    session
        .query(
            "SELECT number FROM checklist WHERE tenant = $1 AND number IN \
                 (SELECT checklist FROM item WHERE tenant = $1 AND deleted_at < $2) \
             ORDER BY number FOR UPDATE",
            &[&tenant, &items],
        )
        .await?;
    session
        .execute(
            "UPDATE checklist c SET purged_revision = greatest(c.purged_revision, gone.revision) \
             FROM (SELECT checklist, max(revision) AS revision \
                   FROM (SELECT checklist, revision FROM item \
                         WHERE tenant = $1 AND deleted_at < $2 OFFSET 0) AS old \
                   GROUP BY checklist) AS gone \
             WHERE c.tenant = $1 AND c.number = gone.checklist",
            &[&tenant, &items],
        )
        .await?;
    let items = session
        .execute(
            "DELETE FROM item WHERE tenant = $1 AND deleted_at < $2",
            &[&tenant, &items],
        )
        .await?;
    let operations = session
        .execute(
            "DELETE FROM operation WHERE tenant = $1 AND at < $2",
            &[&tenant, &operations],
        )
        .await?;
    Ok(PurgeCounts { items, operations })
}

/// Removes deliveries with lower ids; returns how many.
pub(super) async fn deliveries(
    session: &mut Session,
    tenant: &str,
    id: &str,
) -> Result<u64, PostgresError> {
    let sql = "DELETE FROM webhook_delivery WHERE tenant = $1 AND id < $2";
    session.execute(sql, &[&tenant, &id]).await
}
