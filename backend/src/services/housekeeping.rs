//! What happens by itself: the hourly purge, and what was left undone at the last stop.
//!
//! Spawned once by the command line when the server starts.

use std::time::Duration;

use checklist_shared::time::Timestamp;

use super::automation;
use crate::app::App;
use crate::error::ServiceResult;
use crate::storage::store::{DELETED_MILLIS, PurgeCounts, REMEMBERED_MILLIS};

const HOUR: Duration = Duration::from_secs(60 * 60);

/// What became of deliveries of webhooks is kept as long as deleted items.
const DELIVERIES_MILLIS: i64 = DELETED_MILLIS;

/// Runs until it is dropped.
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

/// Removes items deleted and events sent more than thirty days ago, operations remembered for a
/// day, and sessions, revocations, consents and handles that have ended.
///
/// # Errors
/// The store could not do it now.
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
