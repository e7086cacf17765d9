//! What came in, in order: for tests that count requests, and for people who wonder.
//!
//! Written by `handler` and by batches, read through `SiteServer::requests`.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

/// A request that was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// When it came in.
    pub at: Timestamp,
    pub method: String,
    /// Path and query, as they came.
    pub target: String,
    /// Who it acted as: the name that they signed in with, or `anonymous`.
    pub user: String,
    pub status: u16,
    /// Whether it came inside a batch; the batch itself is another entry.
    pub in_batch: bool,
    /// The fault that was made of it.
    pub fault: Option<String>,
    pub user_agent: Option<String>,
}

/// As many as are kept.
const KEPT: usize = 100_000;

/// The log.
#[derive(Debug, Default)]
pub struct Log(Mutex<VecDeque<Seen>>);

impl Log {
    /// Adds a request; the oldest goes when there are too many.
    pub fn add(&self, seen: Seen) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() == KEPT {
            all.pop_front();
        }
        all.push_back(seen);
    }

    /// All that are kept.
    #[must_use]
    pub fn all(&self) -> Vec<Seen> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().cloned().collect()
    }

    /// Forgets them.
    pub fn clear(&self) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}
