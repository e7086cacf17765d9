//! Lists in use, kept in memory: what was committed last, or is known not to exist.
//!
//! The server is the only one that writes the file, and one thread of it does, so what that
//! thread publishes after a commit is the truth. Readers may add what they have loaded, unless
//! something was published in the meantime. Bounded by the number of items held.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashlink::LruCache;

use super::list_rows::StoredList;
use crate::storage::list_key::ListKey;

const SHARDS: usize = 16;

/// Items that one shard holds at most; all together some tens of megabytes.
const ITEMS_A_SHARD: usize = 4_096;

/// The cache.
pub(super) struct ListCache {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

struct Shard {
    /// Counts what was published, so that a reader can tell whether its snapshot is old.
    epoch: u64,
    weight: usize,
    lists: LruCache<ListKey, Option<Arc<StoredList>>>,
}

/// When a reader began to look.
#[derive(Clone, Copy)]
pub(super) struct ReadEpoch(u64);

impl ListCache {
    pub(super) fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| {
                Mutex::new(Shard {
                    epoch: 0,
                    weight: 0,
                    lists: LruCache::new_unbounded(),
                })
            }),
        }
    }

    fn shard(&self, key: &ListKey) -> MutexGuard<'_, Shard> {
        let at = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        // A shard is whole after every call, so a panic elsewhere does not spoil it.
        self.shards[at]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known: `None` for nothing, `Some(None)` for a list without a row.
    pub(super) fn get(&self, key: &ListKey) -> Option<Option<Arc<StoredList>>> {
        self.shard(key).lists.get(key).cloned()
    }

    /// To be asked before a reader opens its snapshot.
    pub(super) fn since(&self, key: &ListKey) -> ReadEpoch {
        ReadEpoch(self.shard(key).epoch)
    }

    /// Keeps what a reader has loaded, if nothing was published since.
    pub(super) fn offer(&self, key: ListKey, since: ReadEpoch, stored: Option<Arc<StoredList>>) {
        let mut shard = self.shard(&key);
        if shard.epoch == since.0 {
            shard.put(key, stored);
        }
    }

    /// Keeps what was just committed.
    pub(super) fn publish(&self, key: ListKey, stored: Arc<StoredList>) {
        let mut shard = self.shard(&key);
        shard.epoch += 1;
        shard.put(key, Some(stored));
    }

    /// Forgets everything, after changes that went past the lists one by one.
    pub(super) fn clear(&self) {
        for shard in &self.shards {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.epoch += 1;
            shard.weight = 0;
            shard.lists.clear();
        }
    }
}

impl Shard {
    fn put(&mut self, key: ListKey, stored: Option<Arc<StoredList>>) {
        self.weight += weight(stored.as_ref());
        if let Some(old) = self.lists.insert(key, stored) {
            self.weight -= weight(old.as_ref());
        }
        while self.weight > ITEMS_A_SHARD && self.lists.len() > 1 {
            let Some((_, oldest)) = self.lists.remove_lru() else {
                break;
            };
            self.weight -= weight(oldest.as_ref());
        }
    }
}

/// A list weighs its items; a list that is not there still takes room for its key.
fn weight(stored: Option<&Arc<StoredList>>) -> usize {
    1 + stored.map_or(0, |stored| stored.list.items.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::context::Context;
    use checklist_shared::{Checklist, Timestamp};

    fn key(id: usize) -> ListKey {
        ListKey::of("acme", &Context::new("incident", &id.to_string(), ""))
    }

    fn stored(revision: u64) -> Arc<StoredList> {
        let mut list =
            Checklist::empty(Context::new("incident", "1", ""), Timestamp::from_millis(0));
        list.revision = revision;
        Arc::new(StoredList {
            number: 1,
            list: Arc::new(list),
            purged_revision: 0,
            logs: super::super::list_rows::ListLogs::default(),
        })
    }

    #[test]
    fn a_reader_that_looked_before_a_commit_cannot_bring_the_old_list_back() {
        let cache = ListCache::new();
        let since = cache.since(&key(1));
        cache.publish(key(1), stored(2));
        cache.offer(key(1), since, Some(stored(1)));
        let revision = cache
            .get(&key(1))
            .flatten()
            .map(|stored| stored.list.revision);
        assert_eq!(revision, Some(2));
    }

    #[test]
    fn the_number_of_lists_held_is_bounded() {
        let cache = ListCache::new();
        for id in 0..SHARDS * ITEMS_A_SHARD + 5_000 {
            cache.offer(key(id), cache.since(&key(id)), None);
        }
        let held: usize = cache
            .shards
            .iter()
            .map(|shard| shard.lock().unwrap().lists.len())
            .sum();
        assert!(held <= SHARDS * ITEMS_A_SHARD, "{held}");
    }
}
