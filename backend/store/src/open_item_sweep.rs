//! Rows of `open_item` whose items are resolved, and how far they were removed.
//!
//! A tick leaves the row of its item where it is. The sweep follows the audit trail, in which every
//! change of a list has a row. What it finds may be old by the time it is removed, so the store looks
//! at each item again, and moves the position only from where the batch began: several nodes may sweep
//! at once, and a batch that was interrupted runs again.

/// The key of a row of `open_item` within its tenant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenItemKey {
    /// The number of the list in the store.
    pub checklist: i64,
    /// The item.
    pub id: Vec<u8>,
}

/// The rows of items that are resolved, of the lists in a part of the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepBatch {
    /// The part begins after this row.
    pub after: u64,
    /// The last row of the part.
    pub until: u64,
    /// The last row of the trail.
    pub newest: u64,
    /// The rows to remove.
    pub resolved: Vec<OpenItemKey>,
}
