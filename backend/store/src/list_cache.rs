//! A cache of lists in shards: threads that need different lists rarely wait for each other.
//!
//! The number of cached items is bounded, whatever the number of lists. A shard is consistent after
//! every call, so a poisoned lock can be ignored.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashlink::LruCache;

use super::list_key::ListKey;

const SHARDS: usize = 16;

/// The most items per shard; all shards together take some tens of megabytes.
const ITEMS_A_SHARD: usize = 4_096;

/// What is cached of a list.
pub(super) trait CachedList: Clone {
    /// The number of items.
    fn items(&self) -> usize;
}

/// The shards of a cache.
pub(super) struct ListShards<V> {
    hasher: RandomState,
    shards: [Mutex<ListShard<V>>; SHARDS],
}

/// The lists of a shard.
pub(super) struct ListShard<V> {
    /// Counts publications, so that a reader can tell whether its snapshot is outdated.
    pub(super) epoch: u64,
    /// A list weighs one for its key, and one for each item.
    weight: usize,
    lists: LruCache<ListKey, V>,
}

impl<V: CachedList> ListShards<V> {
    pub(super) fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| {
                Mutex::new(ListShard {
                    epoch: 0,
                    weight: 0,
                    lists: LruCache::new_unbounded(),
                })
            }),
        }
    }

    /// The shard of a list, locked.
    pub(super) fn lock(&self, key: &ListKey) -> MutexGuard<'_, ListShard<V>> {
        let at = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        lock_unpoisoned(&self.shards[at])
    }

    /// All shards, each locked while it is used.
    pub(super) fn lock_each(&self) -> impl Iterator<Item = MutexGuard<'_, ListShard<V>>> {
        self.shards.iter().map(lock_unpoisoned)
    }
}

fn lock_unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<V: CachedList> ListShard<V> {
    pub(super) fn get(&mut self, key: &ListKey) -> Option<V> {
        self.lists.get(key).cloned()
    }

    /// Caches a list; drops those that were not used for longest if the shard is too heavy then.
    pub(super) fn put(&mut self, key: ListKey, list: V) {
        self.weight += 1 + list.items();
        if let Some(replaced) = self.lists.insert(key, list) {
            self.weight -= 1 + replaced.items();
        }
        while self.weight > ITEMS_A_SHARD && self.lists.len() > 1 {
            let Some((_, oldest)) = self.lists.remove_lru() else {
                break;
            };
            self.weight -= 1 + oldest.items();
        }
    }

    pub(super) fn clear(&mut self) {
        self.weight = 0;
        self.lists.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::context::Context;

    /// A list without items.
    #[derive(Clone)]
    struct NoItems;

    impl CachedList for NoItems {
        fn items(&self) -> usize {
            0
        }
    }

    #[test]
    fn the_number_of_lists_held_is_bounded() {
        let cache = ListShards::new();
        for id in 0..SHARDS * ITEMS_A_SHARD + 5_000 {
            let key = ListKey::of("acme", &Context::new("incident", &id.to_string(), ""));
            cache.lock(&key).put(key.clone(), NoItems);
        }
        let cached: usize = cache.lock_each().map(|shard| shard.lists.len()).sum();
        assert!(cached <= SHARDS * ITEMS_A_SHARD, "{cached}");
    }
}
