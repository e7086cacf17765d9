//! An OAuth client: discovers an authorization server and requests tokens.
//!
//! [`discovery`] reads a server's metadata, [`grant`] requests tokens by code, refresh token or
//! client credentials, [`certificate`] authenticates the client without a secret. Every request
//! goes through `egress`.

pub mod certificate;
pub mod discovery;
pub mod grant;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use oauth2::AsyncHttpClient;
use site_lists::{Limits, TransportError};

use crate::Egress;

/// The limits of an authorization server's responses.
pub const LIMITS: Limits = Limits {
    time: Duration::from_secs(10),
    bytes: 256 * 1024,
};

/// A boxed future of a result.
pub type ResultFuture<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// Sends the library's requests through [`Egress`].
pub struct EgressHttpClient(pub Arc<Egress>);

impl<'c> AsyncHttpClient<'c> for EgressHttpClient {
    type Error = TransportError;
    type Future = ResultFuture<Response<Vec<u8>>, TransportError>;

    fn call(&'c self, request: Request<Vec<u8>>) -> Self::Future {
        let egress = Arc::clone(&self.0);
        Box::pin(async move { egress.send(request, LIMITS).await })
    }
}
