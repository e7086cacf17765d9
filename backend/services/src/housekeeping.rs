//! Background work: the hourly purge, and resuming what the last shutdown interrupted.
//!
//! The command line spawns it once at server start.

use std::time::Duration;

use checklist_shared::time::Timestamp;
use checklist_store::error::ServiceResult;
use checklist_store::store::{PurgeCounts, REMEMBERED_MILLIS};

use super::{automation, erasure};
use crate::app::App;
use crate::retention::{Retention, millis};

const HOUR: Duration = Duration::from_secs(60 * 60);

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

/// Erases whom and what is due, removes what is older than the app's retention, idempotency records
/// older than a day, and expired sessions, revocations, consents and handles.
///
/// # Errors
/// The store failed.
pub async fn purge(app: &App) -> ServiceResult<PurgeCounts> {
    purge_older_than(app, app.retention()).await
}

/// As [`purge`], with another retention.
///
/// # Errors
/// The store failed.
pub async fn purge_older_than(app: &App, retention: Retention) -> ServiceResult<PurgeCounts> {
    // Before it is forgotten who was erased.
    erasure::run_due(app).await?;
    let now = app.clock().now();
    app.store().purge_directory(now).await?;
    app.store().purge_connections(now).await?;
    let now = now.as_millis();
    let before = |millis: i64| Timestamp::from_millis(now - millis);
    let deliveries = app
        .store()
        .purge_deliveries(before(millis(retention.deliveries)))
        .await?;
    let entries = match retention.journal {
        Some(journal) => app.store().purge_journal(before(millis(journal))).await?,
        None => 0,
    };
    tracing::debug!(deliveries, entries, "deliveries and journal purged");
    let items = before(millis(retention.deleted_items));
    Ok(app.store().purge(items, before(REMEMBERED_MILLIS)).await?)
}
