//! The certificate authorities that this process trusts beside the system's.
//!
//! Set once, before the first connection; every TLS connection that the server makes (to sites,
//! webhooks, identity providers, PostgreSQL) reads them.

use std::sync::OnceLock;

static AUTHORITIES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();

/// Trusts these certificates (DER) from now on. A second call has no effect.
pub fn trust(certificates: Vec<Vec<u8>>) {
    let _ = AUTHORITIES.set(certificates);
}

/// The certificates (DER).
#[must_use]
pub fn trusted() -> &'static [Vec<u8>] {
    AUTHORITIES.get().map_or(&[], Vec::as_slice)
}
