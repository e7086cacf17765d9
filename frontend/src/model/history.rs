//! The history of an item, as far as it is loaded.

use checklist_shared::wire::history::ItemHistoryEntry;

use super::notice::RejectionReason;

/// The loaded part of an item's history.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The entries, newest first.
    pub entries: Vec<ItemHistoryEntry>,
    /// The state of the pages that are not loaded.
    pub rest: HistoryRest,
}

/// The state of the pages that are not loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum HistoryRest {
    /// It is on its way.
    #[default]
    Loading,
    /// There are no more entries.
    Nothing,
    /// Older entries, behind that place.
    Older(u64),
    /// It could not be loaded, from that place on.
    Failed(RejectionReason, Option<u64>),
}
