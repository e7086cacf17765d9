//! The rules: which requests are permitted, and over which client they go.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use http::{Request, Response};
use ipnet::IpNet;
use reqwest::Client;
use site_lists::{Limits, TransportError};
use url::{Host, Url};

use crate::client::{client, execute_request, printable_origin, tls};
use crate::private::PrivateRange;
use crate::resolver::{self, Resolver};

/// Sends requests.
pub struct Egress {
    /// Origins that are permitted at any address, and ticket servers as `tcp://HOST:PORT`.
    pub(crate) allowed: HashSet<String>,
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
    pub(crate) fn resolver_for(&self, url: &Url) -> Result<Resolver, TransportError> {
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
