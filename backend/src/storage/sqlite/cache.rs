//! The lists in use, cached in memory: the last committed state, or that the list does not exist.
//!
//! Only this server writes the file, on one thread, so what that thread publishes after a commit is
//! current. Readers may add what they have loaded, unless a commit was published in the meantime.
//! The number of cached items is bounded.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashlink::LruCache;

use super::list_rows::StoredList;
use crate::list_key::ListKey;

const SHARDS: usize = 16;

/// The most items per shard; all shards together take some tens of megabytes.
const ITEMS_A_SHARD: usize = 4_096;

pub(super) struct ListCache {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

struct Shard {
    /// Counts publications, so that a reader can tell whether its snapshot is outdated.
    epoch: u64,
    weight: usize,
    lists: LruCache<ListKey, Option<Arc<StoredList>>>,
}

/// The epoch at which a reader began.
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
        // A shard is consistent after every call, so a poisoned lock can be ignored.
        self.shards[at]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The cached state: `None` for a miss, `Some(None)` for a list that does not exist.
    pub(super) fn get(&self, key: &ListKey) -> Option<Option<Arc<StoredList>>> {
        self.shard(key).lists.get(key).cloned()
    }

    /// The present epoch. Has to be called before a reader opens its snapshot.
    pub(super) fn since(&self, key: &ListKey) -> ReadEpoch {
        ReadEpoch(self.shard(key).epoch)
    }

    /// Caches what a reader has loaded, if nothing was published since.
    pub(super) fn offer(&self, key: ListKey, since: ReadEpoch, stored: Option<Arc<StoredList>>) {
        let mut shard = self.shard(&key);
        if shard.epoch == since.0 {
            shard.put(key, stored);
        }
    }

    /// Caches what was just committed.
    pub(super) fn publish(&self, key: ListKey, stored: Arc<StoredList>) {
        let mut shard = self.shard(&key);
        shard.epoch += 1;
        shard.put(key, Some(stored));
    }

    /// Empties the cache, after changes that did not go through it list by list.
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

/// A list weighs as much as it has items; a list that does not exist weighs one, for its key.
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
