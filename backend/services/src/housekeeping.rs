//! Background work: the hourly purge, and resuming what the last shutdown interrupted.
//!
//! The command line spawns it once at server start.

use std::time::Duration;

use checklist_shared::time::Timestamp;
use checklist_store::error::ServiceResult;
use checklist_store::store::{DELETED_MILLIS, PurgeCounts, REMEMBERED_MILLIS};

use super::automation;
use crate::app::App;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// The retention of webhook deliveries is that of deleted items.
const DELIVERIES_MILLIS: i64 = DELETED_MILLIS;

/// Runs until the future is dropped.
pub async fn run(app: App) {
    let mut is_resumed = false;
    let mut hours = tokio::time::interval(HOUR);
    loop {
        hours.tick().await;
        if !is_resumed {
            match automation::resume(&app).await {
                Ok(()) => is_resumed = true,
                Err(error) => {
                    tracing::warn!(problem = ?error.problem, "pending refreshes were not taken up");
                }
            }
        }
        match purge(&app).await {
            Ok(purged) => tracing::debug!(?purged, "purged"),
            Err(error) => tracing::warn!(problem = ?error.problem, "the purge failed"),
        }
    }
}

/// Removes deleted items and sent events older than thirty days, idempotency records older than a
/// day, and expired sessions, revocations, consents and handles.
///
/// # Errors
/// The store failed.
pub async fn purge(app: &App) -> ServiceResult<PurgeCounts> {
    let now = app.clock().now();
    app.store().purge_directory(now).await?;
    app.store().purge_connections(now).await?;
    let now = now.as_millis();
    let before = |millis: i64| Timestamp::from_millis(now - millis);
    let deliveries = app
        .store()
        .purge_deliveries(before(DELIVERIES_MILLIS))
        .await?;
    tracing::debug!(deliveries, "deliveries purged");
    Ok(app
        .store()
        .purge(before(DELETED_MILLIS), before(REMEMBERED_MILLIS))
        .await?)
}
