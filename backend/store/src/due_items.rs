//! Items that wait to be announced as due or overdue, of all tenants.

use checklist_shared::time::Timestamp;

/// A tenant with such items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueTenant {
    /// The tenant.
    pub tenant: String,
    /// When there may be something to announce.
    pub look_at: Timestamp,
}
