//! How far the orderly end of the server is.
//!
//! The command line moves the phase forward, never back; the listener and `GET /readyz` read it.

use tokio::sync::watch;

/// The phases, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShutdownPhase {
    /// Requests are answered.
    #[default]
    Serving,
    /// Requests are answered still, but `readyz` answers 503 and every response closes its
    /// connection, so that a load balancer chooses another server.
    Draining,
    /// No new connection is accepted.
    Stopping,
}

/// The phase of a server that nobody stops.
#[must_use]
pub fn never() -> watch::Receiver<ShutdownPhase> {
    watch::channel(ShutdownPhase::Serving).1
}
