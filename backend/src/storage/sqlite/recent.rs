//! The names of recent operations, list by list, as far as the writer has had to know them.
//!
//! Owned by the writer: it asks before each writing call whether the operation was done already.
//! What is known of a list holds while the list's row names the operation that it ends with, so
//! it can never be older than the file; whatever does not fit is read again along the rows.

use std::collections::HashMap;

use hashlink::LruCache;
use rusqlite::{Connection, Result, params};

use super::list_rows::Stored;

/// Names that are kept at most, over all lists; some tens of megabytes.
const MOST: usize = 500_000;

/// Half of a digest: enough to find a row, which is then asked for the whole digest.
type Name = [u8; 16];

/// What is known of all lists.
pub(super) struct Recent {
    lists: LruCache<i64, Trail>,
    names: usize,
}

/// The operations of one list.
struct Trail {
    /// The newest of them.
    end: i64,
    numbers: HashMap<Name, i64>,
}

impl Recent {
    pub(super) fn new() -> Self {
        Self {
            lists: LruCache::new_unbounded(),
            names: 0,
        }
    }

    /// The number of an operation of the list, the newest of that name. Reads the list's trail
    /// back to `since` (milliseconds) unless it is known.
    pub(super) fn find(
        &mut self,
        connection: &Connection,
        tenant: &str,
        stored: &Stored,
        key: &[u8; 32],
        since: i64,
    ) -> Result<Option<i64>> {
        let end = stored.logs.operation;
        let known = self.lists.get(&stored.number);
        if let Some(trail) = known.filter(|trail| trail.end == end) {
            return Ok(trail.numbers.get(&name(key)).copied());
        }
        let trail = load(connection, tenant, end, since)?;
        let number = trail.numbers.get(&name(key)).copied();
        self.put(stored.number, trail);
        Ok(number)
    }

    /// The operation of that number now comes after the one that the list ended with.
    pub(super) fn add(&mut self, list: i64, previous: i64, key: &[u8; 32], number: i64) {
        match self.lists.get_mut(&list) {
            Some(trail) if trail.end == previous => {
                trail.end = number;
                if trail.numbers.insert(name(key), number).is_none() {
                    self.names += 1;
                }
            }
            None if previous == 0 => self.put(
                list,
                Trail {
                    end: number,
                    numbers: HashMap::from([(name(key), number)]),
                },
            ),
            // Read again when somebody asks.
            _ => {}
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.lists.clear();
        self.names = 0;
    }

    fn put(&mut self, list: i64, trail: Trail) {
        self.names += trail.numbers.len();
        if let Some(old) = self.lists.insert(list, trail) {
            self.names -= old.numbers.len();
        }
        // The list in hand stays, however many operations it has had.
        while self.names > MOST && self.lists.len() > 1 {
            let Some((_, old)) = self.lists.remove_lru() else {
                break;
            };
            self.names -= old.numbers.len();
        }
    }
}

fn load(connection: &Connection, tenant: &str, end: i64, since: i64) -> Result<Trail> {
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
    // The newest come first, and the newest of a name is meant.
    while let Some(row) = rows.next()? {
        let key: [u8; 32] = row.get(1)?;
        numbers.entry(name(&key)).or_insert(row.get(0)?);
    }
    Ok(Trail { end, numbers })
}

fn name(key: &[u8; 32]) -> Name {
    let mut name = Name::default();
    name.copy_from_slice(&key[..16]);
    name
}
