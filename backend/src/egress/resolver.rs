//! Names to addresses, for connections that go to public addresses only.
//!
//! The addresses that are looked at are the very ones that are connected to, so a name that
//! resolves to something else a moment later changes nothing. Called by the connector of `egress`.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper_util::client::legacy::connect::dns::Name;

use super::is_public;

/// How names are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// To public addresses.
    ToPublic,
    /// To whatever the system says; for origins that the operator has allowed.
    AsTheSystem,
}

/// None of a name's addresses is public.
#[derive(Debug, thiserror::Error)]
#[error("{0} is in no public network")]
pub struct NotPublic(String);

impl tower::Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let vets = *self == Self::ToPublic;
        Box::pin(async move {
            let name = name.as_str().to_owned();
            // The port is put in by the connector.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let kept: Vec<SocketAddr> = found
                .filter(|address| !vets || is_public(address.ip()))
                .collect();
            if kept.is_empty() {
                return Err(io::Error::other(NotPublic(name)));
            }
            Ok(kept.into_iter())
        })
    }
}
