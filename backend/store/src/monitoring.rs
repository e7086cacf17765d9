//! What monitoring asks of a store: how much work waits, and how busy its connections are.
//!
//! Counts over all tenants; nothing here names one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use checklist_shared::time::Timestamp;

/// The work that waits in the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Deliveries that have not been taken yet.
    pub pending_deliveries: u64,
    /// When the oldest of them was created.
    pub oldest_delivery: Option<Timestamp>,
    /// Webhooks that are on and whose last attempt failed.
    pub failing_webhooks: u64,
    /// Webhooks that the server has turned off, because they kept failing.
    pub turned_off_webhooks: u64,
    /// Runs that no worker has taken yet.
    pub queued_runs: u64,
    /// Runs that a worker is at, or that wait for their site.
    pub running_runs: u64,
    /// Since when the run that has waited longest could be taken.
    pub oldest_due_run: Option<Timestamp>,
}

/// How busy connections of one kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLoad {
    /// `connections` (PostgreSQL), `readers` or `writer` (SQLite).
    pub name: &'static str,
    /// Connections in use.
    pub in_use: u64,
    /// The most that can be in use.
    pub limit: u64,
    /// Callers or jobs that wait for one.
    pub waiting: u64,
}

/// The checkpoints of a WAL since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckpointCounts {
    /// Those that succeeded.
    pub done: u64,
    /// Those that failed.
    pub failed: u64,
    /// The time that all of them took.
    pub elapsed: Duration,
}

/// How busy a store is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreLoad {
    /// Its connections, by kind.
    pub pools: Vec<PoolLoad>,
    /// Its checkpoints; `None` where the database is not ours to checkpoint.
    pub checkpoints: Option<CheckpointCounts>,
}

/// Counts checkpoints.
#[derive(Debug, Default)]
pub(crate) struct Checkpoints {
    done: AtomicU64,
    failed: AtomicU64,
    micros: AtomicU64,
}

impl Checkpoints {
    pub(crate) fn record(&self, is_done: bool, elapsed: Duration) {
        let count = if is_done { &self.done } else { &self.failed };
        count.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    pub(crate) fn counts(&self) -> CheckpointCounts {
        CheckpointCounts {
            done: self.done.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            elapsed: Duration::from_micros(self.micros.load(Ordering::Relaxed)),
        }
    }
}

/// Counts jobs that wait, and those that run.
#[derive(Debug, Default)]
pub(crate) struct JobCounts {
    waiting: AtomicU64,
    running: AtomicU64,
}

impl JobCounts {
    pub(crate) fn queued(&self) {
        self.waiting.fetch_add(1, Ordering::Relaxed);
    }

    /// A job that was queued was not accepted after all.
    pub(crate) fn rejected(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn begun(&self) {
        self.running.fetch_add(1, Ordering::Relaxed);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn ended(&self) {
        self.running.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn load(&self, name: &'static str, limit: u64) -> PoolLoad {
        PoolLoad {
            name,
            in_use: self.running.load(Ordering::Relaxed),
            limit,
            waiting: self.waiting.load(Ordering::Relaxed),
        }
    }
}
