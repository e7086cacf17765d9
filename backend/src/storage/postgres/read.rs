//! Reading lists: one small statement says whether memory is still right, the rest is read only
//! where it is not.
//!
//! Called by the store for `read_lists`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::ONE_MOMENT;
use super::catalogue::{self, Catalogue, EPOCH};
use super::columns::get;
use super::facts::{self, Templates};
use super::list_rows::{self, FIND, ITEMS, Keys, PURPOSES, Stored};
use super::memory::Memory;
use super::session::Session;
use super::trouble::Trouble;
use crate::storage::list_key::ListKey;
use crate::storage::store::{ListFacts, Purpose, Wanted};

/// Lists by their place among those that were asked for.
type Lists = HashMap<usize, Arc<Stored>>;

/// The facts about lists of a tenant, in the order asked for, each from one moment.
pub(super) async fn lists(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
    wanted: &[Wanted],
) -> Result<Vec<ListFacts>, Trouble> {
    let keys: Vec<ListKey> = wanted
        .iter()
        .map(|wanted| ListKey::of(tenant, &wanted.context))
        .collect();
    let (found, epoch) = headers(session, tenant, &keys).await?;
    let (found, changed) = from_memory(memory, &keys, &found)?;
    let known = memory
        .catalogue(tenant)
        .filter(|known| known.epoch == epoch);
    let (stored, catalogue) = match (changed.is_empty(), known) {
        (true, Some(catalogue)) => (found, catalogue),
        (true, None) => (found, catalogue::load(session, memory, tenant).await?),
        (false, _) => load(session, memory, tenant, &keys, found, &changed).await?,
    };
    let purposes = count_purposes(session, tenant, wanted, &stored).await?;

    let mut in_vain = HashSet::new();
    loop {
        let mut templates = Templates::new(tenant, memory, &catalogue, &in_vain);
        let facts: Vec<ListFacts> = wanted
            .iter()
            .enumerate()
            .map(|(place, wanted)| {
                let stored = stored.get(&place).map(|stored| &**stored);
                let mut facts = facts::gather(wanted, stored, &mut templates);
                facts.purposes = purposes.get(&place).copied().unwrap_or(0);
                facts
            })
            .collect();
        let missing = templates.missing;
        if missing.is_empty() {
            return Ok(facts);
        }
        catalogue::load_templates(session, memory, tenant, &missing).await?;
        in_vain.extend(missing);
    }
}

async fn headers(
    session: &mut Session,
    tenant: &str,
    keys: &[ListKey],
) -> Result<(Vec<Row>, i64), Trouble> {
    let (find, epoch) = (
        session.statement(FIND).await?,
        session.statement(EPOCH).await?,
    );
    let arrays: Keys<'_> = keys.iter().collect();
    let which: [&(dyn ToSql + Sync); 4] =
        [&tenant, &arrays.types, &arrays.objects, &arrays.purposes];
    let of_tenant: [&(dyn ToSql + Sync); 1] = [&tenant];
    let client = session.client();
    let (epoch, found) = tokio::join!(
        client.query(&epoch, &of_tenant),
        client.query(&find, &which),
    );
    Ok((found?, catalogue::epoch(&epoch?)?))
}

/// By their places: the lists that memory still has right, and the numbers of those that have
/// to be read.
fn from_memory(
    memory: &Memory,
    keys: &[ListKey],
    found: &[Row],
) -> Result<(Lists, Vec<usize>), Trouble> {
    let (mut known, mut changed) = (HashMap::new(), Vec::new());
    for header in found {
        let place = list_rows::place(header)?;
        match memory.list(&keys[place]) {
            Some(stored) if list_rows::is_still(header, &stored)? => {
                known.insert(place, stored);
            }
            _ => changed.push(place),
        }
    }
    Ok((known, changed))
}

/// Reads the changed lists and the catalogue as of one moment.
async fn load(
    session: &mut Session,
    memory: &Memory,
    tenant: &str,
    keys: &[ListKey],
    mut known: Lists,
    changed: &[usize],
) -> Result<(Lists, Arc<Catalogue>), Trouble> {
    session.begin(ONE_MOMENT).await?;
    let asked: Vec<ListKey> = changed.iter().map(|place| keys[*place].clone()).collect();
    let (found, _) = headers(session, tenant, &asked).await?;
    let numbers: Vec<i64> = found
        .iter()
        .map(list_rows::number)
        .collect::<Result<_, _>>()?;
    let items = list_rows::items(&session.query(ITEMS, &[&tenant, &numbers]).await?)?;
    let catalogue = catalogue::present(session, memory, tenant).await?;
    session.commit().await?;
    for header in &found {
        let place = list_rows::place(header)?;
        let of_list = items
            .get(&list_rows::number(header)?)
            .cloned()
            .unwrap_or_default();
        let stored = Arc::new(list_rows::stored(&asked[place], header, of_list)?);
        memory.keep_list(asked[place].clone(), Arc::clone(&stored));
        known.insert(changed[place], stored);
    }
    Ok((known, catalogue))
}

/// How many lists the objects have whose list was never written, where somebody wants to write.
async fn count_purposes(
    session: &mut Session,
    tenant: &str,
    wanted: &[Wanted],
    stored: &Lists,
) -> Result<HashMap<usize, usize>, Trouble> {
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
