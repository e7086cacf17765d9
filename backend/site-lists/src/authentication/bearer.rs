//! `ServiceConnection`, and `SiteOnline` with tokens: bearer tokens of a `TokenSource`.
//!
//! Invariant: a token goes to its own audience alone; a refused one is replaced once for each request.

use std::sync::Arc;

use async_trait::async_trait;
use http::StatusCode;
use http::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::authenticator::{Authenticator, SendResult, Sender};
use super::credentials::secret_header;
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::SiteOptions;
use crate::response::SiteResponse;
use crate::token_source::TokenSource;
use crate::transport::Request;

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
        sender: Sender<'_>,
    ) -> SendResult {
        let value = secret_header(&format!("Bearer {}", token.expose_secret()))?;
        request.headers_mut().insert(AUTHORIZATION, value);
        Ok(sender.send(request).await?)
    }
}

#[async_trait]
impl Authenticator for Bearer {
    async fn send(&self, request: Request, sender: Sender<'_>) -> SendResult {
        let token = self.tokens.token(&self.audience, None).await?;
        let response = self.send(request.clone(), &token, sender).await?;
        if response.status() != StatusCode::UNAUTHORIZED
            || SiteResponse::from_http(&response).is_throttled()
        {
            return Ok(response);
        }
        // It may have ended a moment ago. A request that is refused was not carried out.
        let newer = self.tokens.token(&self.audience, Some(&token)).await?;
        if newer.expose_secret() == token.expose_secret() {
            return Ok(response);
        }
        self.send(request, &newer, sender).await
    }

    fn needs_digest(&self) -> bool {
        false
    }
}
