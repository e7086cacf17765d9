//! Resolves names for connections to permitted addresses.
//!
//! The checked addresses are the ones that are connected to, so a name that resolves differently a
//! moment later (DNS rebinding) changes nothing.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::address::is_public;
use super::private::is_never_opened;

/// How names are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// To public addresses only.
    ToPublic,
    /// To public addresses and to those of permitted private networks.
    ToPublicOr(Arc<[IpNet]>),
    /// To any address; for origins that the operator has allowed.
    AsTheSystem,
}

impl Resolver {
    /// Whether that address may be connected to.
    pub fn lets_through(&self, address: IpAddr) -> bool {
        match self {
            Self::AsTheSystem => true,
            Self::ToPublic => is_public(address),
            Self::ToPublicOr(nets) => {
                let opened = nets.iter().any(|net| net.contains(&address));
                is_public(address) || opened && !is_never_opened(address)
            }
        }
    }

    /// The permitted addresses of a name.
    ///
    /// # Errors
    /// If the name has no address, or none that is permitted.
    pub async fn addresses(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let found = tokio::net::lookup_host((name, port)).await?;
        let kept: Vec<SocketAddr> = found
            .filter(|address| self.lets_through(address.ip()))
            .collect();
        if kept.is_empty() {
            return Err(io::Error::other(NotPublic(name.to_owned())));
        }
        Ok(kept)
    }
}

/// None of a name's addresses is permitted.
#[derive(Debug, thiserror::Error)]
#[error("{0} is in no public network")]
pub struct NotPublic(String);

/// Whether an error means that the addresses are not permitted, rather than that there are none.
pub fn is_refusal(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<NotPublic>())
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            // The client sets the port.
            let kept = resolver.addresses(name.as_str(), 0).await?;
            let addresses: Addrs = Box::new(kept.into_iter());
            Ok(addresses)
        })
    }
}
