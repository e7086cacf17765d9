//! Nobody in particular: requests go as they are. User name and password of the connection, if
//! it has any, are not looked at.
//!
//! Chosen by `authentication` for `Anonymous`.

use async_trait::async_trait;

use super::SignIn;
use crate::transport::{Request, Response};
use crate::wire::{Failure, Way};

/// Sends without credentials.
pub(super) struct Anonymous;

#[async_trait]
impl SignIn for Anonymous {
    async fn exchange(&self, request: Request, way: Way<'_>) -> Result<Response, Failure> {
        Ok(way.transport.send(request, way.limits).await?)
    }
}
