//! The first half of a batch: locks its lists, and reads everything that the decisions need.
//!
//! One round trip if all lists have rows, and another node has changed none of those that are
//! cached. The head of the tenant's logs is locked last: in the same round trip if all lists are
//! cached, so that nothing is waited for and no list decoded while it is locked, and otherwise by
//! `batch`.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio_postgres::Row;

use super::batch_decision::BatchInput;
use super::call::Call;
use super::catalogue::{self, EPOCH};
use super::catalogue_queries;
use super::columns::{Parameter, get, get_u64, int};
use super::error::PostgresError;
use super::item_rows::{self, ITEMS, ITEMS_OF, ItemsByList};
use super::list_rows::{self, Keys, LOCK, PURPOSES, StoredList};
use super::memory::Memory;
use super::operation::{self, Operations};
use super::save::Head;
use super::session::Session;
use crate::list_key::ListKey;

/// Takes advisory locks on objects whose lists are about to be created, so that no other
/// transaction creates lists for them.
const RESERVE: &str = "SELECT pg_advisory_xact_lock(object) FROM unnest($1::bigint[]) AS object";
const NUMBERS: &str = "SELECT nextval('checklist_number') FROM generate_series(1, $1::bigint)";

/// Locks the head of a tenant's logs until the transaction ends.
pub(super) const HEAD: &str =
    "SELECT audit_sequence, journal_cursor FROM log_head WHERE tenant = $1 FOR UPDATE";

/// The head from a result of [`HEAD`]; `None` for a tenant without logs.
pub(super) fn head_of(rows: &[Row]) -> Result<Option<Head>, PostgresError> {
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok(Some(Head {
        audit_sequence: get_u64(row, 0)?,
        journal_cursor: get_u64(row, 1)?,
    }))
}

/// Reads everything that the decisions need and locks the lists; locks the head of the logs, too,
/// if that is possible in the same round trip.
pub(super) async fn read<'a>(
    session: &mut Session,
    memory: &'a Memory,
    tenant: &'a str,
    calls: &[Call],
) -> Result<(BatchInput<'a>, Option<Head>), PostgresError> {
    let lists: BTreeSet<&ListKey> = calls.iter().map(|call| &call.list).collect();
    let lists: Vec<&ListKey> = lists.into_iter().collect();
    let operations: HashSet<&[u8]> = calls
        .iter()
        .flat_map(|call| call.key.iter().chain(&call.undoes))
        .map(<[u8; 32]>::as_slice)
        .collect();
    let operations: Vec<&[u8]> = operations.into_iter().collect();

    let uncached: HashSet<&ListKey> = lists
        .iter()
        .filter(|key| memory.list(key).is_none())
        .copied()
        .collect();
    let wanted = Wanted {
        lists: &lists,
        uncached: &uncached,
        operations: &operations,
    };
    session.opens();
    let how = LockOptions {
        begin: true,
        take_logs: uncached.is_empty(),
    };
    let LockedRows {
        mut headers,
        mut items,
        epoch,
        mut stored_operations,
        logs,
    } = lock(session, tenant, &wanted, how).await?;
    let mut numbers = HashMap::new();
    let mut purposes = HashMap::new();
    if headers.len() < lists.len() {
        let there: HashSet<usize> = headers
            .iter()
            .map(list_rows::place)
            .collect::<Result<_, _>>()?;
        let absent: Vec<&ListKey> = lists
            .iter()
            .enumerate()
            .filter(|(place, _)| !there.contains(place))
            .map(|(_, key)| *key)
            .collect();
        (numbers, purposes) = reserve(session, tenant, &absent).await?;
        // A concurrent creation is committed now: its lists and operations are visible.
        let again = lock(session, tenant, &wanted, LockOptions::default()).await?;
        (headers, items) = (again.headers, again.items);
        stored_operations = again.stored_operations;
    }
    let lists = load(session, memory, tenant, &wanted, &headers, items).await?;
    let catalogue = match memory.catalogue(tenant) {
        Some(catalogue) if catalogue.epoch == epoch => catalogue,
        _ => catalogue_queries::load(session, memory, tenant).await?,
    };
    let read = BatchInput {
        tenant,
        memory,
        catalogue,
        lists,
        numbers,
        purposes,
        operations: Operations::of(stored_operations)?,
        in_vain: HashSet::new(),
    };
    Ok((read, logs))
}

/// What the calls of a batch need.
struct Wanted<'a> {
    lists: &'a [&'a ListKey],
    /// Those of them that are not cached.
    uncached: &'a HashSet<&'a ListKey>,
    operations: &'a [&'a [u8]],
}

/// What a round trip does apart from locking lists.
#[derive(Clone, Copy, Default)]
struct LockOptions {
    /// Begins the transaction first.
    begin: bool,
    /// Locks the head of the logs last.
    take_logs: bool,
}

/// The result of a round trip.
struct LockedRows {
    /// The lists' headers.
    headers: Vec<Row>,
    /// Of the lists that are not cached.
    items: ItemsByList,
    epoch: i64,
    /// The operations.
    stored_operations: Vec<Row>,
    logs: Option<Head>,
}

