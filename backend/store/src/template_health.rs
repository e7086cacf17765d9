//! What the health of a template is counted from: lists that follow it, their items, and when those
//! changed their status.

use checklist_shared::due::Due;
use checklist_shared::event::What;
use checklist_shared::id::ItemId;
use checklist_shared::item::Status;
use checklist_shared::text::Text;
use checklist_shared::time::Timestamp;

/// Which lists to look at: those of the newest version first, of each version the newest first.
#[derive(Clone, Debug)]
pub struct HealthSearch {
    /// The template that they follow.
    pub template: String,
    /// Only those that follow that version.
    pub version: Option<u32>,
    /// Only those whose present run began then or later. Others are looked at and have no items.
    pub since: Option<Timestamp>,
    /// The page starts after that list.
    pub after: Option<ListPosition>,
    /// The maximum number of lists.
    pub lists: u32,
    /// The maximum number of rows of their histories.
    pub rows: u32,
}

/// The position of a list among those that follow a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPosition {
    /// The version that it follows.
    pub version: u32,
    /// Its number in the store.
    pub number: u64,
}

/// A page of lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HealthRows {
    /// The lists.
    pub lists: Vec<HealthList>,
    /// Their items: those with a template key, also deleted ones, and those that somebody has added.
    pub items: Vec<HealthItem>,
    /// When items were resolved and reopened in the present runs, in no particular order.
    pub changes: Vec<StatusChange>,
    /// Whether the histories have more rows than were read.
    pub is_cut: bool,
}

/// A list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HealthList {
    /// Where it stands.
    pub position: ListPosition,
    /// When its present run was first written.
    pub started_at: Timestamp,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HealthItem {
    /// The number of its list.
    pub list: u64,
    /// Its id.
    pub id: ItemId,
    /// What it is of.
    pub source: HealthSource,
    /// Its status.
    pub status: Status,
    /// When that was set.
    pub status_at: Option<Timestamp>,
    /// When it is due.
    pub due: Option<Due>,
}

/// Where an item comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HealthSource {
    /// The template.
    Template {
        /// Its key.
        key: String,
        /// Whether a person has replaced its text, or changed its definition.
        is_edited: bool,
        /// Whether it is a row to read, in the list.
        is_info: bool,
        /// Whether the version that the list follows has no such item.
        is_retired: bool,
        /// Whether it is deleted.
        is_deleted: bool,
    },
    /// Somebody who has added it.
    Added(Text),
}

/// A change of an item's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatusChange {
    /// The number of the list.
    pub list: u64,
    /// The item.
    pub id: ItemId,
    /// `Checked`, `MarkedNotApplicable` or `Reopened`.
    pub what: What,
    /// When.
    pub at: Timestamp,
}
