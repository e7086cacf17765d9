//! Every outgoing request of the server goes through here.
//!
//! A request reaches public addresses over https, and nothing else: not this machine, not its
//! network, not the metadata service of a cloud, however the address is written and whatever its
//! name resolves to. The operator may allow an exact origin (the identity provider's, for one),
//! which is then reached wherever it is, or say which private network an origin lies in. Redirects
//! are answers like others, no proxy of the environment is asked, and time and size are bounded.
//! Nobody who is asked is told of a trace.

mod address;
#[cfg(feature = "opentelemetry")]
pub mod collector;
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

use crate::telemetry;

pub use address::is_public;
pub use private::{PrivateRange, PrivateRangeError};
use resolver::Resolver;
pub use site_transport::{SiteTransport, TlsTrust};

/// How long a connection may take to come about.
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
    /// Requests to public addresses, and to these origins (`http://127.0.0.1:9000`) wherever
    /// they are.
    ///
    /// # Errors
    /// TLS cannot be set up.
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

    /// The same, and origins that lie in private networks: those alone, there alone.
    ///
    /// # Errors
    /// TLS cannot be set up.
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

    /// The same, and origins where the server may sign in as itself. That opens no address.
    #[must_use]
    pub fn with_own_identity_at(mut self, origins: impl IntoIterator<Item = String>) -> Self {
        self.own_identity.extend(origins);
        self
    }

    /// Whether the operator lets the server sign in as itself at an origin.
    #[must_use]
    pub fn knows_us_at(&self, origin: &str) -> bool {
        self.own_identity.contains(origin)
    }

    /// The private networks that an origin may lie in.
    #[must_use]
    pub fn private_ranges(&self, origin: &str) -> Vec<String> {
        let nets = self.ranges.get(origin);
        nets.map_or_else(Vec::new, |nets| nets.iter().map(IpNet::to_string).collect())
    }

    /// Whether the operator has allowed an origin wherever it is.
    #[must_use]
    pub fn allows(&self, origin: &str) -> bool {
        self.allowed.contains(origin)
    }

    /// Whether an address may be asked, as far as that can be seen without resolving its name.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, url: &Url) -> Result<(), TransportError> {
        self.resolver_for(url).map(|_| ())
    }

    /// Sends a request, whose URI has to be absolute, and reads the whole answer.
    ///
    /// # Errors
    /// The address may not be asked, or there was no answer within the limits.
    pub async fn send(
        &self,
        request: Request<Vec<u8>>,
        limits: Limits,
    ) -> Result<Response<Vec<u8>>, TransportError> {
        let (parts, body) = request.into_parts();
        // Read as browsers read it, so that an address is what it is in every notation.
        let url = Url::parse(&parts.uri.to_string())
            .map_err(|_| TransportError::Refused("the address is no URL".to_owned()))?;
        let client = self.way_to(&url)?;
        execute_request(client, url, parts, body, limits).await
    }

    /// Resolves the name in an address as a request would; how many addresses may be asked.
    ///
    /// # Errors
    /// The name is not known, or leads to addresses that may not be asked.
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

    /// The client that may be used for an address.
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

    /// How the name in an address may be resolved; literal addresses are looked at here.
    fn resolver_for(&self, url: &Url) -> Result<Resolver, TransportError> {
        let refused = |why: &str| Err(TransportError::Refused(format!("{why}: {}", shown(url))));
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
            // Its addresses are looked at when it is resolved.
            Some(Host::Domain(_)) => true,
            None => false,
        };
        if !may {
            return refused("this address is in no public network");
        }
        Ok(resolver)
    }
}

/// Asks, and reads the answer to its end, within the limits.
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
    telemetry::asking(&parts.method, &url, answer).await
}

/// Reads an answer to its end, within the limits.
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

/// The origin of a URL, as `Egress::new` takes it; `None` when it is no http or https URL.
#[must_use]
pub fn origin_of(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.origin().ascii_serialization())
}

/// Scheme, host and port: never a path, which may hold a secret.
fn shown(url: &Url) -> String {
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

/// TLS that trusts what the system trusts, and these certificates.
fn tls(more: &[CertificateDer<'static>]) -> Result<ClientConfig, TransportError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(more.iter().cloned());
    // Without any every https request fails with its reason; http to allowed origins does not.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| TransportError::Broken(format!("TLS cannot be set up: {error}")))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// The innermost reason, which is the one that helps.
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
