//! Who is calling: credentials in, a [`Principal`] out.
//!
//! `authenticator` is the way in. Behind it, `embed` verifies the tokens that host platforms sign, with
//! the keys of `keys` and the rules of `claims`; `oidc` is the identity provider; `api_key` and
//! `session` are what their names say; `trust_cache` remembers what the store's directory says of tenants, keys and revocations.
//! `mint` and `demo` sign tokens. Services and storage see nothing but the principal.

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

use crate::storage::store::StoreError;

pub use authenticator::{Authenticator, PresentedCredential};
pub use credential_check::CredentialCheck;
pub use principal::{ContextScope, Credential, Principal};

/// Why a credential was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthError {
    /// `Unauthenticated`, `TokenExpired` or `OriginRefused`; `Busy` when the store did not say.
    pub code: ProblemCode,
    /// A sentence for the people who build the host platform.
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

/// What some roles allow together.
#[must_use]
pub fn permissions_of(roles: &[Role]) -> Permissions {
    roles.iter().fold(Permissions::default(), |all, role| {
        all.union(role.permissions())
    })
}
