//! A provider of cryptography for the tests' own requests, which all go without TLS.
//!
//! The server's TLS and the tests' client are one and the same crate when both are built together,
//! and then it wants a provider even for a client that never uses one.

/// Sees to it that there is one.
pub fn provide() {
    // An error says that there is one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
