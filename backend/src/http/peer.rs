//! Who is at the other end of a connection; what failed sign-ins are counted by.
//!
//! Put into each request by the listener (`cli::listener`). Behind a proxy it is the proxy's address,
//! unless that one is trusted and says for whom it asks.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::{Extensions, HeaderMap};

use crate::config::Proxies;

/// The address at the other end.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The address of a request's sender, where it came over a connection.
#[must_use]
pub fn address_of(
    extensions: &Extensions,
    headers: &HeaderMap,
    proxies: &Proxies,
) -> Option<IpAddr> {
    let ConnectInfo(Peer(peer)) = extensions.get::<ConnectInfo<Peer>>()?;
    let said = headers.get_all(proxies.header()).iter();
    // What is no text names nobody.
    let said = said.map(|value| value.to_str().unwrap_or_default());
    Some(proxies.caller(peer.ip(), said))
}
