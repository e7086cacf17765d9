//! The listening socket: accepts connections, and resets none of them when the server stops.
//!
//! A connection that the system has made but nobody has accepted is reset when the listener goes.
//! So, once the server stops, new connections are refused first (as by a server
//! that is not there), those in the backlog are accepted, and only then is the listener dropped.
//! `write_timeout` watches accepted connections, `connections` limits their number, and `answer`
//! serves them.

mod activity;
pub mod answer;
mod connections;
mod open_files;
mod write_timeout;

use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use crate::shutdown::ShutdownPhase;
use checklist_runtime::log_budget::LogBudget;
pub use connections::{ConnectionLimits, Connections};
pub use open_files::{most_connections, most_streams};

/// The backlog counts as empty after this long without a connection.
const QUIET: Duration = Duration::from_millis(20);
/// Where new connections cannot be refused, accepting ends after this.
const LONGEST: Duration = Duration::from_millis(500);
/// How long the connections accepted last may take to send a request.
const LAST_REQUESTS: Duration = Duration::from_millis(100);
/// How long nobody is accepted after the system could not do it.
const PAUSE: Duration = Duration::from_millis(100);

/// A listener that ends in order.
pub struct GracefulListener {
    listener: TcpListener,
    shutdown: watch::Receiver<ShutdownPhase>,
    empty: watch::Sender<bool>,
    /// How long a reader may take nothing.
    patience: Duration,
    closing: Option<Instant>,
    log: LogBudget,
}

impl GracefulListener {
    /// Listens until the server stops; `patience` is how long a reader may take nothing of
    /// what is sent. The future is done when the backlog is empty and its
    /// connections had time to send a request.
    pub fn new(
        listener: TcpListener,
        shutdown: watch::Receiver<ShutdownPhase>,
        patience: Duration,
    ) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let (empty, mut is_empty) = watch::channel(false);
        let ended = async move {
            let _ = is_empty.wait_for(|empty| *empty).await;
            tokio::time::sleep(LAST_REQUESTS).await;
        };
        let graceful = Self {
            listener,
            shutdown,
            empty,
            patience,
            closing: None,
            log: LogBudget::new(1),
        };
        (graceful, ended)
    }

    async fn next(&mut self) -> std::io::Result<(TcpStream, SocketAddr)> {
        let Some(since) = self.closing else {
            return tokio::select! {
                biased;
                // A server that nobody stops has nobody who says so.
                Ok(_) = self.shutdown.wait_for(|phase| *phase == ShutdownPhase::Stopping) => {
                    refuse_new_connections(&self.listener);
                    self.closing = Some(Instant::now());
                    Err(std::io::ErrorKind::Interrupted.into())
                }
                caller = self.listener.accept() => caller,
            };
        };
        if since.elapsed() < LONGEST
            && let Ok(caller) = timeout(QUIET, self.listener.accept()).await
        {
            return caller;
        }
        self.empty.send_replace(true);
        std::future::pending().await
    }

    /// How long a reader may take nothing.
    pub const fn patience(&self) -> Duration {
        self.patience
    }

    /// The next caller.
    pub async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            match self.next().await {
                Ok((stream, caller)) => {
                    // Answers are short and complete; waiting to fill a packet only delays them.
                    let _ = stream.set_nodelay(true);
                    return (stream, caller);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    // Most likely too many open files, although some are kept back.
                    if let Some(left_out) = self.log.take() {
                        tracing::warn!(%error, left_out, "a connection was not accepted");
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}

/// Refuses new connections; established ones stay. On Linux, by a filter that drops every packet to
/// the listening socket.
#[cfg(target_os = "linux")]
fn refuse_new_connections(listener: &TcpListener) {
    /// BPF: return 0 bytes of the packet.
    const DROP: socket2::SockFilter = socket2::SockFilter::new(0x06, 0, 0, 0);
    if let Err(error) = socket2::SockRef::from(listener).attach_filter(&[DROP]) {
        tracing::debug!(%error, "new connections are not refused while the server stops");
    }
}

#[cfg(not(target_os = "linux"))]
fn refuse_new_connections(_listener: &TcpListener) {}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpStream as Caller;

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "callers for the test")]
    async fn connections_in_the_backlog_are_accepted_before_the_listener_closes() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        let (tell, shutdown) = watch::channel(ShutdownPhase::Serving);
        let (mut graceful, ended) =
            GracefulListener::new(listener, shutdown, Duration::from_secs(1));
        let mut waiting = Vec::new();
        for _ in 0..20 {
            waiting.push(Caller::connect(address).await.expect("a connection"));
        }
        tell.send_replace(ShutdownPhase::Stopping);
        let let_in = tokio::spawn(async move {
            let mut streams = Vec::new();
            tokio::select! {
                () = ended => streams.len(),
                () = async { loop { streams.push(graceful.accept().await); } } => unreachable!(),
            }
        });
        assert_eq!(let_in.await.expect("an end"), 20);
        let late = Caller::connect(address).await;
        assert!(late.is_err(), "the listener is gone");
    }
}
