//! The order of items: where a row stands, and how it gets there.
//!
//! Clients say "after this one" or "before that one"; positions are fractional keys, so a move
//! writes one row. Called by `change`, `projection`, `refresh` and everything that draws.

use std::collections::{HashMap, HashSet};

use fractional_index::FractionalIndex;

use crate::checklist::Checklist;
use crate::id::ItemId;
use crate::item::Item;

/// Keys grow with every insertion at the same spot; past this many characters the siblings get
/// fresh ones.
const REBALANCE_AT: usize = 48;

/// Where an item is to stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// After everything else of its section.
    #[default]
    Last,
    /// Before everything else of its section.
    First,
    /// Right after that item.
    After(ItemId),
    /// Right before that item.
    Before(ItemId),
}

/// The items that are not deleted, in display order: every root, and after a section its items.
#[must_use]
pub fn display(list: &Checklist) -> Vec<&Item> {
    sorted(list, Item::is_live)
}

/// All items, the deleted ones too, each where it stands or stood.
#[must_use]
pub fn with_deleted(list: &Checklist) -> Vec<&Item> {
    sorted(list, |_| true)
}

fn sorted(list: &Checklist, wanted: impl Fn(&Item) -> bool) -> Vec<&Item> {
    let mut roots: Vec<&Item> = Vec::new();
    let mut children: HashMap<ItemId, (bool, Vec<&Item>)> = list
        .items
        .iter()
        .filter_map(|item| item.parent_id)
        .map(|section| (section, (false, Vec::new())))
        .collect();
    for item in list.items.iter().filter(|item| wanted(item)) {
        if let Some((there, _)) = children.get_mut(&item.id) {
            *there = true;
        }
    }
    for item in list.items.iter().filter(|item| wanted(item)) {
        // A row whose section is gone is shown at the top level instead of not at all.
        match item
            .parent_id
            .and_then(|section| children.get_mut(&section))
        {
            Some((true, held)) => held.push(item),
            _ => roots.push(item),
        }
    }
    roots.sort_by(|a, b| (&a.sort_key, a.id).cmp(&(&b.sort_key, b.id)));
    let mut rows = Vec::with_capacity(list.items.len());
    for root in roots {
        rows.push(root);
        if let Some((_, mut held)) = children.remove(&root.id) {
            held.sort_by(|a, b| (&a.sort_key, a.id).cmp(&(&b.sort_key, b.id)));
            rows.append(&mut held);
        }
    }
    rows
}

/// The key for `place` among the items of `parent`, `moving` itself not counted.
///
/// The neighbour may be deleted: its place is still known. Returns `None` when the neighbour is
/// not in the list or stands in another section.
#[must_use]
pub fn key_for(
    list: &Checklist,
    parent: Option<ItemId>,
    place: Place,
    moving: Option<ItemId>,
) -> Option<String> {
    // Looked for in one pass: a long list is not sorted for every item that is added to it.
    let siblings = || {
        list.items
            .iter()
            .filter(move |item| item.parent_id == parent && Some(item.id) != moving)
            .map(|item| (item.sort_key.as_str(), item.id))
    };
    let of = |id: ItemId| siblings().find(|(_, other)| *other == id);
    let (before, after) = match place {
        Place::Last => (siblings().max(), None),
        Place::First => (None, siblings().min()),
        Place::After(id) => {
            let neighbour = of(id)?;
            (
                Some(neighbour),
                siblings().filter(|other| *other > neighbour).min(),
            )
        }
        Place::Before(id) => {
            let neighbour = of(id)?;
            (
                siblings().filter(|other| *other < neighbour).max(),
                Some(neighbour),
            )
        }
    };
    let key = |neighbour: Option<(&str, ItemId)>| neighbour.map(|(key, _)| parse(key));
    Some(between(key(before).as_ref(), key(after).as_ref()).to_string())
}

/// `count` keys in ascending order, for a fresh list.
#[must_use]
pub fn fresh_keys(count: usize) -> Vec<String> {
    let mut keys = Vec::with_capacity(count);
    let mut last: Option<FractionalIndex> = None;
    for _ in 0..count {
        let next = between(last.as_ref(), None);
        keys.push(next.to_string());
        last = Some(next);
    }
    keys
}

/// Gives every sibling of `parent` a fresh key when one has grown too long or two are equal.
/// Returns the ids whose key changed; nobody sees a difference, so versions stay.
pub fn rebalance(list: &mut Checklist, parent: Option<ItemId>) -> Vec<ItemId> {
    let mut siblings: Vec<(&str, ItemId)> = list
        .items
        .iter()
        .filter(|item| item.parent_id == parent)
        .map(|item| (item.sort_key.as_str(), item.id))
        .collect();
    let too_long = siblings.iter().any(|(key, _)| key.len() > REBALANCE_AT);
    let mut seen = HashSet::with_capacity(siblings.len());
    let equal = siblings.iter().any(|(key, _)| !seen.insert(*key));
    if !too_long && !equal {
        return Vec::new();
    }
    siblings.sort_unstable();
    let siblings: Vec<ItemId> = siblings.into_iter().map(|(_, id)| id).collect();
    let keys: HashMap<ItemId, String> = siblings
        .iter()
        .copied()
        .zip(fresh_keys(siblings.len()))
        .collect();
    for item in &mut list.items {
        if let Some(key) = keys.get(&item.id) {
            item.sort_key.clone_from(key);
        }
    }
    siblings
}

/// A key between two neighbours, either of which may be missing.
#[must_use]
pub fn key_between(before: Option<&str>, after: Option<&str>) -> String {
    between(before.map(parse).as_ref(), after.map(parse).as_ref()).to_string()
}

fn parse(key: &str) -> FractionalIndex {
    // A key that is not ours sorts where the default stands; the next rebalance mends it.
    FractionalIndex::from_string(key).unwrap_or_default()
}

fn between(before: Option<&FractionalIndex>, after: Option<&FractionalIndex>) -> FractionalIndex {
    match (before, after) {
        (None, None) => FractionalIndex::default(),
        (Some(before), None) => FractionalIndex::new_after(before),
        (None, Some(after)) => FractionalIndex::new_before(after),
        // Equal keys leave no room between; the caller rebalances when it sees two equal ones.
        (Some(before), Some(after)) => {
            FractionalIndex::new_between(before, after).unwrap_or_else(|| before.clone())
        }
    }
}
