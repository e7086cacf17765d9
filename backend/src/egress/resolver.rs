//! Names to addresses, for connections that go to public addresses only.
//!
//! The addresses that are looked at are the very ones that are connected to, so a name that
//! resolves to something else a moment later changes nothing. Called by the connector of `egress`.

use std::io;
use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

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

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let vets = *self == Self::ToPublic;
        Box::pin(async move {
            let name = name.as_str().to_owned();
            // The port is put in by the client.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let kept: Vec<SocketAddr> = found
                .filter(|address| !vets || is_public(address.ip()))
                .collect();
            if kept.is_empty() {
                return Err(io::Error::other(NotPublic(name)).into());
            }
            let addresses: Addrs = Box::new(kept.into_iter());
            Ok(addresses)
        })
    }
}
