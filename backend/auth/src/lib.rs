//! Authentication: converts credentials to a [`Principal`].
//!
//! `authenticator` is the entry point. `embed` verifies the tokens that host platforms sign, with
//! the keys of `keys` and the rules of `claims`; `oidc` signs in with the identity provider;
//! `api_key` and `session` handle those credentials. `trust_cache` caches the directory's tenants,
//! keys and revocations. `mint` and `demo` sign tokens. Services see the principal only.

pub mod api_key;
pub mod authenticator;
pub mod ceiling;
pub mod claims;
pub mod credential_check;
pub mod demo;
pub mod embed;
pub mod keys;
pub mod mint;
pub mod oidc;
pub mod own_key;
pub mod principal;
pub mod rates;
pub mod session;
mod token_cache;
mod token_header;
pub mod trust_cache;

use checklist_shared::permission::{Permissions, Role};
use checklist_shared::problem::ProblemCode;

use checklist_store::store::StoreError;

pub use authenticator::{Authenticator, PresentedCredential};
pub use credential_check::CredentialCheck;
pub use principal::{Credential, Principal};

/// Why a credential was rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthError {
    /// `Unauthenticated`, `TokenExpired` or `OriginRefused`; `Busy` if the store failed.
    pub code: ProblemCode,
    /// A sentence for the developers of the host platform.
    pub detail: String,
}

impl AuthError {
    fn invalid(detail: impl Into<String>) -> Self {
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

/// The union of the permissions of roles.
#[must_use]
pub fn permissions_of(roles: &[Role]) -> Permissions {
    roles.iter().fold(Permissions::default(), |all, role| {
        all.union(role.permissions())
    })
}
