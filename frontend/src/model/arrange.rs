//! Derives the structure of the screen from a list: the groups with their rows.
//!
//! Visibility and rendering are decided elsewhere.

use checklist_shared::item::Kind;
use checklist_shared::{ItemId, progress};

use super::list::ListState;

/// A group: a section by its item, rows outside of sections by a number.
pub type GroupKey = (Option<ItemId>, u32);

/// The groups of a list in order, each with its rows.
pub type Groups = Vec<(GroupKey, Vec<ItemId>)>;

/// The group of what the template no longer has.
pub const RETIRED: GroupKey = (None, u32::MAX);

/// The groups of a list and their rows.
#[must_use]
pub fn arrange(state: &ListState) -> Groups {
    let mut groups = Groups::new();
    let mut retired = Vec::new();
    let mut loose = 0;
    let mut section = None;
    for id in state.order() {
        let Some(item) = state.live(*id) else {
            continue;
        };
        if item.kind == Kind::Section {
            section = Some(item.id);
            groups.push(((section, 0), Vec::new()));
            continue;
        }
        if item.retired_at.is_some() {
            retired.push(item.id);
            continue;
        }
        let inside = item.parent_id.is_some() && item.parent_id == section;
        match groups.last_mut() {
            Some(((Some(_), _), rows)) if inside => rows.push(item.id),
            Some(((None, _), rows)) => rows.push(item.id),
            _ => {
                groups.push(((None, loose), vec![item.id]));
                loose += 1;
            }
        }
    }
    // A section that the template no longer has goes when nothing is left in it.
    groups.retain(|((section, _), rows)| {
        let there = section.and_then(|id| state.live(id));
        !rows.is_empty() || there.is_some_and(|item| item.retired_at.is_none())
    });
    if !retired.is_empty() {
        groups.push((RETIRED, retired));
    }
    groups
}

/// Done, and all that count, among the rows of a section.
#[must_use]
pub fn tally(state: &ListState, rows: &[ItemId]) -> (u32, u32) {
    let items = rows.iter().filter_map(|id| state.live(*id));
    let counts = progress::count(items);
    (counts.done, counts.applicable())
}
