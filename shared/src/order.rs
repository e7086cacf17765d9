//! The order of items: the position of a row, and how it moves.
//!
//! Clients say "after this one" or "before that one". Positions are fractional keys, so a move
//! writes one row.

use std::sync::Arc;

use crate::checklist::Checklist;
use crate::id::ItemId;
use crate::item::{Item, Kind};
use crate::sort_key;

/// The target position of an item.
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
    sort_items(list, Item::is_live)
}

/// All items, including deleted ones, each at its present or former position.
#[must_use]
pub fn with_deleted(list: &Checklist) -> Vec<&Item> {
    sort_items(list, |_| true)
}

fn sort_items(list: &Checklist, wanted: fn(&Item) -> bool) -> Vec<&Item> {
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

/// The position of an item among its siblings.
type Stand<'a> = (&'a str, ItemId);

/// The siblings on both sides of a position.
type Gap<'a> = (Option<Stand<'a>>, Option<Stand<'a>>);

/// The siblings on both sides of `place` among the items of `parent`, `moving` itself not counted.
///
/// The neighbour may be deleted: its position is still known. Returns `None` if the neighbour is
/// not in the list or in another section.
fn gap(
    list: &Checklist,
    parent: Option<ItemId>,
    place: Place,
    moving: Option<ItemId>,
) -> Option<Gap<'_>> {
    let siblings = || {
        list.items
            .iter()
            .filter(move |item| item.parent_id == parent && Some(item.id) != moving)
            .map(|item| stand(item))
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
    Some(if upwards {
        (neighbour, next)
    } else {
        (next, neighbour)
    })
}

fn stand(item: &Item) -> Stand<'_> {
    (item.sort_key.as_str(), item.id)
}

/// Whether an item is already at that position: no visible sibling is in between. `None`
/// if the neighbour is missing.
#[must_use]
pub fn stands_at(
    list: &Checklist,
    item: &Item,
    parent: Option<ItemId>,
    place: Place,
) -> Option<bool> {
    let (before, after) = gap(list, parent, place, Some(item.id))?;
    let own = stand(item);
    let lies_between = |other: Stand<'_>| {
        before.is_some_and(|before| own < other && other <= before)
            || after.is_some_and(|after| after <= other && other < own)
    };
    let mut siblings = list.items.iter().filter(|other| {
        other.id != item.id && other.parent_id == item.parent_id && other.is_live()
    });
    Some(parent == item.parent_id && !siblings.any(|other| lies_between(stand(other))))
}

/// Moves an item whose section is gone, or is none, to the end of the top level, and returns it.
/// `None`, and nothing changes, for every other item. The versions are the caller's.
pub fn out_of_missing_section(list: &mut Checklist, id: ItemId) -> Option<&mut Item> {
    let section = list.any(id)?.parent_id?;
    if list
        .live(section)
        .is_some_and(|section| section.kind == Kind::Section)
    {
        return None;
    }
    let key = make_room(list, None, Place::Last, Some(id))?;
    let item = list.any_mut(id)?;
    item.parent_id = None;
    item.sort_key = key;
    Some(item)
}

/// The key for `place` among the items of `parent`, `moving` itself not counted.
///
/// If there is no space left, the siblings around the position get new keys. Nobody sees a
/// difference, so their versions stay. Returns `None`, and changes nothing, if the neighbour is
/// not in the list or in another section.
pub fn make_room(
    list: &mut Checklist,
    parent: Option<ItemId>,
    place: Place,
    moving: Option<ItemId>,
) -> Option<String> {
    let (before, after) = gap(list, parent, place, moving)?;
    let key = |stand: Option<Stand<'_>>| stand.map(|(key, _)| key.to_owned());
    let (low, high) = (key(before), key(after));
    let made = sort_key::between(low.as_deref(), high.as_deref());
    if let Some(key) = made.filter(|key| key.len() <= sort_key::LONGEST) {
        return Some(key);
    }
    let mut siblings: Vec<(Stand<'_>, usize)> = list
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.parent_id == parent && Some(item.id) != moving)
        .map(|(at, item)| (stand(item), at))
        .collect();
    siblings.sort_unstable();
    let place = before.map_or(0, |before| {
        siblings.partition_point(|(sibling, _)| *sibling <= before)
    });
    let mut keys: Vec<Option<&str>> = siblings.iter().map(|((key, _), _)| Some(*key)).collect();
    keys.insert(place, None);
    let fresh = sort_key::assign(&keys);
    let items: Vec<usize> = siblings.into_iter().map(|(_, at)| at).collect();
    let mut made = None;
    for (index, key) in fresh {
        if index == place {
            made = Some(key);
            continue;
        }
        let at = items[index - usize::from(index > place)];
        Arc::make_mut(&mut list.items[at]).sort_key = key;
    }
    made
}

/// `count` keys in ascending order, for a fresh list.
#[must_use]
pub fn fresh_keys(count: usize) -> Vec<String> {
    // Between no neighbours there is always space.
    sort_key::spread(None, None, count).unwrap_or_default()
}
