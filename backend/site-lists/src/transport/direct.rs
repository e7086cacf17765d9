//! Requests by a client of the crate's own, to wherever the caller says: for programs that may
//! reach whatever their machine reaches. Servers with callers of their own bring a `Transport`
//! that looks at addresses.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::BytesMut;
use http::Uri;
use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::dedicated::{Connector, DedicatedConnection};
use super::interface::{ByteStream, Limits, Request, Response, Transport, TransportError};

/// How long a connection may take to come about.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends requests directly, trusting the certificate authorities of the system.
///
/// ```
/// use site_lists::DirectTransport;
///
/// let transport = DirectTransport::new()?;
/// // With an authority of one's own, in PEM:
/// let broken = DirectTransport::with_certificates(b"no certificate");
/// assert!(broken.is_err());
/// # Ok::<(), site_lists::TransportError>(())
/// ```
pub struct DirectTransport {
    tls: Arc<ClientConfig>,
    client: Client,
}

impl DirectTransport {
    /// A transport that trusts the system's certificate authorities.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn new() -> Result<Self, TransportError> {
        Self::with_roots(system_roots())
    }

    /// A transport that trusts these certificate authorities as well, in PEM.
    ///
    /// # Errors
    /// There is no certificate in it, or TLS cannot be set up.
    pub fn with_certificates(pem: &[u8]) -> Result<Self, TransportError> {
        let invalid =
            |why: String| TransportError::Refused(format!("no certificate authority: {why}"));
        let mut roots = system_roots();
        let mut added = 0;
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let certificate = certificate.map_err(|error| invalid(error.to_string()))?;
            roots
                .add(certificate)
                .map_err(|error| invalid(error.to_string()))?;
            added += 1;
        }
        if added == 0 {
            return Err(invalid("nothing in PEM".to_owned()));
        }
        Self::with_roots(roots)
    }

    fn with_roots(roots: RootCertStore) -> Result<Self, TransportError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| TransportError::Refused(format!("TLS cannot be set up: {error}")))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Self::with_tls(tls)
    }

    fn with_tls(tls: ClientConfig) -> Result<Self, TransportError> {
        let client = Client::builder()
            .tls_backend_preconfigured(tls.clone())
            .no_proxy()
            .redirect(Policy::none())
            .referer(false)
            .http1_only()
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_TIMEOUT)
            .pool_idle_timeout(Duration::from_secs(30))
            .build()
            .map_err(|error| TransportError::Refused(format!("no request can be sent: {error}")))?;
        Ok(Self {
            tls: Arc::new(tls),
            client,
        })
    }
}

fn system_roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    roots
}

#[async_trait]
impl Transport for DirectTransport {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        let (parts, body) = request.into_parts();
        let mut incoming = self
            .client
            .request(parts.method, parts.uri.to_string())
            .headers(parts.headers)
            .body(body)
            .timeout(limits.time)
            .send()
            .await
            .map_err(|error| failure(&error))?;
        let mut body = BytesMut::new();
        while let Some(chunk) = incoming.chunk().await.map_err(|error| failure(&error))? {
            body.extend_from_slice(&chunk);
            if body.len() > limits.bytes {
                return Err(TransportError::TooLarge);
            }
        }
        let mut response = Response::new(body.freeze());
        *response.status_mut() = incoming.status();
        *response.headers_mut() = std::mem::take(incoming.headers_mut());
        Ok(response)
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        let connector = DirectConnector(Arc::clone(&self.tls));
        Ok(Arc::new(DedicatedConnection::new(Arc::new(connector))))
    }

    async fn dial(&self, host: &str, port: u16) -> Result<Box<dyn ByteStream>, TransportError> {
        Ok(Box::new(connect_tcp(host, port).await?))
    }
}

/// Makes connections with the same trust.
struct DirectConnector(Arc<ClientConfig>);

#[async_trait]
impl Connector for DirectConnector {
    async fn connect(&self, to: &Uri) -> Result<Box<dyn ByteStream>, TransportError> {
        let host = to.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_https = to.scheme_str() == Some("https");
        let port = to.port_u16().unwrap_or(if is_https { 443 } else { 80 });
        let stream = connect_tcp(host, port).await?;
        if !is_https {
            return Ok(Box::new(stream));
        }
        let failed = |error: String| TransportError::NotConnected(format!("{host}: {error}"));
        let name = ServerName::try_from(host.to_owned()).map_err(|e| failed(e.to_string()))?;
        let encrypting = TlsConnector::from(Arc::clone(&self.0)).connect(name, stream);
        let stream = timeout(CONNECT_TIMEOUT, encrypting)
            .await
            .map_err(|_| failed("it does not answer".to_owned()))?
            .map_err(|error| failed(error.to_string()))?;
        Ok(Box::new(stream))
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the transport")]
async fn connect_tcp(host: &str, port: u16) -> Result<TcpStream, TransportError> {
    let stream = timeout(CONNECT_TIMEOUT, TcpStream::connect((host, port)))
        .await
        .map_err(|_| TransportError::NotConnected(format!("{host}:{port} does not answer")))?
        .map_err(|error| TransportError::NotConnected(format!("{host}:{port}: {error}")))?;
    stream
        .set_nodelay(true)
        .map_err(|error| TransportError::NotConnected(format!("{host}:{port}: {error}")))?;
    Ok(stream)
}

/// What happened, and whether anything can have been sent.
fn failure(error: &reqwest::Error) -> TransportError {
    let mut reason: &dyn std::error::Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    if error.is_connect() {
        return TransportError::NotConnected(reason.to_string());
    }
    if error.is_timeout() {
        return TransportError::TimedOut;
    }
    if error.is_builder() {
        return TransportError::Refused(reason.to_string());
    }
    TransportError::Broken(reason.to_string())
}
