//! What the roles of an editor and an owner may do, as tokens and answers name it, in their order.
//!
//! The one place in the tests that lists it; written down here and not taken from the product, so
//! that a right which a role gains or loses is noticed.

/// An owner: everything about lists.
pub const OWNER: &[&str] = &[
    "Read",
    "Check",
    "UncheckOthers",
    "Edit",
    "Add",
    "Delete",
    "Reorder",
    "Refresh",
    "Lock",
    "DeleteRequired",
];

/// An editor: an owner who neither locks nor deletes what a template requires.
pub const EDITOR: &[&str] = OWNER.split_at(OWNER.len() - 2).0;
