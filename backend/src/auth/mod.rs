//! Who is calling: credentials in, a [`Principal`] out.
//!
//! `embed` verifies the tokens that host platforms sign, `keys` holds the keys they sign with,
//! `demo` mints tokens in `--demo` only. The extractor in `http` calls [`Principal`]'s makers;
//! services and storage see nothing but the principal.

pub mod principal;

pub use principal::{ContextScope, Principal};
