//! Egress: sends every outgoing request of the server.
//!
//! A request reaches public addresses over https and nothing else: not this machine, not its
//! network, not a cloud's metadata service, however the address is written and whatever its name
//! resolves to. The operator may allow an exact origin (for example the identity provider's) at any
//! address, or a private network for an origin. Redirects are not followed, proxy variables of the
//! environment are ignored, and time and size are limited. Requests carry no trace context.

mod address;
mod authorities;
#[cfg(feature = "opentelemetry")]
pub mod collector;
pub mod oauth;
mod origin;
mod private;
mod resolver;
mod site_transport;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{Request, Response};
use ipnet::IpNet;
use reqwest::redirect::Policy;
use reqwest::{Body, Client, ClientBuilder};
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use site_lists::{Limits, TransportError};
use url::{Host, Url};

use checklist_runtime::{authorities as trusted_authorities, spans};

pub use address::is_public;
pub use authorities::read_authorities;
pub use origin::origin_of;
pub use private::{PrivateRange, PrivateRangeError};
use resolver::Resolver;
pub use site_transport::{SiteTransport, TlsTrust};

/// The timeout for a new connection.
const CONNECTS: Duration = Duration::from_secs(10);

/// Sends requests.
pub struct Egress {
    allowed: HashSet<String>,
    ranges: HashMap<String, Arc<[IpNet]>>,
    own_identity: HashSet<String>,
    vetted: Client,
    anywhere: Client,
    into_ranges: HashMap<String, Client>,
}

impl Egress {
    /// Permits requests to public addresses, and to these origins (`http://127.0.0.1:9000`) at any
    /// address.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(allowed: impl IntoIterator<Item = String>) -> Result<Self, TransportError> {
        let tls = tls(&[])?;
        Ok(Self {
            allowed: allowed.into_iter().collect(),
            ranges: HashMap::new(),
            own_identity: HashSet::new(),
            vetted: client(tls.clone(), Resolver::ToPublic)?,
            anywhere: client(tls, Resolver::AsTheSystem)?,
            into_ranges: HashMap::new(),
        })
    }

    /// Also permits requests to origins in private networks: only to those origins, only in those
    /// networks.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn with_private_ranges(mut self, ranges: &[PrivateRange]) -> Result<Self, TransportError> {
        let mut of_origin: HashMap<String, Vec<IpNet>> = HashMap::new();
        for range in ranges {
            let nets = of_origin.entry(range.origin.clone()).or_default();
            nets.push(range.net);
        }
        for (origin, nets) in of_origin {
            let nets: Arc<[IpNet]> = nets.into();
            let resolver = Resolver::ToPublicOr(Arc::clone(&nets));
            self.into_ranges
                .insert(origin.clone(), client(tls(&[])?, resolver)?);
            self.ranges.insert(origin, nets);
        }
        Ok(self)
    }

    /// Also permits the server to sign in with its own identity at these origins. Permits no
    /// further addresses.
    #[must_use]
    pub fn with_own_identity_at(mut self, origins: impl IntoIterator<Item = String>) -> Self {
        self.own_identity.extend(origins);
        self
    }

    /// Whether the operator permits the server's own identity at an origin.
    #[must_use]
    pub fn knows_us_at(&self, origin: &str) -> bool {
        self.own_identity.contains(origin)
    }

    /// The private networks that an origin may be in.
    #[must_use]
    pub fn private_ranges(&self, origin: &str) -> Vec<String> {
        let nets = self.ranges.get(origin);
        nets.map_or_else(Vec::new, |nets| nets.iter().map(IpNet::to_string).collect())
    }

    /// Whether the operator has allowed an origin at any address.
    #[must_use]
    pub fn allows(&self, origin: &str) -> bool {
        self.allowed.contains(origin)
    }

    /// Checks a URL as far as possible without resolving its name.
    ///
    /// # Errors
    /// Why it is not permitted.
    pub fn check(&self, url: &Url) -> Result<(), TransportError> {
        self.resolver_for(url).map(|_| ())
    }

    /// Sends a request, whose URI has to be absolute, and reads the whole response.
    ///
    /// # Errors
    /// If the address is not permitted, or there was no response within the limits.
    pub async fn send(
        &self,
        request: Request<Vec<u8>>,
        limits: Limits,
    ) -> Result<Response<Vec<u8>>, TransportError> {
        let (parts, body) = request.into_parts();
        // Parsed as browsers do (WHATWG), so that every notation of an address is recognized.
        let url = Url::parse(&parts.uri.to_string())
            .map_err(|_| TransportError::Refused("the address is no URL".to_owned()))?;
        let client = self.way_to(&url)?;
        execute_request(client, url, parts, body, limits).await
    }

    /// Resolves the name in a URL as a request would; returns the number of permitted addresses.
    ///
    /// # Errors
    /// If the name is unknown, or none of its addresses is permitted.
    pub async fn resolve(&self, url: &Url) -> Result<usize, TransportError> {
        let resolver = self.resolver_for(url)?;
        match url.host() {
            Some(Host::Domain(name)) => {
                let found = resolver.addresses(name, 0).await;
                found.map(|found| found.len()).map_err(|error| {
                    if resolver::is_refusal(&error) {
                        return TransportError::Refused(error.to_string());
                    }
                    TransportError::NotConnected(format!("{name} is not known: {error}"))
                })
            }
            _ => Ok(1),
        }
    }

    /// The client for a URL.
    fn way_to(&self, url: &Url) -> Result<&Client, TransportError> {
        Ok(match self.resolver_for(url)? {
            Resolver::AsTheSystem => &self.anywhere,
            Resolver::ToPublic => &self.vetted,
            Resolver::ToPublicOr(_) => {
                let origin = url.origin().ascii_serialization();
                self.into_ranges.get(&origin).unwrap_or(&self.vetted)
            }
        })
    }

    /// The resolver for the name in a URL. Literal addresses are checked here.
    fn resolver_for(&self, url: &Url) -> Result<Resolver, TransportError> {
        let refused = |why: &str| {
            Err(TransportError::Refused(format!(
                "{why}: {}",
                printable_origin(url)
            )))
        };
        if !url.username().is_empty() || url.password().is_some() {
            return refused("an address must not hold a password");
        }
        if !matches!(url.scheme(), "http" | "https") {
            return refused("only http and https are spoken");
        }
        let origin = url.origin().ascii_serialization();
        if self.allowed.contains(&origin) {
            return Ok(Resolver::AsTheSystem);
        }
        if url.scheme() != "https" {
            return refused("without TLS only allowed origins are asked");
        }
        let resolver = match self.ranges.get(&origin) {
            Some(nets) => Resolver::ToPublicOr(Arc::clone(nets)),
            None => Resolver::ToPublic,
        };
        let may = match url.host() {
            Some(Host::Ipv4(address)) => resolver.lets_through(address.into()),
            Some(Host::Ipv6(address)) => resolver.lets_through(address.into()),
            // Its addresses are checked when it is resolved.
            Some(Host::Domain(_)) => true,
            None => false,
        };
        if !may {
            return refused("this address is in no public network");
        }
        Ok(resolver)
    }
}

