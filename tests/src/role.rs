//! What each role may do, as tokens and answers name it, in their order.
//!
//! The one place in the tests that lists it; written down here and not taken from the product, so
//! that a right which a role gains or loses is noticed.

/// An administrator: everything but to run activities on sites.
pub const ADMIN: &[&str] = &[
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
    "Waive",
    "Audit",
    "Templates",
    "Admin",
];

/// An owner: everything about lists.
pub const OWNER: &[&str] = ADMIN.split_at(11).0;

/// An editor: an owner who neither locks nor waives nor deletes what a template requires.
pub const EDITOR: &[&str] = OWNER.split_at(8).0;

/// Whoever ticks.
pub const CHECKER: &[&str] = EDITOR.split_at(2).0;

/// Whoever sees lists.
pub const READER: &[&str] = CHECKER.split_at(1).0;

/// Whoever sees lists and the audit trail.
pub const AUDITOR: &[&str] = &["Read", "Audit"];

/// Whoever writes templates and types.
pub const TEMPLATE_ADMIN: &[&str] = &["Read", "Templates"];
