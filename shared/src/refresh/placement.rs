//! The positions of rows after a merge.
//!
//! Rows follow the template's order unless a person has reordered the list; then only new rows
//! are placed, after their predecessor. Rows that people added stay after their neighbour.
//! As few rows as possible get a new key, so that a refresh does not disturb people at work.

use std::collections::HashMap;
use std::sync::Arc;

use super::merge::{Merge, bump};
use super::report::{change, wording};
use crate::checklist::Checklist;
use crate::event::{Event, What};
use crate::id::ItemId;
use crate::item::Kind;
use crate::wire::write::RefreshCase;
use crate::{order, sort_key};

/// Gives every row its section and its place.
pub(super) fn arrange(list: &mut Checklist, merge: &mut Merge<'_>) {
    // The order people see now, before sections change: what "the same neighbour" means.
    let seen: HashMap<ItemId, usize> = order::with_deleted(list)
        .iter()
        .enumerate()
        .map(|(at, item)| (item.id, at))
        .collect();
    reparent(list, merge);
    let mut parents: Vec<Option<ItemId>> = vec![None];
    parents.extend(
        list.items
            .iter()
            .filter(|item| item.kind == Kind::Section)
            .map(|item| Some(item.id)),
    );
    for parent in parents {
        arrange_siblings(list, merge, parent, &seen);
    }
}

fn reparent(list: &mut Checklist, merge: &mut Merge<'_>) {
    let follow = !list.reordered;
    for index in 0..list.items.len() {
        let item = &list.items[index];
        let unplaced = merge.unplaced.contains(&item.id);
        let ours = item
            .template_key
            .as_deref()
            .is_some_and(|key| merge.target.item(key).is_some());
        let is_section = |id: ItemId| list.live(id).is_some_and(|held| held.kind == Kind::Section);
        // A section that was gone for a while has let its rows go.
        let returned = merge.returned.contains(&item.id) && item.parent_id.is_none();
        let wanted = if (unplaced || follow || returned) && ours && item.is_live() {
            merge.parent_of(list, item).filter(|id| is_section(*id))
        } else if item.is_live() {
            // A section that is gone lets its rows go; they stay in the list.
            item.parent_id.filter(|id| is_section(*id))
        } else {
            item.parent_id
        };
        if wanted != item.parent_id {
            let (revision, session) = (merge.revision, merge.session);
            let item = Arc::make_mut(&mut list.items[index]);
            item.parent_id = wanted;
            if !unplaced {
                let version = bump(item, revision, session);
                item.changed_in.place = version;
                report_move(list, merge, index);
            }
        }
    }
}

/// The rows of one section in the order they shall have, and keys for those that must move.
fn arrange_siblings(
    list: &mut Checklist,
    merge: &mut Merge<'_>,
    parent: Option<ItemId>,
    seen: &HashMap<ItemId, usize>,
) {
    let mut current: Vec<usize> = (0..list.items.len())
        .filter(|index| list.items[*index].parent_id == parent)
        .collect();
    let place = |index: &usize| {
        seen.get(&list.items[*index].id)
            .copied()
            .unwrap_or(usize::MAX)
    };
    current.sort_by_key(place);
    let wanted = sequence(list, merge, &current);
    let stands: Vec<Option<(&str, ItemId)>> = wanted
        .iter()
        .map(|index| {
            let item = &list.items[*index];
            (!item.sort_key.is_empty()).then_some((item.sort_key.as_str(), item.id))
        })
        .collect();
    let stay = longest_ascending(&stands);
    let keys: Vec<Option<&str>> = stands
        .iter()
        .zip(&stay)
        .map(|(stand, stays)| stand.filter(|_| *stays).map(|(key, _)| key))
        .collect();
    for (position, key) in sort_key::assign(&keys) {
        let index = wanted[position];
        let unplaced = merge.unplaced.contains(&list.items[index].id);
        let item = Arc::make_mut(&mut list.items[index]);
        item.sort_key = key;
        // One that only makes room stands where it stood.
        if !unplaced && !stay[position] {
            // A deleted row counts too: an undo has to put it back where the others go back to.
            let version = bump(item, merge.revision, merge.session);
            item.changed_in.place = version;
            if item.is_live() {
                report_move(list, merge, index);
            }
        }
    }
}

fn sequence(list: &Checklist, merge: &Merge<'_>, current: &[usize]) -> Vec<usize> {
    let rank: HashMap<&str, usize> = merge
        .target
        .items
        .iter()
        .enumerate()
        .map(|(at, item)| (item.key.as_str(), at))
        .collect();
    let rank_of = |index: usize| {
        let item = &list.items[index];
        item.template_key
            .as_deref()
            .and_then(|key| rank.get(key))
            .copied()
            .filter(|_| item.is_live())
    };
    let is_new = |index: usize| merge.unplaced.contains(&list.items[index].id);

    // Rows that the template ranks and that follow its order; all others hang on a neighbour.
    let mut leaders: Vec<usize> = current
        .iter()
        .copied()
        .filter(|index| rank_of(*index).is_some())
        .collect();
    if list.reordered {
        leaders.retain(|index| !is_new(*index));
        let mut newcomers: Vec<usize> = current
            .iter()
            .copied()
            .filter(|index| is_new(*index))
            .collect();
        newcomers.sort_by_key(|index| rank_of(*index));
        for newcomer in newcomers {
            let rank = rank_of(newcomer);
            // The predecessor is the nearest row before it in the template.
            let after = leaders
                .iter()
                .enumerate()
                .filter(|(_, index)| rank_of(**index) < rank)
                .max_by_key(|(_, index)| rank_of(**index))
                .map(|(at, _)| at + 1);
            leaders.insert(after.unwrap_or(0), newcomer);
        }
    } else {
        leaders.sort_by_key(|index| rank_of(*index));
    }

    let mut followers: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut leader = None;
    for index in current.iter().copied().filter(|index| !is_new(*index)) {
        if rank_of(index).is_some() {
            leader = Some(index);
        } else {
            followers.entry(leader).or_default().push(index);
        }
    }
    let mut rows = followers.remove(&None).unwrap_or_default();
    for leader in leaders {
        rows.push(leader);
        rows.append(&mut followers.remove(&Some(leader)).unwrap_or_default());
    }
    rows
}

/// Which entries form a longest ascending run of keys; rows without a key never do.
fn longest_ascending(keys: &[Option<(&str, ItemId)>]) -> Vec<bool> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; keys.len()];
    for (at, key) in keys.iter().enumerate() {
        let Some(key) = key else { continue };
        let length = ends.partition_point(|end| keys[*end].is_some_and(|held| held < *key));
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut stay = vec![false; keys.len()];
    let mut next = ends.last().copied();
    while let Some(at) = next {
        stay[at] = true;
        next = before[at];
    }
    stay
}

/// Reports a move, unless the row has been reported for something that says more.
fn report_move(list: &Checklist, merge: &mut Merge<'_>, index: usize) {
    let item = &list.items[index];
    let Some(key) = &item.template_key else {
        return;
    };
    if merge
        .done
        .changes
        .iter()
        .any(|change| change.id == Some(item.id))
    {
        return;
    }
    let text = wording(item, merge.session);
    merge.done.changes.push(change(
        RefreshCase::Moved,
        key,
        item.id,
        Some(text.clone()),
        Some(text),
    ));
    merge
        .done
        .events
        .push(Event::about(What::Moved, item, merge.session.languages));
}
