//! What every way to sign in implements: a request goes in and is sent signed in.
//!
//! Invariant: a refused credential is not sent a second time; `is_refused` stays true from then on.

use std::sync::Arc;

use async_trait::async_trait;

use crate::error::SiteError;
use crate::transport::{Limits, Request, Response, Transport, TransportError};

/// Sends requests signed in.
#[async_trait]
pub(crate) trait Authenticator: Send + Sync {
    /// Sends a request, and once more where the session had ended. A 401 that comes back means
    /// that the credentials are refused.
    async fn send(&self, request: Request, sender: Sender<'_>) -> SendResult;

    /// Whether writes to SharePoint need a form digest as well; not with a bearer token.
    fn needs_digest(&self) -> bool {
        true
    }

    /// Whether the credentials were refused, and are not tried again.
    fn is_refused(&self) -> bool {
        false
    }
}

/// The transport of one attempt, with what it may cost.
#[derive(Clone, Copy)]
pub(crate) struct Sender<'a> {
    pub(crate) transport: &'a Arc<dyn Transport>,
    pub(crate) limits: Limits,
}

impl Sender<'_> {
    /// Sends a request as it is.
    pub(crate) async fn send(&self, request: Request) -> Result<Response, TransportError> {
        self.transport.send(request, self.limits).await
    }
}

/// The result of sending signed in.
pub(crate) type SendResult<T = Response> = Result<T, SendError>;

/// Why an authenticator has no response.
#[derive(Debug)]
pub(crate) enum SendError {
    /// The request could not be sent, or its response was lost.
    Transport(TransportError),
    /// The request was not sent, because signing in failed.
    Site(SiteError),
}

impl From<TransportError> for SendError {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl From<SiteError> for SendError {
    fn from(error: SiteError) -> Self {
        Self::Site(error)
    }
}

/// Marks a request that must not carry the sign-in of its connection: another one signs in before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AfterSignIn;
