//! The client address of a request, by which failed sign-ins are counted.
//!
//! `cli::listener` adds the peer address to each request. Behind a trusted proxy, the client
//! address comes from the forwarding header.

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
