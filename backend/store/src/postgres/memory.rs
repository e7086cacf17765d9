//! A node's caches of the database: lists, catalogues, published templates.
//!
//! Other nodes write, too, so nothing here is current by itself. A list is valid while its header
//! has the same revision and purged revision, a catalogue while its epoch is the same. Both are
//! checked in the statement that the answer depends on. A published template never changes. The bytes of the
//! cached lists are bounded.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use checklist_shared::Checklist;
use checklist_shared::template::Template;
use hashlink::LruCache;

use super::catalogue::Catalogue;
use super::list_rows::StoredList;
use crate::list_cache::{CachedList, ListShards, Weighed};
use crate::list_key::ListKey;
use crate::platform_types::UnreadableLog;

/// The most catalogues and the most templates.
const KEPT: usize = 1_000;

/// A published version: tenant, id, version.
type TemplateVersionKey = (String, String, u32);

/// The caches of a node.
pub(super) struct Memory {
    lists: ListShards<Arc<StoredList>>,
    catalogues: Mutex<LruCache<String, Arc<Catalogue>>>,
    templates: Mutex<LruCache<TemplateVersionKey, Arc<Template>>>,
    /// Unreadable types that were logged.
    pub(super) unreadable_types: UnreadableLog,
}

impl CachedList for Arc<StoredList> {
    fn list(&self) -> Option<&Checklist> {
        Some(&self.list)
    }
}

/// The caches are consistent after every call, so a poisoned lock can be ignored.
fn lock_unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    /// Caches whose lists take that many bytes at most.
    pub(super) fn new(list_memory: usize) -> Self {
        Self {
            lists: ListShards::new(list_memory),
            catalogues: Mutex::new(LruCache::new(KEPT)),
            templates: Mutex::new(LruCache::new(KEPT)),
            unreadable_types: UnreadableLog::default(),
        }
    }

    /// The cached list.
    pub(super) fn list(&self, key: &ListKey) -> Option<Arc<StoredList>> {
        self.lists.lock(key).get(key)
    }

    /// Caches a list that was loaded or committed. An older one does not replace a newer one.
    pub(super) fn keep_list(&self, key: ListKey, stored: Arc<StoredList>) {
        let weighed = Weighed::new(&key, Arc::clone(&stored));
        let mut shard = self.lists.lock(&key);
        let is_newer = |cached: &Arc<StoredList>| {
            cached.number == stored.number && cached.list.revision > stored.list.revision
        };
        if !shard.get(&key).as_ref().is_some_and(is_newer) {
            self.lists.put(&mut shard, key, weighed);
        }
    }

    /// The cached catalogue of the tenant.
    pub(super) fn catalogue(&self, tenant: &str) -> Option<Arc<Catalogue>> {
        lock_unpoisoned(&self.catalogues).get(tenant).cloned()
    }

    pub(super) fn keep_catalogue(&self, tenant: &str, catalogue: Arc<Catalogue>) {
        let mut catalogues = lock_unpoisoned(&self.catalogues);
        if catalogues
            .get(tenant)
            .is_none_or(|cached| cached.epoch < catalogue.epoch)
        {
            catalogues.insert(tenant.to_owned(), catalogue);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list_cache::LIST_MEMORY;
    use checklist_shared::context::Context;

    fn key(id: usize) -> ListKey {
        ListKey::of("acme", &Context::new("incident", &id.to_string(), ""))
    }

    #[test]
    fn a_reader_that_was_slow_does_not_bring_an_older_list_back() {
        let memory = Memory::new(LIST_MEMORY);
        memory.keep_list(key(1), StoredList::of_revision(2));
        memory.keep_list(key(1), StoredList::of_revision(1));
        let revision = memory.list(&key(1)).map(|stored| stored.list.revision);
        assert_eq!(revision, Some(2));
    }
}
