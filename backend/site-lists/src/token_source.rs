//! Where bearer tokens come from: how they are obtained, stored and rotated (OAuth) is decided there.
//!
//! Invariant: a token is asked for by audience, and a refused one is named, so that it is not handed
//! out again.

use async_trait::async_trait;
use secrecy::SecretString;

use crate::error::Result;

/// Hands out the tokens of a service connection.
///
/// ```
/// use site_lists::{Result, TokenSource};
/// use secrecy::SecretString;
///
/// /// One token that never changes, for a script.
/// struct Fixed(SecretString);
///
/// #[async_trait::async_trait]
/// impl TokenSource for Fixed {
///     async fn token(&self, _audience: &str, _refused: Option<&SecretString>) -> Result<SecretString> {
///         Ok(self.0.clone())
///     }
/// }
/// ```
#[async_trait]
pub trait TokenSource: Send + Sync {
    /// A token for an audience, which is an origin: `https://graph.microsoft.com`, or the
    /// site's. `refused` is the token that the site has just refused, where it has; the same one
    /// must not come back unless there is no other.
    ///
    /// # Errors
    /// There is none, e.g. [`crate::ErrorKind::NeedsSignIn`] where a person has to agree again.
    async fn token(&self, audience: &str, refused: Option<&SecretString>) -> Result<SecretString>;
}
