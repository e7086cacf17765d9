//! Warnings that a caller gets besides the items: fall-backs, rounded numbers, items that are missing.
//!
//! Invariant: no text is kept twice; clones share one collection, so that a stream can be read while
//! its warnings are looked at.

use crate::mutex::lock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Warnings about a result: fall-backs, rounded numbers. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Warnings(Arc<Mutex<Vec<String>>>, Arc<AtomicU64>);

impl Warnings {
    pub(crate) fn add(&self, text: String) {
        let mut all = lock(&self.0);
        if !all.contains(&text) {
            all.push(text);
        }
    }

    /// The list says that it has so many more items than were read.
    pub(crate) fn set_unread_items(&self, items: u64) {
        self.1.store(items, Ordering::Relaxed);
    }

    /// How many more items the list says that it has than were read: folders, items that are
    /// hidden from this account, or a page that came up short. 0 where the list does not say.
    #[must_use]
    pub fn unread_items(&self) -> u64 {
        self.1.load(Ordering::Relaxed)
    }

    /// The warnings so far.
    #[must_use]
    pub fn all(&self) -> Vec<String> {
        lock(&self.0).clone()
    }
}
