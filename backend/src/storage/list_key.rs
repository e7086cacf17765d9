//! The name of a list, as a store and its memory know it.

use checklist_shared::context::Context;

/// Names a list in the database and in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListKey {
    /// Whose.
    pub tenant: String,
    /// The type of the object.
    pub object_type: String,
    /// The object.
    pub object_id: String,
    /// Which list of the object.
    pub purpose: String,
}

impl ListKey {
    /// The list of that context.
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
