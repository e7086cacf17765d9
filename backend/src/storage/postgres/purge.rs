//! Removing what has been kept long enough, tenant by tenant.
//!
//! Called hourly by the services, on every node. The audit trail stays. A list remembers up to
//! which revision its deleted items are gone, so that a client that asks for changes since then
//! reads it whole, and so that no node takes what it remembers of the list for right.

use checklist_shared::time::Timestamp;

use super::error::PostgresError;
use super::session::Session;
use crate::storage::store::PurgeCounts;

/// Removes items deleted before `items` and operations remembered before `operations`. To be
/// called in a transaction.
pub(super) async fn run(
    session: &mut Session,
    tenant: &str,
    items: Timestamp,
    operations: Timestamp,
) -> Result<PurgeCounts, PostgresError> {
    let (items, operations) = (items.as_millis(), operations.as_millis());
    // In the order in which the writers take them.
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
