//! The way to one site: an origin, its certificates, and nothing beside it.
//!
//! A way goes to its origin alone (and to the places that the operator's rules let a sign-in
//! method ask), over connections that are its own, so that a sign-in that binds a connection
//! binds nobody else's. Made by `services::sites`, one for each connection in use.

use std::sync::Arc;

use http::{Request, Response};
use reqwest::Client;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use tokio::net::TcpStream;
use url::Url;

use super::resolver::Resolver;
use super::{Bounds, Egress, EgressError, builder, built, read, shown, tls};

/// What is trusted on the way, and where else it may lead.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Certificates beside the system's, PEM.
    pub certificates: Option<String>,
    /// Further origins that the sign-in asks.
    pub origins: Vec<String>,
    /// Host and port of the server that hands out tickets.
    pub tickets: Option<(String, u16)>,
}

/// The way to one site.
pub struct Way {
    egress: Arc<Egress>,
    origin: String,
    trust: Trust,
    client: Client,
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
        Ok(Self {
            client: own_client(&resolver, &trust)?,
            origin: site.origin().ascii_serialization(),
            egress,
            trust,
            resolver,
        })
    }

    /// The same way over one connection that nobody else uses.
    ///
    /// # Errors
    /// TLS cannot be set up.
    pub fn exclusive(&self) -> Result<Self, EgressError> {
        let builder = prepared(&self.resolver, &self.trust)?;
        Ok(Self {
            client: built(builder.pool_max_idle_per_host(1))?,
            egress: Arc::clone(&self.egress),
            origin: self.origin.clone(),
            trust: self.trust.clone(),
            resolver: self.resolver.clone(),
        })
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
        let origin = url.origin().ascii_serialization();
        if origin != self.origin {
            if self.trust.origins.contains(&origin) {
                return self.egress.send(request, bounds).await;
            }
            let elsewhere = shown(&url);
            return Err(EgressError::Refused(format!(
                "this connection leads to {} and not to {elsewhere}",
                self.origin
            )));
        }
        // The very same rules as when the way was made: what is in the address may differ.
        self.egress.check(&url)?;
        let (parts, body) = request.into_parts();
        let asking = self
            .client
            .request(parts.method, url)
            .headers(parts.headers)
            .body(body)
            .timeout(bounds.time);
        read(asking.send().await, bounds).await
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

fn own_client(resolver: &Resolver, trust: &Trust) -> Result<Client, EgressError> {
    built(prepared(resolver, trust)?)
}

fn prepared(resolver: &Resolver, trust: &Trust) -> Result<reqwest::ClientBuilder, EgressError> {
    let certificates: Vec<CertificateDer<'static>> = match &trust.certificates {
        None => Vec::new(),
        Some(bundle) => CertificateDer::pem_slice_iter(bundle.as_bytes())
            .collect::<Result<_, _>>()
            .map_err(|_| EgressError::Failed("its certificates cannot be read".to_owned()))?,
    };
    Ok(builder(tls(&certificates)?, resolver.clone()))
}
