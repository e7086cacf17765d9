//! Where items are looked for across lists: positions in an order that an index has.
//!
//! The store restricts positions to the lists that a credential covers, so a cursor names no list
//! that its holder must not know of. What an item is, and whether it fits, the caller finds out by
//! reading its list.

use checklist_shared::context::Context;
use checklist_shared::id::ItemId;

use crate::scope::ContextScope;

/// The value of `due` of an item without a due date.
pub const NEVER: i64 = i64::MAX;

/// An order of items that an index has. The numbers are milliseconds since 1970 UTC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemOrder {
    /// Open items of an assignee, by due date; [`NEVER`] stands last.
    Assigned {
        /// The id of the assignee.
        id: String,
        /// Only items that are due at that time or earlier.
        until: i64,
    },
    /// Open items with a due date, by it.
    Due {
        /// Only items that are due at that time or earlier.
        until: i64,
    },
    /// Open items with a proposed status, by the time of the proposal.
    Proposed,
}

/// Which positions to read.
#[derive(Clone, Debug)]
pub struct ItemSearch {
    /// The order.
    pub order: ItemOrder,
    /// Only items of these lists.
    pub scope: ContextScope,
    /// Only items of lists of that object type.
    pub object_type: Option<String>,
    /// The page starts after this position.
    pub after: ItemPosition,
    /// The maximum number of positions.
    pub limit: u32,
}

/// The position of an item in an order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemPosition {
    /// When it is due, or since when its status is proposed.
    pub at: i64,
    /// The number of its list in the store.
    pub checklist: i64,
    /// The item.
    pub id: Vec<u8>,
}

impl ItemPosition {
    /// The position before all that are at that time or later.
    #[must_use]
    pub const fn at_or_after(at: i64) -> Self {
        Self {
            at,
            checklist: i64::MIN,
            id: Vec::new(),
        }
    }
}

/// An item that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemHit {
    /// Where it stands.
    pub position: ItemPosition,
    /// Its list.
    pub context: Context,
    /// The item.
    pub item: ItemId,
}

/// Which lists to read items of, in the order of their objects.
#[derive(Clone, Debug)]
pub struct ListSearch {
    /// Only these lists.
    pub scope: ContextScope,
    /// Only lists of that object type.
    pub object_type: Option<String>,
    /// The page starts after this object id, object type and purpose.
    pub after: (String, String, String),
    /// The maximum number of lists.
    pub limit: u32,
}
