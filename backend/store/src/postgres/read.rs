//! Reads lists: one small query tells whether the cache is current, and loads what is not cached.
//!
//! One round trip, whether the lists are cached or not. A second one only for cached lists that
//! another node has changed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio_postgres::Row;

use super::catalogue_queries;
use super::columns::{Parameter, get};
use super::error::PostgresError;
use super::facts::{self, Templates};
use super::item_rows::{self, ITEMS_OF, ItemsByList};
use super::list_rows::{self, FIND, Keys, PURPOSES, StoredList};
use super::memory::Memory;
use super::session::{ONE_MOMENT, Session};
use crate::list_key::ListKey;
use crate::store::{ListFactsResult, ListRequest, Purpose, StoreError};

/// Lists by their index in the request, or why one cannot be read.
type Lists = HashMap<usize, Result<Arc<StoredList>, PostgresError>>;

/// The facts about lists of a tenant, in the requested order, each from one snapshot.
pub(super) async fn lists(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
    wanted: &[ListRequest],
) -> Result<Vec<ListFactsResult>, PostgresError> {
    // Without a row that names the epoch, the catalogue would be loaded, and for nothing.
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<ListKey> = wanted
        .iter()
        .map(|wanted| ListKey::of(tenant, &wanted.context))
        .collect();
    let (stored, epoch) = present(session, memory, tenant, &keys).await?;
    let cached = memory
        .catalogue(tenant)
        .filter(|cached| cached.epoch == epoch);
    let catalogue = match cached {
        Some(catalogue) => catalogue,
        None => catalogue_queries::load(session, memory, tenant).await?,
    };
    let purposes = count_purposes(session, tenant, wanted, &stored).await?;

    let mut in_vain = HashSet::new();
    let mut unreadable: HashMap<(String, u32), StoreError> = HashMap::new();
    loop {
        let mut templates = Templates::new(tenant, memory, &catalogue, &in_vain);
        let facts: Vec<ListFactsResult> = wanted
            .iter()
            .enumerate()
            .map(|(place, wanted)| {
                let stored = match stored.get(&place) {
                    Some(Ok(stored)) => Some(&**stored),
                    Some(Err(error)) => return Err(error.clone().into()),
                    None => None,
                };
                let mut facts = facts::gather(wanted, stored, None, &mut templates)?;
                facts.purposes = purposes.get(&place).copied().unwrap_or(0);
                let missing = facts.missing.as_ref();
                let edition = missing
                    .and_then(|choice| Some((choice.id.clone(), catalogue.version(choice)?)));
                match edition.and_then(|edition| unreadable.get(&edition)) {
                    Some(error) => Err(error.clone()),
                    None => Ok(facts),
                }
            })
            .collect();
        let missing = templates.missing;
        if missing.is_empty() {
            return Ok(facts);
        }
        unreadable.extend(load_templates(session, memory, tenant, &missing).await?);
        in_vain.extend(missing);
    }
}

