//! The key of a list in a store and its caches.

use checklist_shared::context::Context;

/// Identifies a list in the database and in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListKey {
    /// The tenant.
    pub tenant: String,
    /// The object type.
    pub object_type: String,
    /// The id of the object.
    pub object_id: String,
    /// Distinguishes several lists of one object.
    pub purpose: String,
}

impl ListKey {
    /// The key of the list with that context.
    #[must_use]
    pub fn of(tenant: &str, context: &Context) -> Self {
        Self {
            tenant: tenant.to_owned(),
            object_type: context.object_type.clone(),
            object_id: context.object_id.clone(),
            purpose: context.purpose.clone(),
        }
    }
}
