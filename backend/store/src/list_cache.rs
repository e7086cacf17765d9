//! A cache of lists in shards: threads that need different lists rarely wait for each other.
//!
//! What the cached lists take in memory is bounded, whatever the number of lists and items. A shard is
//! consistent after every call, so a poisoned lock can be ignored.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use checklist_shared::Checklist;
use hashlink::LruCache;

use super::list_key::ListKey;
use super::list_weight;

const SHARDS: usize = 16;

/// How many bytes the cached lists of a store take at most, unless something else is configured.
pub const LIST_MEMORY: usize = 64 * 1024 * 1024;

/// What is cached of a list.
pub(super) trait CachedList: Clone {
    /// The list itself; `None` where it is known not to exist.
    fn list(&self) -> Option<&Checklist>;
}

/// What is cached of a list, with the bytes that it takes.
pub(super) struct Weighed<V> {
    list: V,
    bytes: usize,
}

impl<V: CachedList> Weighed<V> {
    /// Looks at each item, so it is done before a shard is locked.
    pub(super) fn new(key: &ListKey, list: V) -> Self {
        let bytes = list_weight::bytes(key, list.list());
        Self { list, bytes }
    }
}

/// The shards of a cache.
pub(super) struct ListShards<V> {
    hasher: RandomState,
    shards: [Mutex<ListShard<V>>; SHARDS],
    /// The most bytes of a shard.
    most: usize,
}

/// The lists of a shard.
pub(super) struct ListShard<V> {
    /// Counts publications, so that a reader can tell whether its snapshot is outdated.
    pub(super) epoch: u64,
    /// Of all its lists.
    bytes: usize,
    lists: LruCache<ListKey, Weighed<V>>,
}

impl<V: CachedList> ListShards<V> {
    /// Shards that together take that many bytes, or one list each if it alone takes more.
    pub(super) fn new(bytes: usize) -> Self {
        Self {
            hasher: RandomState::new(),
            shards: std::array::from_fn(|_| {
                Mutex::new(ListShard {
                    epoch: 0,
                    bytes: 0,
                    lists: LruCache::new_unbounded(),
                })
            }),
            most: bytes / SHARDS,
        }
    }

    /// The shard of a list, locked.
    pub(super) fn lock(&self, key: &ListKey) -> MutexGuard<'_, ListShard<V>> {
        let at = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        lock_unpoisoned(&self.shards[at])
    }

    /// Caches a list in its locked shard; drops those that were not used for longest if the shard is
    /// too heavy then.
    pub(super) fn put(&self, shard: &mut ListShard<V>, key: ListKey, list: Weighed<V>) {
        shard.bytes += list.bytes;
        if let Some(replaced) = shard.lists.insert(key, list) {
            shard.bytes -= replaced.bytes;
        }
        while shard.bytes > self.most && shard.lists.len() > 1 {
            let Some((_, oldest)) = shard.lists.remove_lru() else {
                break;
            };
            shard.bytes -= oldest.bytes;
        }
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
        self.lists.get(key).map(|weighed| weighed.list.clone())
    }

    pub(super) fn clear(&mut self) {
        self.bytes = 0;
        self.lists.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checklist_shared::context::Context;
    use checklist_shared::item::{Actor, Origin};
    use checklist_shared::text::Text;
    use checklist_shared::{Item, ItemId, Timestamp};
    use std::sync::Arc;

    impl CachedList for Option<Arc<Checklist>> {
        fn list(&self) -> Option<&Checklist> {
            self.as_deref()
        }
    }

    fn key(id: usize) -> ListKey {
        ListKey::of("acme", &Context::new("incident", &id.to_string(), ""))
    }

    fn keep(cache: &ListShards<Option<Arc<Checklist>>>, id: usize, list: Option<Arc<Checklist>>) {
        let key = key(id);
        let weighed = Weighed::new(&key, list);
        let mut shard = cache.lock(&key);
        cache.put(&mut shard, key, weighed);
    }

    /// How many lists the cache has, and their bytes.
    fn lists_and_bytes(cache: &ListShards<Option<Arc<Checklist>>>) -> (usize, usize) {
        cache.lock_each().fold((0, 0), |(lists, bytes), shard| {
            (lists + shard.lists.len(), bytes + shard.bytes)
        })
    }

    /// A list with an item whose text has that many bytes.
    fn list(text: usize) -> Option<Arc<Checklist>> {
        let now = Timestamp::from_millis(0);
        let mut list = Checklist::empty(Context::new("incident", "1", ""), now);
        let text = Text::Plain("x".repeat(text));
        let id = ItemId::from_millis_and_random(0, [0; 10]);
        let item = Item::new(id, Origin::Local, text, Actor::person("ada", "Ada"), now);
        list.items = vec![Arc::new(item)];
        Some(Arc::new(list))
    }

    #[test]
    fn lists_that_do_not_exist_take_memory_too_and_are_bounded() {
        let cache = ListShards::new(1_000_000);
        for id in 0..20_000 {
            keep(&cache, id, None);
        }
        let (lists, bytes) = lists_and_bytes(&cache);
        assert!(bytes <= 1_000_000 && lists < 5_000, "{lists} {bytes}");
    }

    #[test]
    fn a_few_lists_with_long_texts_take_the_place_of_many_with_short_ones() {
        let kept = |text: usize| {
            let cache = ListShards::new(4_000_000);
            for id in 0..4_000 {
                keep(&cache, id, list(text));
            }
            lists_and_bytes(&cache)
        };
        let ((short, few), (long, many)) = (kept(10), kept(50_000));
        assert!(few <= 4_000_000 && many <= 4_000_000, "{few} {many}");
        assert!(long < 80 && short > 20 * long, "{short} {long}");
    }

    #[test]
    fn a_list_that_is_written_again_counts_once() {
        let cache = ListShards::new(4_000_000);
        keep(&cache, 1, list(10));
        let once = lists_and_bytes(&cache);
        keep(&cache, 1, list(50_000));
        keep(&cache, 1, list(10));
        assert_eq!(lists_and_bytes(&cache), once);
    }

    #[test]
    fn a_list_that_is_larger_than_the_memory_is_held_alone() {
        let cache = ListShards::new(16_000);
        keep(&cache, 1, list(50_000));
        assert_eq!(lists_and_bytes(&cache).0, 1);
    }
}
