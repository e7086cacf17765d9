//! OAuth as a client: finding an authorization server and asking it for tokens.
//!
//! [`discovery`] reads what a server says of itself, [`grant`] asks for tokens by code, refresh
//! token or as an application, [`certificate`] says who we are without a secret. Every request goes
//! through `egress`.

pub mod certificate;
pub mod discovery;
pub mod grant;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use oauth2::AsyncHttpClient;
use site_lists::{Limits, TransportError};

use crate::egress::Egress;

/// What the answers of an authorization server may cost.
pub const LIMITS: Limits = Limits {
    time: Duration::from_secs(10),
    bytes: 256 * 1024,
};

/// Something that comes later.
pub type ResultFuture<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// The library's requests, sent as all of ours are.
pub struct EgressHttpClient(pub Arc<Egress>);

impl<'c> AsyncHttpClient<'c> for EgressHttpClient {
    type Error = TransportError;
    type Future = ResultFuture<Response<Vec<u8>>, TransportError>;

    fn call(&'c self, request: Request<Vec<u8>>) -> Self::Future {
        let egress = Arc::clone(&self.0);
        Box::pin(async move { egress.send(request, LIMITS).await })
    }
}
