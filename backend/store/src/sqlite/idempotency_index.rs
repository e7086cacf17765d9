//! The idempotency index: the digests of recent operations, list by list, for the lists that needed
//! it.
//!
//! Before each writing call, the writer rules out that the operation is a repeat. The index of a
//! list is valid while the list's row names the same last operation, so it is never older than the
//! file. Otherwise the operations are read again along their rows. A busy list has thousands of
//! them, each on another page. That is why a reader loads them for `decision` before the writer
//! takes the call; the writer reads them only if they have changed since.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashlink::LruCache;
use rusqlite::{Connection, Result, params};

use super::list_rows::StoredList;

/// The most digests over all lists; some tens of megabytes.
const MOST: usize = 500_000;

/// Half of a digest. It is enough to find a row, whose whole digest is then compared.
type DigestPrefix = [u8; 16];

/// The index of all lists.
pub(super) struct IdempotencyIndex(Mutex<IndexEntries>);

struct IndexEntries {
    lists: LruCache<i64, ListOperations>,
    names: usize,
}

/// The operations of one list.
struct ListOperations {
    /// The row number of the newest one.
    end: i64,
    numbers: HashMap<DigestPrefix, i64>,
}

impl IdempotencyIndex {
    pub(super) fn new() -> Self {
        Self(Mutex::new(IndexEntries {
            lists: LruCache::new_unbounded(),
            names: 0,
        }))
    }

    fn entries(&self) -> MutexGuard<'_, IndexEntries> {
        // The index is consistent after every call, so a poisoned lock can be ignored.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the operations of the list are indexed up to its last one. The writer may have
    /// indexed later ones that are about to be committed.
    pub(super) fn knows(&self, stored: &StoredList) -> bool {
        let end = stored.logs.operation;
        let trails = self.entries();
        end == 0
            || trails
                .lists
                .peek(&stored.number)
                .is_some_and(|trail| trail.end >= end)
    }

    /// Loads the list's operations back to `since` (milliseconds), unless they are indexed.
    pub(super) fn read(
        &self,
        connection: &Connection,
        tenant: &str,
        stored: &StoredList,
        since: i64,
    ) -> Result<()> {
        if !self.knows(stored) {
            let trail = load(connection, tenant, stored.logs.operation, since)?;
            self.entries().offer(stored.number, trail);
        }
        Ok(())
    }

    /// The row number of the list's newest operation with that digest.
    pub(super) fn find(
        &self,
        connection: &Connection,
        tenant: &str,
        stored: &StoredList,
        key: &[u8; 32],
        since: i64,
    ) -> Result<Option<i64>> {
        let end = stored.logs.operation;
        if end == 0 {
            return Ok(None);
        }
        if let Some(trail) = self.entries().lists.get(&stored.number)
            && trail.end == end
        {
            return Ok(trail.numbers.get(&name(key)).copied());
        }
        let trail = load(connection, tenant, end, since)?;
        let number = trail.numbers.get(&name(key)).copied();
        self.entries().put(stored.number, trail);
        Ok(number)
    }

    /// Appends an operation after the one that the list ended with.
    pub(super) fn add(&self, list: i64, previous: i64, key: &[u8; 32], number: i64) {
        self.entries().add(list, previous, key, number);
    }

    /// Empties the index.
    pub(super) fn clear(&self) {
        let mut trails = self.entries();
        trails.lists.clear();
        trails.names = 0;
    }
}

impl IndexEntries {
    fn add(&mut self, list: i64, previous: i64, key: &[u8; 32], number: i64) {
        match self.lists.get_mut(&list) {
            Some(trail) if trail.end == previous => {
                trail.end = number;
                if trail.numbers.insert(name(key), number).is_none() {
                    self.names += 1;
                }
            }
            None if previous == 0 => self.put(
                list,
                ListOperations {
                    end: number,
                    numbers: HashMap::from([(name(key), number)]),
                },
            ),
            // Loaded again on demand.
            _ => {}
        }
    }

    /// Adds what a reader has loaded, unless the writer has newer entries by now.
    fn offer(&mut self, list: i64, trail: ListOperations) {
        let newer = |stored: &ListOperations| stored.end >= trail.end;
        if !self.lists.peek(&list).is_some_and(newer) {
            self.put(list, trail);
        }
    }

    fn put(&mut self, list: i64, trail: ListOperations) {
        self.names += trail.numbers.len();
        if let Some(old) = self.lists.insert(list, trail) {
            self.names -= old.numbers.len();
        }
        // Keeps the list at hand, however many operations it has.
        while self.names > MOST && self.lists.len() > 1 {
            let Some((_, old)) = self.lists.remove_lru() else {
                break;
            };
            self.names -= old.numbers.len();
        }
    }
}

