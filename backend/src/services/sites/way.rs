//! The way to a site as `site_lists` wants it: requests through `egress`, to one origin.
//!
//! Made by `open`.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use http::Uri;
use site_lists::{
    ByteStream, Connector, DedicatedConnection, Limits, Request, Response, Transport,
    TransportError,
};
use url::Url;

use crate::egress::{Bounds, Connected, EgressError, Way};
use crate::failpoint;

/// Sends the client's requests.
pub(super) struct Through(Arc<Way>);

impl Through {
    /// Sends them that way.
    pub(super) fn new(way: Way) -> Self {
        Self(Arc::new(way))
    }
}

#[async_trait]
impl Transport for Through {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        let bounds = Bounds {
            time: limits.time,
            bytes: limits.bytes,
        };
        failpoint::break_down("site.asked", request.headers());
        let request = request.map(|body| body.to_vec());
        let answer = self.0.send(request, bounds).await.map_err(told)?;
        Ok(answer.map(Bytes::from))
    }

    fn open_dedicated(&self) -> Result<Arc<dyn Transport>, TransportError> {
        let line = ToSite(Arc::clone(&self.0));
        Ok(Arc::new(DedicatedConnection::new(Arc::new(line))))
    }

    async fn dial(&self, host: &str, port: u16) -> Result<Box<dyn ByteStream>, TransportError> {
        let line = self.0.dial(host, port).await.map_err(told)?;
        Ok(Box::new(line))
    }
}

/// Makes connections to the site.
struct ToSite(Arc<Way>);

#[async_trait]
impl Connector for ToSite {
    async fn connect(&self, to: &Uri) -> Result<Box<dyn ByteStream>, TransportError> {
        // Read as browsers read it, so that an address is what it is in every notation.
        let url = Url::parse(&to.to_string())
            .map_err(|_| TransportError::Refused("the address is no URL".to_owned()))?;
        Ok(match self.0.connect(&url).await.map_err(told)? {
            Connected::Plain(line) => Box::new(line),
            Connected::Encrypted(line) => Box::new(line),
        })
    }
}

fn told(error: EgressError) -> TransportError {
    match error {
        EgressError::Refused(why) => TransportError::Refused(why),
        EgressError::NotConnected(why) => TransportError::NotConnected(why),
        EgressError::TimedOut => TransportError::TimedOut,
        EgressError::TooLarge => TransportError::TooLarge,
        EgressError::Failed(why) => TransportError::Broken(why),
    }
}
