//! The connection that listens to the other nodes: commits, wake-ups for the worker, and presence.
//!
//! It reconnects whenever it breaks. Notifications from the meantime are lost, so it then announces
//! a gap, which makes subscribers read again, and wakes the worker.

use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio_postgres::AsyncMessage;

use super::announcer::{Announcer, CHANNEL, JOBS, PRESENCE, SAY};
use super::connect::{ConnectError, Connector};
use super::pulse;

/// The pause before it reconnects.
const PAUSE: Duration = Duration::from_millis(500);

/// The most presence messages in one statement.
const AT_ONCE: usize = 64;

/// Listens until it is aborted; `first` is notified when it listens for the first time.
pub(super) async fn run(
    reach: Connector,
    announcer: Arc<Announcer>,
    mut about_people: mpsc::Receiver<String>,
    first: oneshot::Sender<()>,
) {
    let mut first = Some(first);
    loop {
        if let Err(error) = listen(&reach, &announcer, &mut about_people, &mut first).await {
            tracing::warn!(%error, "does not hear of other nodes' commits for a moment");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn listen(
    reach: &Connector,
    announcer: &Announcer,
    about_people: &mut mpsc::Receiver<String>,
    first: &mut Option<oneshot::Sender<()>>,
) -> Result<(), ConnectError> {
    let connecting = tokio::time::timeout(pulse::PATIENCE, reach.connect());
    let (client, mut connection) = connecting.await.map_err(|_| ConnectError::Silent)??;
    let mut lost = reach.lost();
    let hearing = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message? {
                match notification.channel() {
                    PRESENCE => announcer.heard_of_people(notification.payload()),
                    JOBS => announcer.wake_for_job_of(notification.payload()),
                    _ => announcer.receive(notification.payload()),
                }
            }
        }
        Ok(())
    };
    let asking = async {
        let listen = format!("LISTEN {CHANNEL}; LISTEN {JOBS}; LISTEN {PRESENCE}");
        client.batch_execute(&listen).await?;
        // Presence messages that could not be sent without a connection are outdated.
        while about_people.try_recv().is_ok() {}
        match first.take() {
            // The receiver may be gone.
            Some(first) => drop(first.send(())),
            None => {
                announcer.gap();
                announcer.job_notifier().notify();
            }
        }
        let mut messages: Vec<String> = Vec::new();
        while about_people.recv_many(&mut messages, AT_ONCE).await > 0 {
            client.execute(SAY, &[&messages]).await?;
            messages.clear();
        }
        pending().await
    };
    tokio::select! {
        ended = hearing => ended,
        ended = asking => ended,
        Ok(()) = lost.changed() => Err(ConnectError::Silent),
    }
}
