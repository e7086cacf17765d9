//! Names to addresses, for connections that go to public addresses only.
//!
//! The addresses that are looked at are the very ones that are connected to, so a name that
//! resolves to something else a moment later changes nothing.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use ipnet::IpNet;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::is_public;
use super::private::is_never_opened;

/// How names are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolver {
    /// To public addresses.
    ToPublic,
    /// To public addresses and to those of a private network that was opened.
    ToPublicOr(Arc<[IpNet]>),
    /// To whatever the system says; for origins that the operator has allowed.
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

    /// The addresses of a name that may be connected to.
    ///
    /// # Errors
    /// The name has none, or none that may be.
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

/// None of a name's addresses is public.
#[derive(Debug, thiserror::Error)]
#[error("{0} is in no public network")]
pub struct NotPublic(String);

/// Whether an error says that an address may not be asked, and not that there is none.
pub fn is_refusal(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<NotPublic>())
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            // The port is put in by the client.
            let kept = resolver.addresses(name.as_str(), 0).await?;
            let addresses: Addrs = Box::new(kept.into_iter());
            Ok(addresses)
        })
    }
}
