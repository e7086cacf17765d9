//! Removes the rows of resolved items from the table of open ones, seconds after they were resolved.
//!
//! Every node does, along the audit trail. The store keeps how far it came, so the work may be stopped or
//! killed at any point, and two nodes at once remove nothing twice. It comes past no item that was being
//! changed meanwhile: that change may fail. What finds items or announces them looks at each item, so a
//! row that waits to be removed is harmless.

use std::collections::BTreeSet;
use std::time::Duration;

use checklist_store::error::ServiceResult;

use crate::app::App;
use crate::audit::checkpoints::grown;

/// The pause between two passes. An item that is opened again within it finds its row still there.
const EVERY: Duration = Duration::from_secs(5);
/// The most rows of the audit trail that are read at once.
const TRAIL: u32 = 10_000;
/// The most rows that one transaction removes, so that other writes can run in between.
const AT_ONCE: usize = 200;

/// Runs until the future is dropped.
pub async fn run(app: App) {
    let mut feed = app.store().commits();
    let mut waiting = BTreeSet::new();
    // Something may have been written while no node ran.
    let mut any_tenant = true;
    let mut passes = tokio::time::interval(EVERY);
    loop {
        passes.tick().await;
        match grown(&mut feed) {
            Some(newest) => waiting.extend(newest.into_keys()),
            None => any_tenant = true,
        }
        if any_tenant {
            match app.store().audited_tenants().await {
                Ok(tenants) => {
                    waiting.extend(tenants);
                    any_tenant = false;
                }
                Err(error) => {
                    tracing::warn!(%error, "no tenants with resolved items could be looked for")
                }
            }
        }
        for tenant in std::mem::take(&mut waiting) {
            match sweep(&app, &tenant).await {
                Ok(true) => {}
                Ok(false) => {
                    waiting.insert(tenant);
                }
                Err(error) => {
                    tracing::warn!(tenant, problem = ?error.problem, "rows of resolved items were not removed");
                    waiting.insert(tenant);
                }
            }
        }
    }
}

/// Removes the rows of a tenant's items that are resolved by now. `false` if there may be some left, because
/// their items were being changed: the next call begins with the same part of the trail.
///
/// # Errors
/// The store failed; what is left is removed by the next call.
pub async fn sweep(app: &App, tenant: &str) -> ServiceResult<bool> {
    let store = app.store();
    loop {
        let batch = store.open_item_sweep(tenant, TRAIL).await?;
        let mut left = batch.resolved.len();
        for rows in batch.resolved.chunks(AT_ONCE) {
            let removed = store.remove_open_items(tenant, rows.to_vec()).await?;
            left = left.saturating_sub(removed);
        }
        if left > 0 {
            return Ok(false);
        }
        let is_mine = batch.after == batch.until
            || store
                .open_items_swept(tenant, batch.after, batch.until)
                .await?;
        // Another node goes on from where it has moved the position to.
        if batch.until == batch.newest || !is_mine {
            return Ok(true);
        }
    }
}
