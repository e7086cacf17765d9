//! Metrics of what waits and what is busy: deliveries to webhooks, runs, the connections of the
//! store, checkpoints of SQLite's WAL.
//!
//! Measured when metrics are scraped. If the database does not answer, its counts stay as they were;
//! `checklist_database_up` says so.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use checklist_services::app::App;
use checklist_shared::time::Timestamp;
use checklist_store::monitoring::Backlog;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use super::figure::{Decimal, figure, figure_in};

/// The timeout of the query.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct PoolLabels {
    pool: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct StateLabels {
    state: &'static str,
}

pub(super) struct LoadMetrics {
    in_use: Family<PoolLabels, Gauge>,
    limit: Family<PoolLabels, Gauge>,
    waiting: Family<PoolLabels, Gauge>,
    checkpoints: Counter,
    failed_checkpoints: Counter,
    checkpoint_time: Counter<f64, AtomicU64>,
    pending_deliveries: Gauge,
    delivery_age: Decimal,
    attempts: Family<OutcomeLabels, Counter>,
    failing_webhooks: Gauge,
    turned_off_webhooks: Gauge,
    runs: Family<StateLabels, Gauge>,
    run_age: Decimal,
}

impl LoadMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let database = registry.sub_registry_with_prefix("database");
        let in_use = figure(
            database,
            "pool_in_use",
            "Connections in use: of PostgreSQL, or readers and writer of SQLite.",
        );
        let limit = figure(database, "pool_limit", "Connections that can be in use.");
        let waiting = figure(
            database,
            "pool_waiting",
            "Requests that wait for a connection.",
        );
        let checkpoints = figure(database, "checkpoints", "Checkpoints of the WAL of SQLite.");
        let failed_checkpoints = figure(database, "failed_checkpoints", "Checkpoints that failed.");
        let checkpoint_time = figure_in(
            database,
            Unit::Seconds,
            "checkpoint_time",
            "The time that all checkpoints took.",
        );
        Self {
            in_use,
            limit,
            waiting,
            checkpoints,
            failed_checkpoints,
            checkpoint_time,
            pending_deliveries: figure(
                registry,
                "webhook_deliveries_pending",
                "Deliveries to webhooks that have not been taken yet.",
            ),
            delivery_age: figure_in(
                registry,
                Unit::Seconds,
                "webhook_oldest_pending_age",
                "The age of the oldest of them; 0 if there is none.",
            ),
            attempts: figure(
                registry,
                "webhook_attempts",
                "Attempts of this node to deliver: delivered, to be tried again (retry), given up (failed).",
            ),
            failing_webhooks: figure(
                registry,
                "webhooks_failing",
                "Webhooks whose last attempt failed.",
            ),
            turned_off_webhooks: figure(
                registry,
                "webhooks_turned_off",
                "Webhooks that the server has turned off, because they kept failing.",
            ),
            runs: figure(
                registry,
                "workflow_runs",
                "Runs of workflows that have not ended: queued, running.",
            ),
            run_age: figure_in(
                registry,
                Unit::Seconds,
                "workflow_oldest_due_age",
                "How long the longest-waiting run has been due; 0 if none is.",
            ),
        }
    }

    pub(super) async fn look(&self, app: &App) {
        let load = app.store().load();
        for pool in load.pools {
            let labels = PoolLabels { pool: pool.name };
            self.in_use.get_or_create(&labels).set(count(pool.in_use));
            self.limit.get_or_create(&labels).set(count(pool.limit));
            self.waiting.get_or_create(&labels).set(count(pool.waiting));
        }
        // The store counts, so the values are set rather than incremented.
        let checkpoints = load.checkpoints.unwrap_or_default();
        set(&self.checkpoints, checkpoints.done);
        set(&self.failed_checkpoints, checkpoints.failed);
        let elapsed = checkpoints.elapsed.as_secs_f64().to_bits();
        self.checkpoint_time
            .inner()
            .store(elapsed, Ordering::Relaxed);
        for (outcome, number) in app.attempts().by_outcome() {
            set(
                &self.attempts.get_or_create(&OutcomeLabels { outcome }),
                number,
            );
        }
        let now = app.clock().now();
        match tokio::time::timeout(PATIENCE, app.store().backlog(now)).await {
            Ok(Ok(backlog)) => self.set_backlog(&backlog, now),
            Ok(Err(error)) => tracing::debug!(%error, "the backlog could not be read"),
            Err(_) => tracing::debug!("the backlog was not read in time"),
        }
    }

    fn set_backlog(&self, backlog: &Backlog, now: Timestamp) {
        self.pending_deliveries
            .set(count(backlog.pending_deliveries));
        self.delivery_age.set(age(backlog.oldest_delivery, now));
        self.failing_webhooks.set(count(backlog.failing_webhooks));
        self.turned_off_webhooks
            .set(count(backlog.turned_off_webhooks));
        for (state, number) in [
            ("queued", backlog.queued_runs),
            ("running", backlog.running_runs),
        ] {
            self.runs
                .get_or_create(&StateLabels { state })
                .set(count(number));
        }
        self.run_age.set(age(backlog.oldest_due_run, now));
    }
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn set(counter: &Counter, number: u64) {
    counter.inner().store(number, Ordering::Relaxed);
}

/// Seconds since then; 0 if nothing waits, or clocks differ.
fn age(since: Option<Timestamp>, now: Timestamp) -> f64 {
    let millis = since.map_or(0, |since| now.as_millis() - since.as_millis());
    Duration::from_millis(u64::try_from(millis).unwrap_or(0)).as_secs_f64()
}
