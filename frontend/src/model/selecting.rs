//! The selection: which rows, and the changes that a person makes to it.

use checklist_shared::ItemId;
use checklist_shared::assignee::Assignee;

use super::suggestions::Suggestions;

/// A change of the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionChange {
    /// Selects a row, or no longer.
    Toggle(ItemId),
    /// Selects everything up to that row: from where the selection began, else from the first
    /// one, where the person is.
    Range(ItemId, ItemId),
    /// Selects every row that is shown.
    All,
    /// Clears the selection.
    Clear,
    /// The same from the bar, which goes: the focus returns to the rows.
    Leave,
}

/// The selected rows.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Their ids, sorted.
    pub(super) ids: Vec<ItemId>,
    /// The row at which a range starts.
    pub(super) anchor: Option<ItemId>,
}

/// The selection, for the selection bar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelectionSummary {
    /// The number of selected rows.
    pub count: u32,
    /// Whether they are more than one call may change.
    pub too_many: bool,
    /// Who is picked or typed for all of them, while it is asked for.
    pub assignee: Option<Assignee>,
    /// The people that are offered for it.
    pub suggestions: Option<Suggestions>,
}

impl Selection {
    /// Whether a row is selected.
    #[must_use]
    pub fn contains(&self, id: ItemId) -> bool {
        self.ids.binary_search(&id).is_ok()
    }
}
