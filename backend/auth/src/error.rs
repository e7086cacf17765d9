//! The error of a rejected credential.
//!
//! Its sentence is for the developers of the host platform, and contains nothing of the credential.

use checklist_shared::problem::ProblemCode;

use checklist_store::store::StoreError;

/// Why a credential was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthError {
    /// `Unauthenticated`, `TokenExpired` or `OriginRefused`; `Busy` if the store failed.
    pub code: ProblemCode,
    /// A sentence for the developers of the host platform.
    pub detail: String,
}

impl AuthError {
    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self {
            code: ProblemCode::Unauthenticated,
            detail: detail.into(),
        }
    }
}

impl From<StoreError> for AuthError {
    fn from(error: StoreError) -> Self {
        tracing::warn!(%error, "a credential could not be judged");
        Self {
            code: ProblemCode::Busy,
            detail: "Who is calling cannot be looked up at this moment.".into(),
        }
    }
}
