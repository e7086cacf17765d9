//! Every outgoing request of the server goes through here.
//!
//! A request reaches public addresses over https, and nothing else: not this machine, not its
//! network, not the metadata service of a cloud, however the address is written and whatever its
//! name resolves to. The operator may allow an exact origin (the identity provider's, for one),
//! which is then reached wherever it is. Redirects are answers like others, no proxy of the
//! environment is asked, and time and size are bounded. Called by `auth::oidc`.

mod address;
mod resolver;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use reqwest::Client;
use reqwest::redirect::Policy;
use rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

pub use address::is_public;
use resolver::Resolver;

/// How long a connection may take to come about.
const CONNECTS: Duration = Duration::from_secs(10);

/// What one request may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// From the first byte sent to the last one read.
    pub time: Duration,
    /// The largest body of an answer, in bytes.
    pub bytes: usize,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EgressError {
    /// The address is none that may be asked.
    #[error("{0}")]
    Refused(String),
    /// It took too long.
    #[error("there was no answer in time")]
    TimedOut,
    /// The answer is too large.
    #[error("the answer is too large")]
    TooLarge,
    /// Nobody answered, or not in HTTP.
    #[error("{0}")]
    Failed(String),
}

/// Sends requests.
pub struct Egress {
    allowed: HashSet<String>,
    vetted: Client,
    anywhere: Client,
}

impl Egress {
    /// Requests to public addresses, and to these origins (`http://127.0.0.1:9000`) wherever
    /// they are.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn new(allowed: impl IntoIterator<Item = String>) -> Result<Self, EgressError> {
        let tls = tls()?;
        Ok(Self {
            allowed: allowed.into_iter().collect(),
            vetted: client(tls.clone(), Resolver::ToPublic)?,
            anywhere: client(tls, Resolver::AsTheSystem)?,
        })
    }

    /// Sends a request, whose URI has to be absolute, and reads the whole answer.
    ///
    /// # Errors
    /// The address may not be asked, or there was no answer within the bounds.
    pub async fn send(
        &self,
        request: Request<Vec<u8>>,
        bounds: Bounds,
    ) -> Result<Response<Vec<u8>>, EgressError> {
        let (parts, body) = request.into_parts();
        // Read as browsers read it, so that an address is what it is in every notation.
        let url = Url::parse(&parts.uri.to_string())
            .map_err(|_| EgressError::Refused("the address is no URL".to_owned()))?;
        let client = self.way_to(&url)?;
        let asking = client
            .request(parts.method, url)
            .headers(parts.headers)
            .body(body)
            .timeout(bounds.time);
        let mut answer = asking.send().await.map_err(|error| failure(&error))?;
        let too_large = |length: u64| length > bounds.bytes as u64;
        if answer.content_length().is_some_and(too_large) {
            return Err(EgressError::TooLarge);
        }
        let mut read = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| failure(&error))? {
            read.extend_from_slice(&chunk);
            if too_large(read.len() as u64) {
                return Err(EgressError::TooLarge);
            }
        }
        let mut response = Response::new(read);
        *response.status_mut() = answer.status();
        *response.headers_mut() = std::mem::take(answer.headers_mut());
        Ok(response)
    }

    /// The client that may be used for an address.
    fn way_to(&self, url: &Url) -> Result<&Client, EgressError> {
        let refused = |why: &str| Err(EgressError::Refused(format!("{why}: {}", shown(url))));
        if !url.username().is_empty() || url.password().is_some() {
            return refused("an address must not hold a password");
        }
        if !matches!(url.scheme(), "http" | "https") {
            return refused("only http and https are spoken");
        }
        if self.allowed.contains(&url.origin().ascii_serialization()) {
            return Ok(&self.anywhere);
        }
        if url.scheme() != "https" {
            return refused("without TLS only allowed origins are asked");
        }
        let public = match url.host() {
            Some(Host::Ipv4(address)) => is_public(address.into()),
            Some(Host::Ipv6(address)) => is_public(address.into()),
            // Its addresses are looked at when it is resolved.
            Some(Host::Domain(_)) => true,
            None => false,
        };
        if !public {
            return refused("this address is in no public network");
        }
        Ok(&self.vetted)
    }
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

fn client(tls: ClientConfig, resolver: Resolver) -> Result<Client, EgressError> {
    Client::builder()
        .tls_backend_preconfigured(tls)
        .dns_resolver(resolver)
        .no_proxy()
        .redirect(Policy::none())
        .referer(false)
        .http1_only()
        .connect_timeout(CONNECTS)
        .pool_idle_timeout(Duration::from_secs(30))
        .build()
        .map_err(|error| EgressError::Failed(format!("no request can be sent: {error}")))
}

fn tls() -> Result<ClientConfig, EgressError> {
    let mut roots = RootCertStore::empty();
    // Without any every https request fails with its reason; http to allowed origins does not.
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| EgressError::Failed(format!("TLS cannot be set up: {error}")))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}

/// The innermost reason, which is the one that helps.
fn failure(error: &reqwest::Error) -> EgressError {
    if error.is_timeout() {
        return EgressError::TimedOut;
    }
    let mut reason: &dyn std::error::Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    let of_resolver = reason
        .downcast_ref::<std::io::Error>()
        .and_then(|error| error.get_ref());
    if let Some(refused) = of_resolver.filter(|error| error.is::<resolver::NotPublic>()) {
        return EgressError::Refused(refused.to_string());
    }
    EgressError::Failed(format!("nobody answers there: {reason}"))
}

#[cfg(test)]
#[path = "egress_tests.rs"]
mod tests;
