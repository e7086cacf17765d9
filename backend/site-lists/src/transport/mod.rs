//! How requests leave this crate. A caller that has to watch where they go (a server with rules
//! about addresses) brings a `Transport` of its own; others take `Direct`.
//!
//! Connections are made in this directory alone.

#[cfg(feature = "direct")]
mod direct;
mod interface;
mod own;

#[cfg(feature = "direct")]
pub use direct::Direct;
pub use interface::{Limits, Line, Request, Response, Transport, TransportError};
pub use own::{Connect, OwnConnection};
