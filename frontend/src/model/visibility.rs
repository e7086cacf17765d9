//! The rows that a viewer hides: completed items, and those of collapsed sections.

use checklist_shared::ItemId;
use checklist_shared::item::{Item, Kind, Status};
use serde::{Deserialize, Serialize};

use super::arrange::{Groups, RETIRED};
use super::list::ListState;

/// What a viewer has chosen for a list, as the browser keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct ViewChoice {
    /// Whether items that are done are hidden; `None`: as the host says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hide_done: Option<bool>,
    /// The sections that are collapsed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub collapsed: Vec<ItemId>,
}

/// The hidden rows.
#[derive(Clone, Debug, Default)]
pub struct Visibility {
    pub(super) choice: ViewChoice,
    /// Whether the viewer has made a choice on this page: a stored one is ignored then.
    pub(super) is_chosen: bool,
    /// The items that were done when hiding began, sorted.
    pub(super) hidden: Vec<ItemId>,
    /// While something is searched for: the sections that the viewer has collapsed since then. All
    /// others are searched.
    pub(super) searching: Option<Vec<ItemId>>,
    /// Paper shows every row, and the screen the same ones as before when it is printed.
    pub(super) is_printing: bool,
}

/// The hidden rows, for views.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisibilityView {
    /// Whether items that are done are hidden.
    pub hides_done: bool,
    /// How many items are hidden because they are done.
    pub hidden: u32,
    /// The number of completed items that are visible.
    pub done: u32,
    /// The sections that are collapsed.
    pub collapsed: Vec<ItemId>,
}

impl Visibility {
    /// Removes the rows of the groups that are not shown; returns those, by their groups.
    pub(super) fn fold(&self, list: &ListState, groups: &mut Groups) -> Groups {
        let mut folded = Groups::new();
        if self.is_printing {
            return folded;
        }
        for (key, rows) in groups {
            let is_collapsed = key
                .0
                .is_some_and(|id| self.collapsed_sections().contains(&id));
            let is_folded = |id: &ItemId| is_collapsed || self.hides(list, *id);
            if *key == RETIRED || !rows.iter().any(is_folded) {
                continue;
            }
            let (away, here) = rows.iter().partition(|id| is_folded(id));
            *rows = here;
            folded.push((*key, away));
        }
        folded
    }

    /// The sections that are collapsed.
    pub(super) fn collapsed_sections(&self) -> &[ItemId] {
        if self.is_printing {
            return &[];
        }
        self.searching.as_ref().unwrap_or(&self.choice.collapsed)
    }

    /// Whether an item is hidden because it is done.
    pub(super) fn hides(&self, list: &ListState, id: ItemId) -> bool {
        self.hidden.binary_search(&id).is_ok() && list.live(id).is_some_and(is_done)
    }
}

/// Whether an item can be hidden as done.
pub(super) fn is_done(item: &Item) -> bool {
    item.kind == Kind::Item && item.status != Status::Open && item.retired_at.is_none()
}
