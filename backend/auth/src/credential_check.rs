//! Checks that a credential is still valid.
//!
//! A request authenticates once, but a stream outlives its request: it repeats the check and ends
//! when it fails. `http` implements it by authenticating the same credential again, so whatever
//! ends a credential (expiry, revocation, fewer permissions) also ends its streams.

use std::future::Future;
use std::pin::Pin;

/// The credential of a caller whose response is still being streamed.
pub trait CredentialCheck: Send {
    /// Whether the credential is still valid with exactly the same permissions.
    fn holds(&mut self) -> Pin<Box<dyn Future<Output = bool> + Send + '_>>;
}
