//! The lists in use, cached in memory: the last committed state, or that the list does not exist.
//!
//! Only this server writes the file, on one thread, so what that thread publishes after a commit is
//! current. Readers may add what they have loaded, unless a commit was published in the meantime.
//! Their bytes are bounded.

use std::sync::Arc;

use checklist_shared::Checklist;

use super::list_rows::StoredList;
use crate::list_cache::{CachedList, ListShards, Weighed};
use crate::list_key::ListKey;

/// The cached state of a list: `None` if it does not exist.
type CachedState = Option<Arc<StoredList>>;

impl CachedList for CachedState {
    fn list(&self) -> Option<&Checklist> {
        self.as_ref().map(|stored| &*stored.list)
    }
}

pub(super) struct ListCache(ListShards<CachedState>);

/// The epoch at which a reader began.
#[derive(Clone, Copy)]
pub(super) struct ReadEpoch(u64);

impl ListCache {
    /// One that takes that many bytes at most.
    pub(super) fn new(bytes: usize) -> Self {
        Self(ListShards::new(bytes))
    }

    /// The cached state: `None` for a miss, `Some(None)` for a list that does not exist.
    pub(super) fn get(&self, key: &ListKey) -> Option<Option<Arc<StoredList>>> {
        self.0.lock(key).get(key)
    }

    /// The present epoch. Has to be called before a reader opens its snapshot.
    pub(super) fn since(&self, key: &ListKey) -> ReadEpoch {
        ReadEpoch(self.0.lock(key).epoch)
    }

    /// Caches what a reader has loaded, if nothing was published since.
    pub(super) fn offer(&self, key: ListKey, since: ReadEpoch, stored: Option<Arc<StoredList>>) {
        let weighed = Weighed::new(&key, stored);
        let mut shard = self.0.lock(&key);
        if shard.epoch == since.0 {
            self.0.put(&mut shard, key, weighed);
        }
    }

    /// Caches what was just committed.
    pub(super) fn publish(&self, key: ListKey, stored: Arc<StoredList>) {
        let weighed = Weighed::new(&key, Some(stored));
        let mut shard = self.0.lock(&key);
        shard.epoch += 1;
        self.0.put(&mut shard, key, weighed);
    }

    /// Empties the cache, after changes that did not go through it list by list.
    pub(super) fn clear(&self) {
        for mut shard in self.0.lock_each() {
            shard.epoch += 1;
            shard.clear();
        }
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
    fn a_reader_that_looked_before_a_commit_cannot_bring_the_old_list_back() {
        let cache = ListCache::new(LIST_MEMORY);
        let since = cache.since(&key(1));
        cache.publish(key(1), StoredList::of_revision(2));
        cache.offer(key(1), since, Some(StoredList::of_revision(1)));
        let revision = cache
            .get(&key(1))
            .flatten()
            .map(|stored| stored.list.revision);
        assert_eq!(revision, Some(2));
    }
}
