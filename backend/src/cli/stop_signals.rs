//! The signals that stop `serve`, and the time that load balancers get before it stops.
//!
//! SIGTERM comes from a service manager: the server drains first. Ctrl+C comes from a person who
//! waits, and a second signal from one who is in a hurry: neither waits for the drain.

use std::time::Duration;

use tokio::sync::watch;

use crate::shutdown::ShutdownPhase;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// A signal to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopSignal {
    /// Ctrl+C.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

/// Notices signals from its creation on.
pub(super) struct StopSignals {
    #[cfg(unix)]
    streams: Option<(Signal, Signal)>,
}

impl StopSignals {
    /// Listens from now on.
    pub(super) fn listen() -> Self {
        Self {
            #[cfg(unix)]
            streams: signal(SignalKind::interrupt())
                .ok()
                .zip(signal(SignalKind::terminate()).ok()),
        }
    }

    /// The next signal.
    pub(super) async fn next(&mut self) -> StopSignal {
        #[cfg(unix)]
        if let Some((interrupted, terminated)) = &mut self.streams {
            return tokio::select! {
                _ = interrupted.recv() => StopSignal::Interrupt,
                _ = terminated.recv() => StopSignal::Terminate,
            };
        }
        let _ = tokio::signal::ctrl_c().await;
        StopSignal::Interrupt
    }
}

/// Waits for a signal, then for load balancers to notice that the server drains. `begun` is told
/// how long that takes at most.
pub(super) async fn wait(
    mut signals: StopSignals,
    drain: Duration,
    phase: &watch::Sender<ShutdownPhase>,
    begun: impl FnOnce(Duration),
) {
    let drain = match signals.next().await {
        StopSignal::Terminate => drain,
        StopSignal::Interrupt => Duration::ZERO,
    };
    begun(drain);
    phase.send_replace(ShutdownPhase::Draining);
    tokio::select! {
        () = tokio::time::sleep(drain) => {}
        _ = signals.next(), if !drain.is_zero() => tracing::info!("a second signal ends the drain"),
    }
}
