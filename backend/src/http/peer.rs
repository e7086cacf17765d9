//! Who is at the other end of a connection; what failed sign-ins are counted by.
//!
//! Put into each request by the listener (`cli::doors`). Behind a proxy it is the proxy's address.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use axum::http::Extensions;

/// The address at the other end.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The address of a request's sender, where it came over a connection.
#[must_use]
pub fn address_of(extensions: &Extensions) -> Option<IpAddr> {
    extensions
        .get::<ConnectInfo<Peer>>()
        .map(|ConnectInfo(Peer(address))| address.ip())
}
