//! Where a dropped item goes: between the rows that are visible.
//!
//! The same operation as a move by keyboard, with one undo. Hidden rows are ignored: an item goes
//! directly next to the visible row at which it was dropped, and does not move if it is already
//! there.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Kind};
use checklist_shared::patch::Patch;
use checklist_shared::wire::write::UpdateItem;

use super::arrange::{GroupKey, Groups, RETIRED};
use super::list::ListState;
use super::operation::based_on;

/// A drop target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropPosition {
    /// Right before that row, in its section.
    Before(ItemId),
    /// Right after that row, in its section.
    After(ItemId),
    /// At the beginning of a section.
    First(ItemId),
    /// At the end of a section.
    Last(ItemId),
}

/// A part of the screen that something is dropped at: its upper or its lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DropTarget {
    /// The row, or the section whose heading it is.
    pub id: ItemId,
    /// Whether it is the upper one.
    pub is_upper: bool,
}

/// What a half of a row or of a heading means for an item that is dropped there.
#[must_use]
pub fn spot_at(state: &ListState, groups: &Groups, half: DropTarget) -> Option<DropPosition> {
    let DropTarget { id, is_upper } = half;
    let is_retired = |item: &Item| item.retired_at.is_some();
    let there = state.live(id).filter(|item| !is_retired(item))?;
    if there.kind != Kind::Section {
        let spot = if is_upper {
            DropPosition::Before
        } else {
            DropPosition::After
        };
        return Some(spot(id));
    }
    if !is_upper {
        return Some(DropPosition::First(id));
    }
    // Above a heading: the end of what stands before it.
    let at = groups.iter().position(|(key, _)| key.0 == Some(id))?;
    let before = at.checked_sub(1).and_then(|at| groups.get(at));
    Some(match before {
        Some(group) => end_of(group)?,
        None => DropPosition::Before(id),
    })
}

/// The end of a group.
#[must_use]
pub fn end_of((key, rows): &(GroupKey, Vec<ItemId>)) -> Option<DropPosition> {
    match (rows.last(), key) {
        _ if *key == RETIRED => None,
        (Some(row), _) => Some(DropPosition::After(*row)),
        (None, (Some(section), _)) => Some(DropPosition::Last(*section)),
        (None, (None, _)) => None,
    }
}

/// The move that a drop causes; `None` if the item is already there, or must not move there.
#[must_use]
pub fn drop_at(
    state: &ListState,
    groups: &Groups,
    item: &Item,
    spot: DropPosition,
) -> Option<UpdateItem> {
    let (DropPosition::Before(id)
    | DropPosition::After(id)
    | DropPosition::First(id)
    | DropPosition::Last(id)) = spot;
    let target = state.live(id).filter(|there| there.retired_at.is_none())?;
    let is_inside = matches!(spot, DropPosition::First(_) | DropPosition::Last(_));
    let parent = if is_inside {
        Some(id)
    } else {
        target.parent_id
    };
    let is_section = |item: &Item| item.kind == Kind::Section;
    if id == item.id || is_section(item) || (is_inside && !is_section(target)) {
        return None;
    }
    if parent == item.parent_id && is_at(groups, item.id, spot) {
        return None;
    }
    let mut update = based_on(item);
    if parent != item.parent_id {
        update.parent_id = parent.map_or(Patch::Clear, Patch::Set);
    }
    match spot {
        DropPosition::Before(id) => update.before_id = Patch::Set(id),
        DropPosition::After(id) => update.after_id = Patch::Set(id),
        DropPosition::First(_) => update.after_id = Patch::Clear,
        DropPosition::Last(_) => update.before_id = Patch::Clear,
    }
    Some(update)
}

/// Whether a row is already there, considering visible rows only.
fn is_at(groups: &Groups, id: ItemId, spot: DropPosition) -> bool {
    let mut found = groups.iter().filter(|(_, rows)| rows.contains(&id));
    let Some((_, rows)) = found.next() else {
        return false;
    };
    let at = rows.iter().position(|row| *row == id).unwrap_or_default();
    let is_row = |at: Option<usize>, id| at.and_then(|at| rows.get(at)) == Some(&id);
    match spot {
        DropPosition::Before(next) => is_row(Some(at + 1), next),
        DropPosition::After(last) => is_row(at.checked_sub(1), last),
        DropPosition::First(_) => at == 0,
        DropPosition::Last(_) => at + 1 == rows.len(),
    }
}
