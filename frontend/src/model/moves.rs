//! Computes the target when a person moves an item by one step or to a position.
//!
//! A step follows the screen: from the top of a section to the end of the previous
//! section, next to a section into it. Sections themselves move among the
//! top-level rows. The menu also uses it, to offer only possible steps.

use checklist_shared::item::{Item, Kind};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::UpdateItem;
use checklist_shared::{Checklist, ItemId};

use super::list::ListState;

/// The items that share a section (or the top level) with `item`, itself included, in order.
#[must_use]
pub fn siblings(state: &ListState, parent: Option<ItemId>) -> Vec<ItemId> {
    rows(state)
        .filter(|row| row.parent_id == parent)
        .map(|row| row.id)
        .collect()
}

/// The change of place of one step up or down; `None` where the list ends.
#[must_use]
pub fn step(state: &ListState, item: &Item, up: bool) -> Option<UpdateItem> {
    step_over(state, item, up, &|_| false)
}

/// The same over rows that are not shown.
#[must_use]
pub fn step_over(
    state: &ListState,
    item: &Item,
    up: bool,
    is_hidden: &dyn Fn(ItemId) -> bool,
) -> Option<UpdateItem> {
    let mut among = siblings(state, item.parent_id);
    among.retain(|id| !is_hidden(*id));
    let at = among.iter().position(|id| *id == item.id)?;
    let next = if up { at.checked_sub(1) } else { Some(at + 1) }
        .and_then(|at| among.get(at))
        .copied();
    let mut update = based_on(item);
    match (next, item.parent_id) {
        (Some(next), _) if enters(&state.list, next, item) => into_section(&mut update, next, up),
        (Some(next), _) => place_beside(&mut update, next, up),
        (None, Some(section)) => {
            let sections = siblings(state, None);
            let at = sections.iter().position(|id| *id == section)?;
            let beyond = if up { at.checked_sub(1) } else { Some(at + 1) }
                .and_then(|at| sections.get(at))
                .copied();
            match beyond.filter(|beyond| enters(&state.list, *beyond, item)) {
                Some(beyond) => into_section(&mut update, beyond, up),
                None => {
                    update.parent_id = Patch::Clear;
                    place_beside(&mut update, section, up);
                }
            }
        }
        (None, None) => return None,
    }
    Some(update)
}

/// The change of place to a position (from 1) among the siblings; `None` when it is alone.
#[must_use]
pub fn to_position(state: &ListState, item: &Item, position: usize) -> Option<UpdateItem> {
    let mut others = siblings(state, item.parent_id);
    others.retain(|id| *id != item.id);
    let mut update = based_on(item);
    let position = position.clamp(1, others.len() + 1);
    match position
        .checked_sub(2)
        .and_then(|before| others.get(before))
    {
        Some(before) => update.after_id = Patch::Set(*before),
        None => update.before_id = Patch::Set(*others.first()?),
    }
    Some(update)
}

/// Where the focus goes when this row is removed: to its next sibling, else to the previous one,
/// else to the nearest row.
#[must_use]
pub fn neighbor(state: &ListState, id: ItemId) -> Option<ItemId> {
    let beside = siblings(state, state.live(id)?.parent_id);
    let at = beside.iter().position(|other| *other == id);
    let next = at.and_then(|at| {
        let before = || at.checked_sub(1).and_then(|at| beside.get(at));
        beside.get(at + 1).or_else(before)
    });
    if let Some(next) = next {
        return Some(*next);
    }
    let goes = |other: &ItemId| {
        let inside = |item: &Item| item.parent_id == Some(id);
        *other == id || state.live(*other).is_some_and(inside)
    };
    let order = state.order();
    let at = order.iter().position(|other| *other == id)?;
    let (before, after) = order.split_at(at);
    let next = after.iter().find(|other| !goes(other));
    next.or_else(|| before.last()).copied()
}

fn rows(state: &ListState) -> impl Iterator<Item = &Item> {
    state
        .order()
        .iter()
        .filter_map(|id| state.live(*id))
        .filter(|item| item.retired_at.is_none())
}

fn based_on(item: &Item) -> UpdateItem {
    let mut update = UpdateItem::of(item.id);
    update.base_version = Some(item.version);
    update
}

/// Whether a step onto that row means a step into it.
fn enters(list: &Checklist, row: ItemId, item: &Item) -> bool {
    item.kind != Kind::Section && list.live(row).is_some_and(|row| row.kind == Kind::Section)
}

fn into_section(update: &mut UpdateItem, section: ItemId, up: bool) {
    update.parent_id = Patch::Set(section);
    // From below to its end, from above to its beginning.
    if up {
        update.before_id = Patch::Clear;
    } else {
        update.after_id = Patch::Clear;
    }
}

fn place_beside(update: &mut UpdateItem, row: ItemId, up: bool) {
    if up {
        update.before_id = Patch::Set(row);
    } else {
        update.after_id = Patch::Set(row);
    }
}
