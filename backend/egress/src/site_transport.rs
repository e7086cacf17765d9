//! The transport to one site: `site_lists::Transport` under the rules of `egress`.
//!
//! Invariant: requests go to one origin only, over connections that no other transport uses, so
//! that a sign-in that authenticates a connection affects nobody else.

use std::fmt::Display;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use checklist_runtime::failpoint;
use http::Uri;
use reqwest::Client;
use rustls::ClientConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use site_lists::{
    ByteStream, Connector, DedicatedConnection, Limits, Request, Response, Transport,
    TransportError,
};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use url::Url;

use super::client::{CONNECTS, builder, built, execute_request, printable_origin, tls};
use super::egress::Egress;
use super::resolver::{Resolver, is_refusal};

/// Additional trusted certificates, and the Kerberos ticket server.
#[derive(Clone, Debug, Default)]
pub struct TlsTrust {
    /// Additional trusted certificates, PEM.
    pub certificates: Option<String>,
    /// Host and port of the Kerberos key distribution centre (KDC).
    pub tickets: Option<(String, u16)>,
}

/// Sends requests to one site.
#[derive(Clone)]
pub struct SiteTransport(Arc<Route>);

/// The permitted origin, and how to reach it.
struct Route {
    egress: Arc<Egress>,
    origin: String,
    trust: TlsTrust,
    client: Client,
    tls: Arc<ClientConfig>,
    /// Resolves the site's own name.
    resolver: Resolver,
}

impl SiteTransport {
    /// A transport to the origin of `site`.
    ///
    /// # Errors
    /// If the origin is not permitted, or its certificates cannot be read.
    pub fn new(egress: Arc<Egress>, site: &Url, trust: TlsTrust) -> Result<Self, TransportError> {
        let resolver = egress.resolver_for(site)?;
        let tls = own_tls(&trust)?;
        Ok(Self(Arc::new(Route {
            client: built(builder(tls.clone(), resolver.clone()))?,
            tls: Arc::new(tls),
            origin: site.origin().ascii_serialization(),
            egress,
            trust,
            resolver,
        })))
    }

    /// Sends a request to a URL of the site without credentials, to check that it responds.
    ///
    /// # Errors
    /// If the URL has another origin, or there was no response within the limits.
    pub async fn probe(&self, url: &Url, limits: Limits) -> Result<(), TransportError> {
        let mut request = Request::new(Bytes::new());
        *request.uri_mut() = (url.as_str().parse())
            .map_err(|_| TransportError::Refused("the address is no URL".to_owned()))?;
        self.exchange(request, limits).await.map(drop)
    }

    async fn exchange(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        let url = self.0.allowed_url(request.uri())?;
        let (parts, body) = request.into_parts();
        let response = execute_request(&self.0.client, url, parts, body, limits).await?;
        Ok(response.map(Bytes::from))
    }
}

#[async_trait]
impl Transport for SiteTransport {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        failpoint::break_down("site.asked", request.headers());
        self.exchange(request, limits).await
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        let route: Arc<dyn Connector> = Arc::<Route>::clone(&self.0);
        Ok(Arc::new(DedicatedConnection::new(route)))
    }

    /// Connects to the Kerberos key distribution centre, which has to be the configured one.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where the server connects to sites"
    )]
    async fn dial(&self, host: &str, port: u16) -> Result<Box<dyn ByteStream>, TransportError> {
        let known = self.0.trust.tickets.as_ref();
        if known.is_none_or(|(name, at)| !name.eq_ignore_ascii_case(host) || *at != port) {
            return Err(TransportError::Refused(format!(
                "{host}:{port} is not where this connection gets its tickets"
            )));
        }
        let resolver = self
            .0
            .egress
            .resolver_for_tickets(host, port, &self.0.resolver);
        let addresses = resolver.addresses(host, port).await.map_err(|error| {
            TransportError::Refused(format!("{host} cannot be asked for tickets: {error}"))
        })?;
        let stream = TcpStream::connect(addresses.as_slice()).await;
        let stream = stream.map_err(|error| TransportError::Broken(error.to_string()))?;
        Ok(Box::new(stream))
    }
}

#[async_trait]
impl Connector for Route {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where the server connects to sites"
    )]
    async fn connect(&self, to: &Uri) -> Result<Box<dyn ByteStream>, TransportError> {
        let url = self.allowed_url(to)?;
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let port = url.port_or_known_default().unwrap_or_default();
        let failed = |reason: &dyn Display| {
            TransportError::NotConnected(format!("nobody answers at {host}:{port}: {reason}"))
        };
        let connecting = async {
            let addresses = self.resolver.addresses(host, port).await.map_err(|error| {
                if is_refusal(&error) {
                    return TransportError::Refused(error.to_string());
                }
                failed(&error)
            })?;
            let stream = TcpStream::connect(addresses.as_slice())
                .await
                .map_err(|error| failed(&error))?;
            // Small messages follow each other; none should wait for an acknowledgement.
            stream.set_nodelay(true).map_err(|error| failed(&error))?;
            if url.scheme() != "https" {
                return Ok(Box::new(stream) as Box<dyn ByteStream>);
            }
            let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(&error))?;
            let encrypted = TlsConnector::from(Arc::clone(&self.tls)).connect(name, stream);
            let encrypted = encrypted.await.map_err(|error| failed(&error))?;
            Ok(Box::new(encrypted) as Box<dyn ByteStream>)
        };
        timeout(CONNECTS, connecting)
            .await
            .unwrap_or_else(|_| Err(failed(&"it takes too long")))
    }
}

impl Route {
    /// The URL of a request. It has to have the site's origin, and passes the same checks as the
    /// site's URL when the transport was built.
    fn allowed_url(&self, uri: &Uri) -> Result<Url, TransportError> {
        // Parsed as browsers do (WHATWG), so that every notation of an address is recognized.
        let url = Url::parse(&uri.to_string())
            .map_err(|_| TransportError::Refused("the address is no URL".to_owned()))?;
        if url.origin().ascii_serialization() != self.origin {
            let elsewhere = printable_origin(&url);
            return Err(TransportError::Refused(format!(
                "this connection leads to {} and not to {elsewhere}",
                self.origin
            )));
        }
        self.egress.check(&url)?;
        Ok(url)
    }
}

impl Egress {
    /// The resolver for a ticket server: the operator permits it by `tcp://HOST:PORT`; otherwise it
    /// has to be in the network of its site or at a public address.
    fn resolver_for_tickets(&self, host: &str, port: u16, site: &Resolver) -> Resolver {
        if self.allowed.contains(&format!("tcp://{host}:{port}")) {
            return Resolver::AsTheSystem;
        }
        match site {
            Resolver::AsTheSystem => Resolver::ToPublic,
            other => other.clone(),
        }
    }
}

fn own_tls(trust: &TlsTrust) -> Result<ClientConfig, TransportError> {
    let certificates: Vec<CertificateDer<'static>> = match &trust.certificates {
        None => Vec::new(),
        Some(bundle) => CertificateDer::pem_slice_iter(bundle.as_bytes())
            .collect::<Result<_, _>>()
            .map_err(|_| TransportError::Broken("its certificates cannot be read".to_owned()))?,
    };
    tls(&certificates)
}
