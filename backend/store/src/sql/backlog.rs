//! How much work waits, over all tenants: read in the view for sign-ins, by the partial indexes of
//! what has not ended.

use checklist_shared::time::Timestamp;

use super::{Session, values};
use crate::monitoring::Backlog;
use crate::store::StoreError;

pub(crate) async fn read<S: Session>(
    session: &mut S,
    now: Timestamp,
) -> Result<Backlog, StoreError> {
    let sql = "SELECT count(*), min(created_at) FROM webhook_delivery WHERE state = 'Pending'";
    let deliveries = session
        .query_opt(sql, values![], |row| {
            Ok((row.get_u64(0)?, row.get_time_option(1)?))
        })
        .await?;
    let sql = "SELECT coalesce(sum(CASE WHEN enabled AND failing_since IS NOT NULL THEN 1 ELSE 0 END), 0),
             coalesce(sum(CASE WHEN NOT enabled AND off_because IS NOT NULL THEN 1 ELSE 0 END), 0)
         FROM webhook";
    let webhooks = session
        .query_opt(sql, values![], |row| Ok((row.get_u64(0)?, row.get_u64(1)?)))
        .await?;
    let sql = "SELECT coalesce(sum(CASE WHEN state = 'Queued' THEN 1 ELSE 0 END), 0),
             coalesce(sum(CASE WHEN state = 'Running' THEN 1 ELSE 0 END), 0),
             min(CASE WHEN due_at <= $1 AND lease_until <= $1 THEN due_at END)
         FROM workflow_run WHERE state IN ('Queued', 'Running')";
    let runs = session
        .query_opt(sql, values![now], |row| {
            Ok((row.get_u64(0)?, row.get_u64(1)?, row.get_time_option(2)?))
        })
        .await?;
    let (pending_deliveries, oldest_delivery) = deliveries.unwrap_or_default();
    let (failing_webhooks, turned_off_webhooks) = webhooks.unwrap_or_default();
    let (queued_runs, running_runs, oldest_due_run) = runs.unwrap_or_default();
    Ok(Backlog {
        pending_deliveries,
        oldest_delivery,
        failing_webhooks,
        turned_off_webhooks,
        queued_runs,
        running_runs,
        oldest_due_run,
    })
}
