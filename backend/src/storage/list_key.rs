//! The name of a list, as a store and its memory know it.
//!
//! Called by every implementation of the store.

use checklist_shared::context::Context;

/// Names a list in the database and in memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ListKey {
    pub(super) tenant: String,
    pub(super) object_type: String,
    pub(super) object_id: String,
    pub(super) purpose: String,
}

impl ListKey {
    pub(super) fn of(tenant: &str, context: &Context) -> Self {
        Self {
            tenant: tenant.to_owned(),
            object_type: context.object_type.clone(),
            object_id: context.object_id.clone(),
            purpose: context.purpose.clone(),
        }
    }
}
