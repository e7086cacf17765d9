//! Where moved items stood, and how an undo puts them back.
//!
//! Everything is said by siblings, never by sort keys: items get fresh keys now and then without
//! being moved, and the keys of two times cannot be compared.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::checklist::Checklist;
use crate::id::ItemId;
use crate::item::Item;
use crate::{order, sort_key};

/// How an operation moved an item. It names siblings instead of sort keys: an item gets a fresh key
/// now and then without being moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Move {
    /// The siblings around it before.
    pub from: Neighbours,
    /// The section in which the operation left it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<ItemId>,
    /// The siblings around it afterwards.
    pub to: Neighbours,
    /// The version of its place afterwards ([`crate::item::AspectVersions`]).
    pub version: u64,
}

/// The siblings on both sides of an item, deleted ones included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Neighbours {
    /// The one before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<ItemId>,
    /// The one after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<ItemId>,
}

impl Neighbours {
    /// The neighbours of each of these items.
    pub(super) fn of(list: &Checklist, ids: &HashSet<ItemId>) -> HashMap<ItemId, Self> {
        let mut found: HashMap<ItemId, Self> = HashMap::new();
        let mut last: HashMap<Option<ItemId>, ItemId> = HashMap::new();
        for item in order::with_deleted(list) {
            let previous = last.insert(item.parent_id, item.id);
            if let Some(previous) = previous.filter(|id| ids.contains(id)) {
                found.entry(previous).or_default().next = Some(item.id);
            }
            if ids.contains(&item.id) {
                found.entry(item.id).or_default().previous = previous;
            }
        }
        found
    }
}

impl Move {
    /// Whether the item is where the operation left it: nobody has moved it since, or whoever did
    /// has put it back between the same siblings.
    pub(super) fn is_there_still(&self, list: &Checklist, item: &Item) -> bool {
        let own = stand(item);
        let sibling = |id: ItemId| {
            let sibling = list.any(id).filter(|other| other.parent_id == self.parent);
            sibling.map(stand)
        };
        let after = |id: ItemId| sibling(id).is_some_and(|previous| previous < own);
        let before = |id: ItemId| sibling(id).is_some_and(|next| own < next);
        item.changed_in.place == self.version
            || (item.parent_id == self.parent
                && self.to.previous.is_none_or(after)
                && self.to.next.is_none_or(before))
    }
}

/// Puts items that have their old section again between their old siblings. Siblings that somebody
/// has moved meanwhile are ignored.
pub(super) fn put_between_neighbours(list: &mut Checklist, moved: &HashMap<ItemId, Neighbours>) {
    let parents: HashSet<Option<ItemId>> = moved
        .keys()
        .filter_map(|id| list.any(*id).map(|item| item.parent_id))
        .collect();
    for parent in parents {
        let (sequence, anchored) = old_order(list, parent, moved);
        for (index, key) in keys_for(list, &sequence, &anchored) {
            Arc::make_mut(&mut list.items[index]).sort_key = key;
        }
    }
}

/// Gives an item that an undo has brought back a place at the end of the top level where its old
/// section is gone by now: a move, so that the undo of the undo takes it back. What a template has
/// taken away stays where it was last.
pub(super) fn leave_a_section_that_is_gone(list: &mut Checklist, id: ItemId) {
    let moves = list.live(id).is_some_and(|item| item.retired_at.is_none());
    if moves && let Some(item) = order::out_of_missing_section(list, id) {
        item.changed_in.place = item.version;
    }
}

/// The items of a section in the order to restore, as indices, and which of them keep their keys:
/// those that were not moved, and moved ones whose siblings are gone or in another order by now.
fn old_order(
    list: &Checklist,
    parent: Option<ItemId>,
    moved: &HashMap<ItemId, Neighbours>,
) -> (Vec<usize>, HashSet<usize>) {
    let mut siblings: Vec<usize> = (0..list.items.len())
        .filter(|index| list.items[*index].parent_id == parent)
        .collect();
    siblings.sort_by_key(|index| stand(&list.items[*index]));
    let id = |index: usize| list.items[index].id;
    let positions: HashMap<ItemId, usize> = siblings
        .iter()
        .enumerate()
        .map(|(position, index)| (id(*index), position))
        .collect();
    let unmoved = |id: &ItemId| positions.contains_key(id) && !moved.contains_key(id);

    let (mut first, mut anchors) = (Vec::new(), Vec::new());
    let mut after: HashMap<ItemId, usize> = HashMap::new();
    let mut before: HashMap<ItemId, usize> = HashMap::new();
    for index in siblings {
        let Some(from) = moved.get(&id(index)) else {
            anchors.push(index);
            continue;
        };
        let in_other_order = from.previous.filter(unmoved).is_some_and(|previous| {
            let next = from.next.filter(unmoved);
            next.is_some_and(|next| positions[&next] < positions[&previous])
        });
        match (from.previous, from.next.filter(unmoved)) {
            _ if in_other_order => anchors.push(index),
            (Some(previous), _) if positions.contains_key(&previous) => {
                after.insert(previous, index);
            }
            (None, _) => first.push(index),
            (Some(_), Some(next)) => {
                before.insert(next, index);
            }
            (Some(_), None) => anchors.push(index),
        }
    }

    let mut sequence = Vec::new();
    let mut append_run = |start: usize| {
        let mut next = Some(start);
        while let Some(index) = next {
            sequence.push(index);
            next = after.remove(&id(index));
        }
    };
    first.into_iter().for_each(&mut append_run);
    for anchor in &anchors {
        if let Some(index) = before.remove(&id(*anchor)) {
            append_run(index);
        }
        append_run(*anchor);
    }
    (sequence, anchors.into_iter().collect())
}

/// Keys for the items of a sequence that need another one to stand there.
fn keys_for(
    list: &Checklist,
    sequence: &[usize],
    anchored: &HashSet<usize>,
) -> Vec<(usize, String)> {
    let mut limits = vec![None; sequence.len()];
    let mut limit = None;
    for (position, index) in sequence.iter().enumerate().rev() {
        limits[position] = limit;
        if anchored.contains(index) {
            limit = Some(stand(&list.items[*index]));
        }
    }
    let mut last = None;
    let mut keys = Vec::with_capacity(sequence.len());
    for (index, limit) in sequence.iter().zip(limits) {
        let own = stand(&list.items[*index]);
        let fits = last.is_none_or(|last| last < own) && limit.is_none_or(|limit| own < limit);
        let stays = fits || anchored.contains(index);
        keys.push(stays.then_some(own.0));
        if stays {
            last = Some(own);
        }
    }
    sort_key::assign(&keys)
        .into_iter()
        .map(|(position, key)| (sequence[position], key))
        .collect()
}

fn stand(item: &Item) -> (&str, ItemId) {
    (item.sort_key.as_str(), item.id)
}