/// Locks the existing lists, then finds the operations and the items that are not cached. In this
/// order, so that a concurrent change of a list is seen together with its operation.
async fn lock(
    session: &mut Session,
    tenant: &str,
    wanted: &Wanted<'_>,
    how: LockOptions,
) -> Result<LockedRows, PostgresError> {
    let (lock, find, items_of, epoch, head) = (
        session.statement(LOCK).await?,
        session.statement(operation::FIND).await?,
        session.statement(&ITEMS_OF).await?,
        session.statement(EPOCH).await?,
        session.statement(HEAD).await?,
    );
    let keys: Keys<'_> = wanted.lists.iter().copied().collect();
    let which: [Parameter<'_>; 4] = [&tenant, &keys.types, &keys.objects, &keys.purposes];
    let keys: Keys<'_> = wanted.uncached.iter().copied().collect();
    let of: [Parameter<'_>; 4] = [&tenant, &keys.types, &keys.objects, &keys.purposes];
    let named: [Parameter<'_>; 2] = [&tenant, &wanted.operations];
    let of_tenant: [Parameter<'_>; 1] = [&tenant];
    let client = session.client();
    let (begun, headers, epoch, stored_operations, items, logs) = tokio::join!(
        async {
            match how.begin {
                true => client.batch_execute("BEGIN").await,
                false => Ok(()),
            }
        },
        client.query(&lock, &which),
        client.query(&epoch, &of_tenant),
        async {
            match wanted.operations.is_empty() {
                true => Ok(Vec::new()),
                false => client.query(&find, &named).await,
            }
        },
        async {
            match wanted.uncached.is_empty() {
                true => Ok(Vec::new()),
                false => client.query(&items_of, &of).await,
            }
        },
        async {
            match how.take_logs {
                true => client.query(&head, &of_tenant).await,
                false => Ok(Vec::new()),
            }
        },
    );
    begun?;
    Ok(LockedRows {
        headers: headers?,
        items: item_rows::items(&items?)?,
        epoch: catalogue::epoch(&epoch?)?,
        stored_operations: stored_operations?,
        logs: head_of(&logs?)?,
    })
}

/// Row numbers by list, and the number of lists of each object.
type ReservedNumbers = (HashMap<ListKey, i64>, HashMap<(String, String), usize>);

/// Serializes the creation of lists of these objects until the transaction ends. Two concurrent
/// first writes make one set of items, and the limit of lists per object holds.
async fn reserve(
    session: &mut Session,
    tenant: &str,
    absent: &[&ListKey],
) -> Result<ReservedNumbers, PostgresError> {
    let objects: BTreeSet<(&str, &str)> = absent
        .iter()
        .map(|key| (key.object_type.as_str(), key.object_id.as_str()))
        .collect();
    let mut locks: Vec<i64> = objects
        .iter()
        .map(|(object_type, object_id)| object_lock(tenant, object_type, object_id))
        .collect();
    locks.sort_unstable();
    let (types, ids): (Vec<&str>, Vec<&str>) = objects.into_iter().unzip();
    let count = int(absent.len() as u64);
    let (reserve, count_purposes, next) = (
        session.statement(RESERVE).await?,
        session.statement(PURPOSES).await?,
        session.statement(NUMBERS).await?,
    );
    let locks: [Parameter<'_>; 1] = [&locks];
    let which: [Parameter<'_>; 3] = [&tenant, &types, &ids];
    let count: [Parameter<'_>; 1] = [&count];
    let client = session.client();
    let (reserved, counted, numbers) = tokio::join!(
        client.query(&reserve, &locks),
        client.query(&count_purposes, &which),
        client.query(&next, &count),
    );
    reserved?;
    let mut purposes = HashMap::new();
    for row in counted? {
        let place = list_rows::place(&row)?;
        let object = (types[place].to_owned(), ids[place].to_owned());
        let lists = usize::try_from(get::<i64>(&row, 1)?).unwrap_or(usize::MAX);
        purposes.insert(object, lists);
    }
    let numbers = absent
        .iter()
        .zip(numbers?)
        .map(|(key, row)| Ok(((*key).clone(), get(&row, 0)?)))
        .collect::<Result<_, PostgresError>>()?;
    Ok((numbers, purposes))
}

fn object_lock(tenant: &str, object_type: &str, object_id: &str) -> i64 {
    let mut hash = Sha256::new();
    for part in [tenant, object_type, object_id] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    let digest: [u8; 32] = hash.finalize().into();
    let mut lock = [0; 8];
    lock.copy_from_slice(&digest[..8]);
    i64::from_be_bytes(lock)
}

/// The locked lists: from the cache if their headers match. Those that another node has changed are
/// read again, in one more round trip.
async fn load(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
    wanted: &Wanted<'_>,
    headers: &[Row],
    mut items: ItemsByList,
) -> Result<HashMap<ListKey, Arc<StoredList>>, PostgresError> {
    let mut stored_lists = HashMap::with_capacity(headers.len());
    let mut changed = Vec::new();
    let mut outdated = Vec::new();
    for header in headers {
        let key = wanted.lists[list_rows::place(header)?];
        match memory.list(key) {
            Some(stored) if list_rows::is_still(header, &stored)? => {
                stored_lists.insert(key.clone(), stored);
                continue;
            }
            _ if wanted.uncached.contains(&key) => {}
            _ => outdated.push(list_rows::number(header)?),
        }
        changed.push((key, header));
    }
    if !outdated.is_empty() {
        let rows = session.query(&ITEMS, &[&tenant, &outdated]).await?;
        items.extend(item_rows::items(&rows)?);
    }
    for (key, header) in changed {
        let of_list = items
            .remove(&list_rows::number(header)?)
            .unwrap_or(Ok(Vec::new()))?;
        let stored = list_rows::stored(key, header, of_list)?;
        stored_lists.insert(key.clone(), Arc::new(stored));
    }
    Ok(stored_lists)
}
