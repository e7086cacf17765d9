//! The way to a site as `site_lists` wants it: requests through `egress`, to one origin.
//!
//! Made by `open`.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use site_lists::{Limits, Line, Request, Response, Transport, TransportError};

use crate::egress::{Bounds, EgressError, Way};

/// Sends the client's requests.
pub(super) struct Through(pub(super) Way);

#[async_trait]
impl Transport for Through {
    async fn send(&self, request: Request, limits: Limits) -> Result<Response, TransportError> {
        let bounds = Bounds {
            time: limits.time,
            bytes: limits.bytes,
        };
        let request = request.map(|body| body.to_vec());
        let answer = self.0.send(request, bounds).await.map_err(told)?;
        Ok(answer.map(Bytes::from))
    }

    fn exclusive(&self) -> Result<Arc<dyn Transport>, TransportError> {
        Ok(Arc::new(Self(self.0.exclusive().map_err(told)?)))
    }

    async fn dial(&self, host: &str, port: u16) -> Result<Box<dyn Line>, TransportError> {
        let line = self.0.dial(host, port).await.map_err(told)?;
        Ok(Box::new(line))
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
