//! A node's caches of the database: lists, catalogues, published templates.
//!
//! Other nodes write, too, so nothing here is current by itself. A list is valid while its header
//! has the same revision and purged revision, a catalogue while its epoch is the same. Both are
//! checked in the statement that the answer depends on. A published template never changes. The number of cached
//! items is bounded.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use checklist_shared::template::Template;
use hashlink::LruCache;

use super::catalogue::Catalogue;
use super::list_rows::StoredList;
use crate::list_key::ListKey;
use crate::platform_types::UnreadableLog;

const SHARDS: usize = 16;

/// The most items per shard; all shards together take some tens of megabytes.
const ITEMS_A_SHARD: usize = 4_096;

/// The most catalogues and the most templates.
const KEPT: usize = 1_000;

/// A published version: tenant, id, version.
type TemplateVersionKey = (String, String, u32);

/// The caches of a node.
pub(super) struct Memory {
    hasher: RandomState,
    lists: [Mutex<Shard>; SHARDS],
    catalogues: Mutex<LruCache<String, Arc<Catalogue>>>,
    templates: Mutex<LruCache<TemplateVersionKey, Arc<Template>>>,
    /// Unreadable types that were logged.
    pub(super) unreadable_types: UnreadableLog,
}

struct Shard {
    weight: usize,
    lists: LruCache<ListKey, Arc<StoredList>>,
}

/// The caches are consistent after every call, so a poisoned lock can be ignored.
fn lock_unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    pub(super) fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            lists: std::array::from_fn(|_| {
                Mutex::new(Shard {
                    weight: 0,
                    lists: LruCache::new_unbounded(),
                })
            }),
            catalogues: Mutex::new(LruCache::new(KEPT)),
            templates: Mutex::new(LruCache::new(KEPT)),
            unreadable_types: UnreadableLog::default(),
        }
    }

    fn shard(&self, key: &ListKey) -> MutexGuard<'_, Shard> {
        let at = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or(0);
        lock_unpoisoned(&self.lists[at])
    }

    /// The cached list.
    pub(super) fn list(&self, key: &ListKey) -> Option<Arc<StoredList>> {
        self.shard(key).lists.get(key).cloned()
    }

    /// Caches a list that was loaded or committed. An older one does not replace a newer one.
    pub(super) fn keep_list(&self, key: ListKey, stored: Arc<StoredList>) {
        let mut shard = self.shard(&key);
        let older = |known: &Arc<StoredList>| {
            known.number == stored.number && known.list.revision > stored.list.revision
        };
        if shard.lists.get(&key).is_some_and(older) {
            return;
        }
        shard.weight += weight(&stored);
        if let Some(old) = shard.lists.insert(key, stored) {
            shard.weight -= weight(&old);
        }
        while shard.weight > ITEMS_A_SHARD && shard.lists.len() > 1 {
            let Some((_, oldest)) = shard.lists.remove_lru() else {
                break;
            };
            shard.weight -= weight(&oldest);
        }
    }

    /// The cached catalogue of the tenant.
    pub(super) fn catalogue(&self, tenant: &str) -> Option<Arc<Catalogue>> {
        lock_unpoisoned(&self.catalogues).get(tenant).cloned()
    }

    pub(super) fn keep_catalogue(&self, tenant: &str, catalogue: Arc<Catalogue>) {
        let mut known = lock_unpoisoned(&self.catalogues);
        if known
            .get(tenant)
            .is_none_or(|known| known.epoch < catalogue.epoch)
        {
            known.insert(tenant.to_owned(), catalogue);
        }
    }

    /// A cached published template.
    pub(super) fn template(&self, tenant: &str, id: &str, version: u32) -> Option<Arc<Template>> {
        let edition = (tenant.to_owned(), id.to_owned(), version);
        lock_unpoisoned(&self.templates).get(&edition).cloned()
    }

    pub(super) fn keep_template(&self, tenant: &str, template: Arc<Template>) {
        let edition = (tenant.to_owned(), template.id.clone(), template.version);
        lock_unpoisoned(&self.templates).insert(edition, template);
    }
}

fn weight(stored: &StoredList) -> usize {
    1 + stored.list.items.len()
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
    fn a_reader_that_was_slow_does_not_bring_an_older_list_back() {
        let memory = Memory::new();
        memory.keep_list(key(1), stored(2));
        memory.keep_list(key(1), stored(1));
        let revision = memory.list(&key(1)).map(|stored| stored.list.revision);
        assert_eq!(revision, Some(2));
    }

    #[test]
    fn the_number_of_lists_held_is_bounded() {
        let memory = Memory::new();
        for id in 0..SHARDS * ITEMS_A_SHARD + 5_000 {
            memory.keep_list(key(id), stored(1));
        }
        let held: usize = memory
            .lists
            .iter()
            .map(|shard| lock_unpoisoned(shard).lists.len())
            .sum();
        assert!(held <= SHARDS * ITEMS_A_SHARD, "{held}");
    }
}
