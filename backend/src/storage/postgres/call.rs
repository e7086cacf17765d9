//! A writing call on its way to the writer.
//!
//! The store builds it from a service's call, `batch_decision` decides on it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use checklist_shared::permission::Permissions;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;

use crate::idempotency_record::digest;
use crate::list_key::ListKey;
use crate::prepared_write::PreparedWrite;
use crate::store::{CALLS, Decide, ListFacts, ListRequest, ListWrite, Operation, StoreError};

/// A writing call.
pub(super) struct Call {
    pub(super) list: ListKey,
    /// The digest that identifies the operation, if it has an id.
    pub(super) key: Option<[u8; 32]>,
    /// The possible digests of the operation to undo, one for each kind of call.
    pub(super) undoes: Vec<[u8; 32]>,
    pub(super) wanted: ListRequest,
    pub(super) operation: Option<Operation>,
    pub(super) permissions: Permissions,
    pub(super) now: Timestamp,
    /// A mutex only to make the call `Sync`; it is never contended.
    decide: Mutex<Decide>,
}

impl Call {
    pub(super) fn new(write: ListWrite) -> Self {
        let list = ListKey::of(&write.tenant, &write.wanted.context);
        let key = write
            .operation
            .as_ref()
            .map(|operation| digest(&list, &operation.scope, operation.call, &operation.id));
        let undoes = write
            .undoes
            .iter()
            .flat_map(|undoes| CALLS.map(|call| digest(&list, &undoes.scope, call, &undoes.id)));
        Self {
            key,
            undoes: undoes.collect(),
            list,
            wanted: write.wanted,
            operation: write.operation,
            permissions: write.permissions,
            now: write.now,
            decide: Mutex::new(write.decide),
        }
    }

    /// Runs the pure closure. A panic in it fails this call only.
    pub(super) fn decide(
        &self,
        facts: &ListFacts,
        undo: Option<&UndoRecord>,
    ) -> Result<PreparedWrite, StoreError> {
        let decide = self.decide.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = catch_unwind(AssertUnwindSafe(|| decide(facts, undo)))
            .map_err(|_| StoreError::Broken("a decision panicked".to_owned()))?;
        PreparedWrite::of(outcome, self.key.is_some())
    }
}
