//! Sends traces to the operator's collector. Its address is not restricted, just as the database's:
//! it is usually in the operator's own network or on this machine.

use std::sync::Mutex;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use opentelemetry_http::{HttpClient, HttpError};
use reqwest::Client;
use site_lists::{Limits, TransportError};
use tokio::runtime::{Builder, Runtime};

use super::client::{client, read, tls};
use super::resolver::Resolver;

/// The limits of one batch; the response is short.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(10),
    bytes: 64 * 1024,
};

/// Sends batches.
pub struct ToCollector {
    client: Client,
    /// The runtime of the requests; the mutex serializes the batches.
    runtime: Mutex<Runtime>,
}

impl std::fmt::Debug for ToCollector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ToCollector")
    }
}

impl ToCollector {
    /// Builds a sender.
    ///
    /// # Errors
    /// If TLS or the runtime cannot be set up.
    pub fn new() -> Result<Self, TransportError> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| TransportError::Broken(error.to_string()))?;
        Ok(Self {
            client: client(tls(&[])?, Resolver::AsTheSystem)?,
            runtime: Mutex::new(runtime),
        })
    }
}

#[async_trait]
impl HttpClient for ToCollector {
    async fn send_bytes(
        &self,
        request: http::Request<Bytes>,
    ) -> Result<http::Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let asking = self
            .client
            .request(parts.method, parts.uri.to_string())
            .headers(parts.headers)
            .body(body)
            .timeout(LIMITS.time);
        let runtime = self
            .runtime
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let answer = runtime.block_on(async { read(asking.send().await, LIMITS).await })?;
        Ok(answer.map(Bytes::from))
    }
}