/// Sends a request and reads the whole response, within the limits.
async fn execute_request(
    client: &Client,
    url: Url,
    parts: Parts,
    body: impl Into<Body>,
    limits: Limits,
) -> Result<Response<Vec<u8>>, TransportError> {
    let asking = client
        .request(parts.method.clone(), url.clone())
        .headers(parts.headers)
        .body(body)
        .timeout(limits.time);
    let answer = async { read(asking.send().await, limits).await };
    spans::asking(&parts.method, &url, answer).await
}

/// Reads a whole response, within the limits.
async fn read(
    answer: reqwest::Result<reqwest::Response>,
    limits: Limits,
) -> Result<Response<Vec<u8>>, TransportError> {
    let mut answer = answer.map_err(|error| failure(&error))?;
    let too_large = |length: u64| length > limits.bytes as u64;
    if answer.content_length().is_some_and(too_large) {
        return Err(TransportError::TooLarge);
    }
    let mut read = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|error| failure(&error))? {
        read.extend_from_slice(&chunk);
        if too_large(read.len() as u64) {
            return Err(TransportError::TooLarge);
        }
    }
    let mut response = Response::new(read);
    *response.status_mut() = answer.status();
    *response.headers_mut() = std::mem::take(answer.headers_mut());
    Ok(response)
}

/// Scheme, host and port, without the path, which may contain a secret.
fn printable_origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn client(tls: ClientConfig, resolver: Resolver) -> Result<Client, TransportError> {
    built(builder(tls, resolver))
}

fn builder(tls: ClientConfig, resolver: Resolver) -> ClientBuilder {
    Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(resolver)
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .http1_only()
        .connect_timeout(CONNECTS)
        .pool_idle_timeout(Duration::from_secs(30))
}

fn built(builder: ClientBuilder) -> Result<Client, TransportError> {
    builder
        .build()
        .map_err(|error| TransportError::Broken(format!("no request can be sent: {error}")))
}

/// TLS with the system's roots, the operator's, and these certificates.
fn tls(more: &[CertificateDer<'static>]) -> Result<ClientConfig, TransportError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(more.iter().cloned());
    let own = trusted_authorities::trusted().iter();
    roots.add_parsable_certificates(own.map(|bytes| CertificateDer::from(bytes.clone())));
    // Without any roots every https request fails with a clear reason; http to allowed origins
    // works.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| TransportError::Broken(format!("TLS cannot be set up: {error}")))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// The innermost error, which is the most specific.
fn failure(error: &reqwest::Error) -> TransportError {
    if error.is_timeout() {
        return TransportError::TimedOut;
    }
    let mut reason: &dyn std::error::Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    if let Some(refused) = reason
        .downcast_ref()
        .filter(|error| resolver::is_refusal(error))
    {
        return TransportError::Refused(refused.to_string());
    }
    if error.is_connect() {
        return TransportError::NotConnected(format!("nobody answers there: {reason}"));
    }
    TransportError::Broken(format!("the connection broke: {reason}"))
}

#[cfg(test)]
#[path = "egress_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "corpus_tests.rs"]
mod corpus;
