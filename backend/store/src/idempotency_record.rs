//! Recognizes a repeated operation and answers it.

use checklist_shared::permission::Permissions;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::write::WriteAnswer;
use sha2::{Digest, Sha256};

use super::list_key::ListKey;
use super::store::Operation;
use crate::error::{ServiceError, ServiceResult};

/// A completed operation.
#[derive(Clone, Debug)]
pub(super) struct IdempotencyRecord {
    pub(super) body_hash: [u8; 32],
    pub(super) used: Permissions,
    pub(super) answer: ServiceResult<WriteAnswer>,
}

impl IdempotencyRecord {
    /// The answer to a repeat: the first answer again, if the request is the same and the caller
    /// still has the permissions.
    pub(super) fn again(
        self,
        operation: &Operation,
        permissions: Permissions,
    ) -> ServiceResult<WriteAnswer> {
        if self.body_hash != operation.body_hash {
            return Err(ServiceError::new(
                ProblemCode::OperationIdReused,
                "This OperationId was used for another request; choose a new one.",
            ));
        }
        if !permissions.holds(self.used) {
            return Err(ServiceError::new(
                ProblemCode::PermissionDenied,
                "The operation was done with a permission that is missing now.",
            ));
        }
        self.answer
    }
}

/// The key of an operation, a digest.
pub(super) fn digest(list: &ListKey, scope: &str, call: &str, id: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [
        scope,
        call,
        &list.object_type,
        &list.object_id,
        &list.purpose,
        id,
    ] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().into()
}
