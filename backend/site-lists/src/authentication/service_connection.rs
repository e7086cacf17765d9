//! A configured service connection: bearer tokens from whoever keeps it, one audience each,
//! asked for again once where the site refuses one.
//!
//! Chosen by `authentication` for `ServiceConnection` and, with tokens, for `SiteOnline`. How
//! tokens are had and kept (OAuth, rotation) is the business of the `TokenSource`.

use std::sync::Arc;

use async_trait::async_trait;
use http::StatusCode;
use http::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::{SignIn, secret_header};
use crate::answer::Answer;
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::SiteOptions;
use crate::transport::{Request, Response};
use crate::wire::{Failure, Way};

/// Whoever keeps a service connection and has tokens for it.
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
    /// There is none, e.g. [`ErrorKind::NeedsSignIn`] where a person has to agree again.
    async fn token(&self, audience: &str, refused: Option<&SecretString>) -> Result<SecretString>;
}

/// Sends bearer tokens.
pub(super) struct Bearer {
    tokens: Arc<dyn TokenSource>,
    audience: String,
}

impl Bearer {
    pub(super) fn new(site: &Url, options: &SiteOptions) -> Result<Self> {
        let tokens = options.tokens.clone().ok_or_else(|| {
            SiteError::new(
                ErrorKind::InvalidConnection,
                "No service connection stands behind this connection.",
            )
            .with_field("ServiceConnection")
        })?;
        Ok(Self {
            tokens,
            audience: site.origin().ascii_serialization(),
        })
    }

    async fn send(
        &self,
        mut request: Request,
        token: &SecretString,
        way: Way<'_>,
    ) -> std::result::Result<Response, Failure> {
        let value = secret_header(&format!("Bearer {}", token.expose_secret()))?;
        request.headers_mut().insert(AUTHORIZATION, value);
        Ok(way.transport.send(request, way.limits).await?)
    }
}

#[async_trait]
impl SignIn for Bearer {
    async fn exchange(
        &self,
        request: Request,
        way: Way<'_>,
    ) -> std::result::Result<Response, Failure> {
        let token = self.tokens.token(&self.audience, None).await?;
        let answer = self.send(request.clone(), &token, way).await?;
        if answer.status() != StatusCode::UNAUTHORIZED || Answer::of(&answer).is_throttled() {
            return Ok(answer);
        }
        // It may have ended a moment ago. A request that is refused was not carried out.
        let newer = self.tokens.token(&self.audience, Some(&token)).await?;
        if newer.expose_secret() == token.expose_secret() {
            return Ok(answer);
        }
        self.send(request, &newer, way).await
    }

    fn needs_digest(&self) -> bool {
        false
    }
}
