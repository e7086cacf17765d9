//! How requests leave this crate. A caller that has to watch where they go (a server with rules
//! about addresses) brings a `Transport` of its own; others take `DirectTransport`.
//!
//! Connections are made in this directory alone.

mod dedicated;
#[cfg(feature = "direct")]
mod direct;
mod interface;

pub use dedicated::{Connector, DedicatedConnection};
#[cfg(feature = "direct")]
pub use direct::DirectTransport;
pub use interface::{ByteStream, Limits, Request, Response, Transport, TransportError};
