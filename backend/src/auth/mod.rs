//! Who is calling: credentials in, a [`Principal`] out.
//!
//! `embed` verifies the tokens that host platforms sign, with the keys of `keys` and the rules
//! of `claims`; `demo` mints tokens in `--demo` only. The extractor in `http` is the one caller;
//! services and storage see nothing but the principal.

pub mod claims;
pub mod demo;
pub mod embed;
pub mod keys;
pub mod principal;
mod recent;

use checklist_shared::problem::ProblemCode;

pub use principal::{ContextScope, Principal};

/// Why a credential was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    /// `Unauthenticated`, `TokenExpired` or `OriginRefused`.
    pub code: ProblemCode,
    /// A sentence for the people who build the host platform.
    pub detail: String,
}

impl Denied {
    fn invalid(detail: impl Into<String>) -> Self {
        Self {
            code: ProblemCode::Unauthenticated,
            detail: detail.into(),
        }
    }
}
