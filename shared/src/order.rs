//! The order of items: where a row stands, and how it gets there.
//!
//! Clients say "after this one" or "before that one"; positions are fractional keys, so a move
//! writes one row. Called by `change`, `projection`, `refresh` and everything that draws.

use std::sync::Arc;

use fractional_index::FractionalIndex;

use crate::checklist::Checklist;
use crate::id::ItemId;
use crate::item::{Item, Kind};

/// Keys grow with every insertion at the same spot; past this many characters the siblings get
/// fresh ones.
pub const REBALANCE_AT: usize = 48;

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

fn sorted(list: &Checklist, wanted: fn(&Item) -> bool) -> Vec<&Item> {
    let all = || list.items.iter().map(|item| &**item);
    let there = || all().filter(|item| wanted(item));
    // A list has few sections and may have thousands of rows.
    let sections: Vec<&Item> = there().filter(|item| item.kind == Kind::Section).collect();
    let mut rows: Vec<(Stand<'_>, Option<Stand<'_>>, &Item)> = there()
        .map(|item| {
            let holds = |section: &&&Item| Some(section.id) == item.parent_id;
            let stand = (item.sort_key.as_str(), item.id);
            match sections.iter().find(holds) {
                Some(section) => {
                    let over = (section.sort_key.as_str(), section.id);
                    (over, Some(stand), item)
                }
                // A row whose section is gone is shown at the top level instead of not at all.
                None => (stand, None, item),
            }
        })
        .collect();
    rows.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    rows.into_iter().map(|(.., item)| item).collect()
}

/// Where an item stands among its siblings.
type Stand<'a> = (&'a str, ItemId);

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
    let siblings = || {
        list.items
            .iter()
            .filter(move |item| item.parent_id == parent && Some(item.id) != moving)
            .map(|item| (item.sort_key.as_str(), item.id))
    };
    let of = |id: ItemId| siblings().find(|(_, other)| *other == id);
    let neighbour = match place {
        Place::After(id) | Place::Before(id) => Some(of(id)?),
        Place::First | Place::Last => None,
    };
    let upwards = matches!(place, Place::First | Place::After(_));
    // Looked for in one pass: a long list is not sorted for every item that is added to it.
    let mut next: Option<Stand<'_>> = None;
    for other in siblings() {
        let beyond = |mark: Option<Stand<'_>>| mark.is_none_or(|mark| (other > mark) == upwards);
        let nearer = next.is_none_or(|next| (other < next) == upwards);
        if Some(other) != neighbour && beyond(neighbour) && nearer {
            next = Some(other);
        }
    }
    let (before, after) = if upwards {
        (neighbour, next)
    } else {
        (next, neighbour)
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
    let mut siblings: Vec<(&str, ItemId, usize)> = list
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.parent_id == parent)
        .map(|(at, item)| (item.sort_key.as_str(), item.id, at))
        .collect();
    siblings.sort_unstable();
    let too_long = siblings.iter().any(|(key, ..)| key.len() > REBALANCE_AT);
    let equal = siblings.windows(2).any(|pair| pair[0].0 == pair[1].0);
    if !too_long && !equal {
        return Vec::new();
    }
    let places: Vec<(ItemId, usize)> = siblings.iter().map(|(_, id, at)| (*id, *at)).collect();
    for ((_, at), key) in places.iter().zip(fresh_keys(places.len())) {
        if let Some(item) = list.items.get_mut(*at) {
            Arc::make_mut(item).sort_key = key;
        }
    }
    places.into_iter().map(|(id, _)| id).collect()
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
