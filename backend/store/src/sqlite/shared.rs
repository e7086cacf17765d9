//! The state that the threads of the store share.
//!
//! The caches contain committed states only. Every change of one is published after its commit.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::{Notify, broadcast};

use super::cache::ListCache;
use super::catalogue::Catalogue;
use super::idempotency_index::IdempotencyIndex;
use crate::feed::{self, Announcement};
use crate::job_notifier::JobNotifier;
use crate::monitoring::Checkpoints;

/// State that all threads share.
pub(super) struct Shared {
    pub(super) lists: ListCache,
    pub(super) catalogue: Catalogue,
    pub(super) recent: IdempotencyIndex,
    pub(super) commits: broadcast::Sender<Arc<Announcement>>,
    /// Notified when deliveries of webhooks were committed.
    pub(super) outbox: Arc<Notify>,
    /// Wakes the worker when a due run was committed.
    pub(super) job_notifier: Arc<JobNotifier>,
    pub(super) checkpoints: Arc<Checkpoints>,
    /// Whether the writer is in a transaction.
    pub(super) is_writing: AtomicBool,
}

impl Shared {
    /// Empty caches, and no subscribers.
    pub(super) fn new(list_memory: usize) -> Self {
        Self {
            lists: ListCache::new(list_memory),
            catalogue: Catalogue::default(),
            recent: IdempotencyIndex::new(),
            commits: broadcast::Sender::new(feed::BEHIND),
            outbox: Arc::default(),
            job_notifier: Arc::default(),
            checkpoints: Arc::default(),
            is_writing: AtomicBool::new(false),
        }
    }
}
