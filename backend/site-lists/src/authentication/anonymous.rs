//! `Anonymous`: requests are sent without credentials, even where the connection has some.

use async_trait::async_trait;

use super::authenticator::{Authenticator, SendResult, Sender};
use crate::transport::Request;

/// Sends without credentials.
pub(super) struct Anonymous;

#[async_trait]
impl Authenticator for Anonymous {
    async fn send(&self, request: Request, sender: Sender<'_>) -> SendResult {
        Ok(sender.send(request).await?)
    }
}
