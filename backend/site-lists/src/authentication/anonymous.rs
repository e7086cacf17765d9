//! Nobody in particular: requests go as they are. User name and password of the connection, if
//! it has any, are not looked at.
//!
//! Chosen by `authentication` for `Anonymous`.

use async_trait::async_trait;

use super::authenticator::{Authenticator, SendError, Sender};
use crate::transport::{Request, Response};

/// Sends without credentials.
pub(super) struct Anonymous;

#[async_trait]
impl Authenticator for Anonymous {
    async fn send(&self, request: Request, sender: Sender<'_>) -> Result<Response, SendError> {
        Ok(sender.send(request).await?)
    }
}