/// Loads template versions into the cache. Returns those that cannot be read, and why.
async fn load_templates(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
    missing: &[(String, u32)],
) -> Result<Vec<((String, u32), StoreError)>, PostgresError> {
    match catalogue_queries::load_templates(session, memory, tenant, missing).await {
        Ok(_) => return Ok(Vec::new()),
        Err(PostgresError::Broken(_)) => {}
        Err(error) => return Err(error),
    }
    // One version cannot be read; load each alone, so that the others' lists are not affected.
    let mut unreadable = Vec::new();
    for edition in missing {
        let alone = std::slice::from_ref(edition);
        match catalogue_queries::load_templates(session, memory, tenant, alone).await {
            Ok(_) => {}
            Err(PostgresError::Broken(what)) => {
                unreadable.push((edition.clone(), StoreError::Broken(what)));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(unreadable)
}

/// The present lists, and the epoch of the catalogue in the same snapshot.
async fn present(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
    keys: &[ListKey],
) -> Result<(Lists, i64), PostgresError> {
    let mut lists = Lists::new();
    let mut places: Vec<usize> = (0..keys.len()).collect();
    let mut whole: HashSet<&ListKey> = keys
        .iter()
        .filter(|key| memory.list(key).is_none())
        .collect();
    loop {
        let looked = look(session, tenant, keys, &places, &whole).await?;
        let mut changed = Vec::new();
        let mut epoch = 0;
        for header in &looked.headers {
            epoch = list_rows::epoch(header)?;
            if !list_rows::is_there(header)? {
                continue;
            }
            let place = places[list_rows::place(header)?];
            let key = &keys[place];
            match memory.list(key) {
                Some(stored) if list_rows::is_still(header, &stored).unwrap_or(false) => {
                    lists.insert(place, Ok(stored));
                }
                _ if whole.contains(key) => {
                    let items = looked.items.get(&list_rows::number(header)?);
                    let stored = items
                        .cloned()
                        .unwrap_or(Ok(Vec::new()))
                        .and_then(|items| list_rows::stored(key, header, items))
                        .map(Arc::new);
                    if let Ok(stored) = &stored {
                        memory.keep_list(key.clone(), Arc::clone(stored));
                    }
                    lists.insert(place, stored);
                }
                // The cached list was outdated, so its items were not read.
                _ => changed.push(place),
            }
        }
        if changed.is_empty() {
            return Ok((lists, epoch));
        }
        whole = changed.iter().map(|place| &keys[*place]).collect();
        places = changed;
    }
}

/// A result: a row of [`FIND`] for each requested list, items by the number of their list.
struct FetchedRows {
    headers: Vec<Row>,
    items: ItemsByList,
}

/// Reads headers, and the items of the lists that are not cached, in one snapshot. A cached list
/// takes one statement, as the epoch comes with its header.
async fn look(
    session: &mut Session,
    tenant: &str,
    keys: &[ListKey],
    places: &[usize],
    whole: &HashSet<&ListKey>,
) -> Result<FetchedRows, PostgresError> {
    let (find, items_of) = (
        session.statement(FIND).await?,
        session.statement(&ITEMS_OF).await?,
    );
    let asked: Keys<'_> = places.iter().map(|place| &keys[*place]).collect();
    let which: [Parameter<'_>; 4] = [&tenant, &asked.types, &asked.objects, &asked.purposes];
    if whole.is_empty() {
        return Ok(FetchedRows {
            headers: session.client().query(&find, &which).await?,
            items: ItemsByList::new(),
        });
    }
    let lists: Keys<'_> = whole.iter().copied().collect();
    let of: [Parameter<'_>; 4] = [&tenant, &lists.types, &lists.objects, &lists.purposes];
    session.opens();
    let client = session.client();
    // Pipelined: all are sent, in this order, before the first is answered.
    let (begun, headers, items, ended) = tokio::join!(
        client.batch_execute(ONE_MOMENT),
        client.query(&find, &which),
        client.query(&items_of, &of),
        client.batch_execute("COMMIT"),
    );
    ended?;
    session.closed();
    begun?;
    Ok(FetchedRows {
        headers: headers?,
        items: item_rows::items(&items?)?,
    })
}

/// The number of lists of each object, for writes to lists that have no row.
async fn count_purposes(
    session: &mut Session,
    tenant: &str,
    wanted: &[ListRequest],
    stored: &Lists,
) -> Result<HashMap<usize, usize>, PostgresError> {
    let places: Vec<usize> = (0..wanted.len())
        .filter(|place| wanted[*place].purpose != Purpose::Show && !stored.contains_key(place))
        .collect();
    if places.is_empty() {
        return Ok(HashMap::new());
    }
    let types: Vec<&str> = places
        .iter()
        .map(|place| wanted[*place].context.object_type.as_str())
        .collect();
    let objects: Vec<&str> = places
        .iter()
        .map(|place| wanted[*place].context.object_id.as_str())
        .collect();
    let rows = session
        .query(PURPOSES, &[&tenant, &types, &objects])
        .await?;
    rows.iter()
        .map(|row| {
            let count: i64 = get(row, 1)?;
            Ok((
                places[list_rows::place(row)?],
                usize::try_from(count).unwrap_or(usize::MAX),
            ))
        })
        .collect()
}