fn load(connection: &Connection, tenant: &str, end: i64, since: i64) -> Result<ListOperations> {
    let mut numbers = HashMap::new();
    let mut statement = connection.prepare_cached(
        "WITH RECURSIVE trail (number, key, list_previous) AS (
             SELECT number, key, list_previous FROM operation WHERE tenant = ?1 AND number = ?2 AND at > ?3
             UNION ALL
             SELECT o.number, o.key, o.list_previous FROM trail
             JOIN operation o ON o.tenant = ?1 AND o.number = trail.list_previous
             WHERE o.at > ?3
         )
         SELECT number, key FROM trail",
    )?;
    let mut rows = statement.query(params![tenant, end, since])?;
    // Newest first: of several with one digest, the newest counts.
    while let Some(row) = rows.next()? {
        let key: [u8; 32] = row.get(1)?;
        numbers.entry(name(&key)).or_insert(row.get(0)?);
    }
    Ok(ListOperations { end, numbers })
}

fn name(key: &[u8; 32]) -> DigestPrefix {
    let mut name = DigestPrefix::default();
    name.copy_from_slice(&key[..16]);
    name
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use checklist_shared::context::Context;
    use checklist_shared::{Checklist, Timestamp};

    use super::super::list_rows::ListLogs;
    use super::*;

    const ONE: [u8; 32] = [1; 32];
    const TWO: [u8; 32] = [2; 32];

    /// A list whose last operation is that one.
    fn list(operation: i64) -> StoredList {
        let context = Context::new("incident", "1", "");
        StoredList {
            number: 7,
            list: Arc::new(Checklist::empty(context, Timestamp::from_millis(0))),
            purged_revision: 0,
            logs: ListLogs {
                operation,
                ..ListLogs::default()
            },
        }
    }

    /// A file with two operations of a list.
    fn file() -> Connection {
        let file = Connection::open_in_memory().unwrap();
        file.execute_batch(
            "CREATE TABLE operation (number INTEGER PRIMARY KEY, tenant TEXT, key BLOB, at INTEGER, list_previous INTEGER)",
        )
        .unwrap();
        for (number, key, previous) in [(1, ONE, 0), (2, TWO, 1)] {
            file.execute(
                "INSERT INTO operation VALUES (?1, 'acme', ?2, 10, ?3)",
                params![number, key, previous],
            )
            .unwrap();
        }
        file
    }

    /// A file without tables: every query fails.
    fn closed() -> Connection {
        Connection::open_in_memory().unwrap()
    }

    #[test]
    fn what_a_reader_has_read_the_writer_does_not_read_again() {
        let recent = IdempotencyIndex::new();
        recent.read(&file(), "acme", &list(2), 0).unwrap();
        let found = |key| recent.find(&closed(), "acme", &list(2), key, 0).unwrap();
        assert_eq!(
            (found(&ONE), found(&TWO), found(&[3; 32])),
            (Some(1), Some(2), None)
        );
    }

    #[test]
    fn of_a_list_that_has_gone_on_the_writer_reads_what_the_reader_has_missed() {
        let recent = IdempotencyIndex::new();
        recent.read(&file(), "acme", &list(1), 0).unwrap();
        assert!(!recent.knows(&list(2)));
        let found = recent.find(&file(), "acme", &list(2), &TWO, 0).unwrap();
        assert_eq!(found, Some(2));
    }

    #[test]
    fn a_reader_that_was_slow_does_not_take_away_what_the_writer_has_added() {
        let recent = IdempotencyIndex::new();
        recent.read(&file(), "acme", &list(1), 0).unwrap();
        recent.add(7, 1, &TWO, 2);
        let late = load(&file(), "acme", 1, 0).unwrap();
        recent.entries().offer(7, late);
        let found = recent.find(&closed(), "acme", &list(2), &TWO, 0).unwrap();
        assert_eq!(found, Some(2));
    }

    #[test]
    fn what_is_about_to_be_committed_sends_nobody_to_a_reader() {
        let recent = IdempotencyIndex::new();
        recent.read(&file(), "acme", &list(1), 0).unwrap();
        recent.add(7, 1, &TWO, 2);
        assert!(recent.knows(&list(1)));
    }

    #[test]
    fn a_list_without_operations_is_not_looked_for() {
        let found = IdempotencyIndex::new().find(&closed(), "acme", &list(0), &ONE, 0);
        assert_eq!(found.unwrap(), None);
    }
}
