//! Authentication: converts credentials to a [`Principal`].
//!
//! `authenticator` is the entry point. `embed` verifies the tokens that host platforms sign, with
//! the keys of `keys` and the rules of `claims`; `oidc` signs in with the identity provider;
//! `api_key` and `session` handle those credentials, `passkey` signs local administrators in. `trust_cache` caches the directory's tenants,
//! keys and revocations. `mint` and `demo` sign tokens. Services see the principal only.

pub mod acting_party;
pub mod api_key;
pub mod authenticator;
pub mod ceiling;
pub mod claims;
pub mod credential_check;
pub mod demo;
pub mod embed;
mod error;
pub mod keys;
mod last_use;
pub mod mint;
pub mod oidc;
pub mod own_key;
pub mod passkey;
pub mod principal;
pub mod rates;
pub mod session;
mod token_cache;
mod token_header;
pub mod trust_cache;

pub use authenticator::{Authenticator, PresentedCredential};
pub use credential_check::CredentialCheck;
pub use error::AuthError;
pub use principal::{Credential, Principal, permissions_of};
pub use token_header::LONGEST_TOKEN;
