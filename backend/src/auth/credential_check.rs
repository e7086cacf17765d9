//! Whether a credential still opens what it once opened.
//!
//! A request is judged once, a stream lives on: it asks again and again, and ends when the answer
//! is no. Implemented in `http` by judging the very same credential anew, so whatever ends a
//! credential (expiry, revocation, fewer rights) ends its streams; asked by `services::live`.

use std::future::Future;
use std::pin::Pin;

/// The standing of a caller whose request is still being answered.
pub trait CredentialCheck: Send {
    /// Whether the credential is still good for the very same rights.
    fn holds(&mut self) -> Pin<Box<dyn Future<Output = bool> + Send + '_>>;
}
