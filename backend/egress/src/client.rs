//! Clients and what they do: TLS, limits of time and size, and what an error means.

use std::sync::Arc;
use std::time::Duration;

use checklist_runtime::{authorities, spans};
use http::Response;
use http::request::Parts;
use reqwest::redirect::Policy;
use reqwest::{Body, Client, ClientBuilder};
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use site_lists::{Limits, TransportError};
use url::Url;

use crate::resolver::{self, Resolver};

/// The timeout for a new connection.
pub(crate) const CONNECTS: Duration = Duration::from_secs(10);

/// Sends a request and reads the whole response, within the limits.
pub(crate) async fn execute_request(
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
pub(crate) async fn read(
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
pub(crate) fn printable_origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

pub(crate) fn client(tls: ClientConfig, resolver: Resolver) -> Result<Client, TransportError> {
    built(builder(tls, resolver))
}

pub(crate) fn builder(tls: ClientConfig, resolver: Resolver) -> ClientBuilder {
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

pub(crate) fn built(builder: ClientBuilder) -> Result<Client, TransportError> {
    builder
        .build()
        .map_err(|error| TransportError::Broken(format!("no request can be sent: {error}")))
}

/// TLS with the system's roots, the operator's, and these certificates.
pub(crate) fn tls(more: &[CertificateDer<'static>]) -> Result<ClientConfig, TransportError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(more.iter().cloned());
    let own = authorities::trusted().iter();
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
pub(crate) fn failure(error: &reqwest::Error) -> TransportError {
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
