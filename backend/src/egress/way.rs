//! The way to one site: an origin, its certificates, and nothing beside it.
//!
//! A way goes to its origin alone, over connections that are its own, so that a sign-in that binds
//! a connection binds nobody else's. Made by `services::sites`, one for each connection in use.

use std::fmt::Display;
use std::sync::Arc;

use http::{Request, Response};
use reqwest::Client;
use rustls::ClientConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Url;

use super::resolver::{Resolver, is_refusal};
use super::{Bounds, CONNECTS, Egress, EgressError, asked, builder, built, shown, tls};

/// What is trusted on the way, and who hands out tickets for it.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Certificates beside the system's, PEM.
    pub certificates: Option<String>,
    /// Host and port of the server that hands out tickets.
    pub tickets: Option<(String, u16)>,
}

/// The way to one site.
pub struct Way {
    egress: Arc<Egress>,
    origin: String,
    trust: Trust,
    client: Client,
    tls: Arc<ClientConfig>,
    /// How the site's own name is resolved.
    resolver: Resolver,
}

impl Way {
    /// The way to the origin of `site`.
    ///
    /// # Errors
    /// The origin may not be asked, or its certificates cannot be read.
    pub fn to(egress: Arc<Egress>, site: &Url, trust: Trust) -> Result<Self, EgressError> {
        let resolver = egress.resolver_for(site)?;
        let tls = own_tls(&trust)?;
        Ok(Self {
            client: built(builder(tls.clone(), resolver.clone()))?,
            tls: Arc::new(tls),
            origin: site.origin().ascii_serialization(),
            egress,
            trust,
            resolver,
        })
    }

    /// A connection to the site itself, for whoever has to know that it stays the same one: to an
    /// address that was looked at, encrypted where the site's address says so.
    ///
    /// # Errors
    /// It leads elsewhere, or no connection comes about.
    pub async fn connect(&self, to: &Url) -> Result<Connected, EgressError> {
        self.leads_to(to)?;
        let host = to.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let port = to.port_or_known_default().unwrap_or_default();
        let failed = |reason: &dyn Display| {
            EgressError::NotConnected(format!("nobody answers at {host}:{port}: {reason}"))
        };
        let connecting = async {
            let addresses = self.resolver.addresses(host, port).await.map_err(|error| {
                if is_refusal(&error) {
                    return EgressError::Refused(error.to_string());
                }
                failed(&error)
            })?;
            let line = TcpStream::connect(addresses.as_slice())
                .await
                .map_err(|error| failed(&error))?;
            // Small messages follow each other; none waits for the one before.
            line.set_nodelay(true).map_err(|error| failed(&error))?;
            if to.scheme() != "https" {
                return Ok(Connected::Plain(line));
            }
            let name = ServerName::try_from(host.to_owned()).map_err(|error| failed(&error))?;
            let encrypted = TlsConnector::from(Arc::clone(&self.tls)).connect(name, line);
            let encrypted = encrypted.await.map_err(|error| failed(&error))?;
            Ok(Connected::Encrypted(Box::new(encrypted)))
        };
        timeout(CONNECTS, connecting)
            .await
            .unwrap_or_else(|_| Err(failed(&"it takes too long")))
    }

    /// Whether an address is the site's own, by the very same rules as when the way was made: what
    /// is in the address may differ.
    fn leads_to(&self, url: &Url) -> Result<(), EgressError> {
        if url.origin().ascii_serialization() != self.origin {
            let elsewhere = shown(url);
            return Err(EgressError::Refused(format!(
                "this connection leads to {} and not to {elsewhere}",
                self.origin
            )));
        }
        self.egress.check(url)
    }

    /// Sends a request and reads the whole answer.
    ///
    /// # Errors
    /// It leads elsewhere, or there was no answer within the bounds.
    pub async fn send(
        &self,
        request: Request<Vec<u8>>,
        bounds: Bounds,
    ) -> Result<Response<Vec<u8>>, EgressError> {
        let url = Url::parse(&request.uri().to_string())
            .map_err(|_| EgressError::Refused("the address is no URL".to_owned()))?;
        self.leads_to(&url)?;
        let (parts, body) = request.into_parts();
        asked(&self.client, url, parts, body, bounds).await
    }

    /// A connection to the server that hands out tickets, which has to be the one configured.
    ///
    /// # Errors
    /// It is another one, or does not answer.
    pub async fn dial(&self, host: &str, port: u16) -> Result<TcpStream, EgressError> {
        let known = self.trust.tickets.as_ref();
        if known.is_none_or(|(name, at)| !name.eq_ignore_ascii_case(host) || *at != port) {
            return Err(EgressError::Refused(format!(
                "{host}:{port} is not where this connection gets its tickets"
            )));
        }
        let failed = |error: std::io::Error| EgressError::Failed(error.to_string());
        let resolver = self.egress.resolver_for_tickets(host, port, &self.resolver);
        let addresses = resolver.addresses(host, port).await.map_err(|error| {
            EgressError::Refused(format!("{host} cannot be asked for tickets: {error}"))
        })?;
        TcpStream::connect(addresses.as_slice())
            .await
            .map_err(failed)
    }
}

impl Egress {
    /// A ticket server lies where the operator has allowed it by `tcp://HOST:PORT`, else in the
    /// network of its site or a public one.
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

/// A connection to a site.
#[derive(Debug)]
pub enum Connected {
    /// In clear.
    Plain(TcpStream),
    /// With TLS.
    Encrypted(Box<TlsStream<TcpStream>>),
}

fn own_tls(trust: &Trust) -> Result<ClientConfig, EgressError> {
    let certificates: Vec<CertificateDer<'static>> = match &trust.certificates {
        None => Vec::new(),
        Some(bundle) => CertificateDer::pem_slice_iter(bundle.as_bytes())
            .collect::<Result<_, _>>()
            .map_err(|_| EgressError::Failed("its certificates cannot be read".to_owned()))?,
    };
    tls(&certificates)
}
