//! Read: the whole list, to its end. On any error, nothing is decided.

use std::collections::{HashMap, HashSet};

use checklist_runtime::failpoint;
use checklist_shared::computer::ComputerField;
use checklist_shared::export::{Entry, SyncKey};
use checklist_shared::phrase::{Phrase, PhraseCode};
use checklist_shared::problem::ProblemCode;
use checklist_store::error::ServiceError;
use futures_util::TryStreamExt as _;
use serde_json::Value;
use site_lists::{ErrorKind, ItemFilter, SiteItem, Warnings};

use super::establish::PreparedList;
use super::leased_run::{LeasedRun, PassError};

/// A list as it was read.
#[derive(Default)]
pub(super) struct ReadList {
    /// The entries as the rules need them.
    pub(super) entries: Vec<Entry>,
    /// Further data of the entries that may belong to a computer of the run.
    pub(super) seen: HashMap<i64, EntrySnapshot>,
    /// The values of the map's unique columns, in a dry run: entry, index in the map, value.
    pub(super) unique_values: Vec<(i64, usize, Value)>,
    /// Whether the list claims to have more items than were read.
    pub(super) is_short: bool,
}

/// What a pass keeps of an entry.
pub(super) struct EntrySnapshot {
    pub(super) etag: Option<String>,
    pub(super) title: String,
    pub(super) web_url: Option<String>,
    /// In the order of the map.
    pub(super) values: Vec<Value>,
}

/// Reads the list. `keys` are those of the pass' computers.
pub(super) async fn read(
    held: &mut LeasedRun,
    list: &PreparedList,
    keys: &HashSet<SyncKey>,
) -> Result<ReadList, PassError> {
    held.begin("Read", PhraseCode::StepReading.english())
        .await?;
    failpoint::reach("read.begun").await;
    let mut read = once(held, list, keys).await?;
    if read.0.entries.is_empty() {
        // An empty page looks like an empty list: read it again before everything is created anew.
        read = once(held, list, keys).await?;
    }
    let (mut read, warnings) = read;
    let unread = warnings.unread_items();
    if unread > 0 && held.run.progress.unread != unread {
        // Perhaps a short page. Folders and hidden items will be just as many the next time.
        held.run.progress.unread = unread;
        return Err(ServiceError::new(
            ProblemCode::SiteFailed,
            format!("The list says that it has {unread} more entries than it gave."),
        )
        .into());
    }
    held.run.progress.unread = unread;
    read.is_short = unread > 0;
    let said = Phrase::of(PhraseCode::StepRead).with("n", read.entries.len());
    let mut detail = said.sentence();
    for warning in warnings.all() {
        detail.push(' ');
        detail.push_str(&warning);
    }
    held.end(Some(detail)).await?;
    failpoint::reach("read.done").await;
    Ok(read)
}

/// Looks up expected entries that are not in the list as it was read, by number if it is known,
/// else by key. Adds what it finds and marks the list as incomplete.
pub(super) async fn look_for(
    held: &LeasedRun,
    list: &PreparedList,
    read: &mut ReadList,
    missing: &HashMap<SyncKey, Option<i64>>,
) -> Result<(), PassError> {
    let Some(column) = &list.key_column else {
        return Ok(());
    };
    let keys: HashSet<SyncKey> = missing.keys().copied().collect();
    for (key, item_id) in missing {
        held.not_cancelled()?;
        let looked = held.asking(&list.site, async {
            match item_id {
                Some(item_id) => match list.site.item(&list.list, *item_id).await {
                    Ok((item, _)) => Ok(Some(item)),
                    Err(error) if error.kind() == ErrorKind::ItemNotFound => Ok(None),
                    Err(error) => Err(error),
                },
                None => {
                    let filter = ItemFilter::new(column.clone(), key.to_string());
                    let items = list
                        .site
                        .items(&list.list, Some(filter), &Warnings::default());
                    std::pin::pin!(items).try_next().await
                }
            }
        });
        let found = looked.await?;
        let found = found.map_err(|error| held.pass_error(&error))?;
        // A person may have removed its key since.
        let own =
            |item: &SiteItem| text(item, column).as_deref().and_then(SyncKey::read) == Some(*key);
        if let Some(item) = found.filter(own) {
            add(read, list, &keys, item)?;
            read.is_short = true;
        }
    }
    Ok(())
}

impl ReadList {
    /// The keys of its entries.
    pub(super) fn keys(&self) -> HashSet<SyncKey> {
        let keys = self.entries.iter().filter_map(|entry| entry.key.as_deref());
        keys.filter_map(SyncKey::read).collect()
    }
}

async fn once(
    held: &LeasedRun,
    list: &PreparedList,
    keys: &HashSet<SyncKey>,
) -> Result<(ReadList, Warnings), PassError> {
    let warnings = Warnings::default();
    let mut read = ReadList::default();
    let items = list.site.items(&list.list, None, &warnings);
    let mut items = std::pin::pin!(items);
    loop {
        let next = held.asking(&list.site, items.try_next()).await?;
        let item = next.map_err(|error| held.pass_error(&error))?;
        let Some(item) = item else { break };
        held.not_cancelled()?;
        add(&mut read, list, keys, item)?;
    }
    Ok((read, warnings))
}

fn add(
    read: &mut ReadList,
    list: &PreparedList,
    keys: &HashSet<SyncKey>,
    item: SiteItem,
) -> Result<(), ServiceError> {
    let of = |field: ComputerField| {
        let bound = list.bound.iter().find(|bound| bound.field == field)?;
        text(&item, &bound.column.internal_name)
    };
    let key = match &list.key_column {
        None => None,
        // A missing field does not mean an empty key.
        Some(column) if item.field(column).is_none() => {
            return Err(ServiceError::new(
                ProblemCode::SiteFailed,
                format!("The site does not show the column {column} of its entries."),
            ));
        }
        Some(column) => text(&item, column),
    };
    let entry = Entry {
        item_id: item.id(),
        serial: of(ComputerField::SerialNumber),
        name: of(ComputerField::Name),
        key,
    };
    let key = entry.key.as_deref().and_then(SyncKey::read);
    if entry.is_made_by_hand() || key.is_some_and(|key| keys.contains(&key)) {
        let values = list.bound.iter().map(|bound| {
            let field = item.field(&bound.column.internal_name);
            field.map_or(Value::Null, |field| field.value.clone())
        });
        let seen = EntrySnapshot {
            values: values.collect(),
            title: item.standard.title.clone().unwrap_or_default(),
            web_url: item.standard.web_url.clone(),
            etag: item.etag.clone(),
        };
        read.seen.insert(item.id(), seen);
    }
    if list.is_dry_run {
        for (place, bound) in list.bound.iter().enumerate() {
            if bound.column.unique
                && let Some(field) = item.field(&bound.column.internal_name)
            {
                let value = (item.id(), place, field.value.clone());
                read.unique_values.push(value);
            }
        }
    }
    read.entries.push(entry);
    Ok(())
}

fn text(item: &SiteItem, column: &str) -> Option<String> {
    let field = item.field(column)?;
    field.get_value::<Option<String>>().ok().flatten()
}
