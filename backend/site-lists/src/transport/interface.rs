//! What a transport is: one request in, one whole response out, within a time and a size.
//!
//! Invariant: no transport follows redirects, asks a proxy of the environment or repeats a request;
//! all of that is decided above it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};

/// A request whose URI is absolute.
pub type Request = http::Request<Bytes>;
/// A response that was read to its end.
pub type Response = http::Response<Bytes>;

/// What one request may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the first byte sent to the last one read.
    pub time: Duration,
    /// The largest body of a response, in bytes.
    pub bytes: usize,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The address is none that may be asked. Nothing was sent.
    #[error("{0}")]
    Refused(String),
    /// No connection came about. Nothing was sent.
    #[error("{0}")]
    NotConnected(String),
    /// There was no response within the limits. The request may have been carried out.
    #[error("there was no answer in time")]
    TimedOut,
    /// The connection broke. The request may have been carried out.
    #[error("{0}")]
    Broken(String),
    /// The response is larger than the limits. The request was carried out.
    #[error("the answer is too large")]
    TooLarge,
}

/// A connection that carries bytes.
pub trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

/// Sends requests.
///
/// ```
/// use std::sync::Arc;
/// use site_lists::{Limits, Request, Response, Transport, TransportError};
///
/// /// Lets requests go to one host only.
/// struct OneHost<T> {
///     host: String,
///     inner: T,
/// }
///
/// #[async_trait::async_trait]
/// impl<T: Transport> Transport for OneHost<T> {
///     async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
///         if request.uri().host() != Some(self.host.as_str()) {
///             return Err(TransportError::Refused("another host".into()));
///         }
///         self.inner.send(request, limits).await
///     }
///
///     fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
///         self.inner.open_dedicated()
///     }
/// }
/// ```
///
/// What an implementation promises: every connection, whatever it is for, goes to an address
/// that was looked at (the address connected to, not a name that may resolve to another one);
/// redirects are answers like others; a response that ends before its `Content-Length` is
/// [`TransportError::Broken`].
#[async_trait]
pub trait Transport: Send + Sync {
    /// Sends a request on any connection and reads the whole response.
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError>;

    /// A transport with a single connection that nobody else uses, for sign-in methods that bind
    /// the connection (NTLM, Negotiate). It is asked for one request at a time. Where the
    /// connection ends, it makes another one. [`DedicatedConnection`] is one; a client with a pool is
    /// not, however small the pool: it may open another connection between two requests.
    ///
    /// # Errors
    /// It cannot be set up.
    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError>;

    /// A connection to a Kerberos key distribution centre, which speaks no HTTP. Refused unless
    /// an implementation offers it.
    async fn dial(&self, host: &str, port: u16) -> Result<Box<dyn ByteStream>, TransportError> {
        Err(TransportError::Refused(format!(
            "no connection to {host}:{port} is made from here"
        )))
    }
}
