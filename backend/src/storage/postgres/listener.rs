//! The connection on which a node hears of the others' commits.
//!
//! It is made again whenever it breaks. What was said in between is lost, so those who follow are
//! told of a gap then and ask for what they have missed. Started by `open`.

use std::future::{pending, poll_fn};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio_postgres::{AsyncMessage, Error};

use super::announcer::{Announcer, CHANNEL};
use super::reach::Reach;

/// How long to wait before the connection is made again.
const PAUSE: Duration = Duration::from_millis(500);

/// Listens until it is aborted; says when it does so for the first time.
pub(super) async fn run(reach: Reach, announcer: Arc<Announcer>, first: oneshot::Sender<()>) {
    let mut first = Some(first);
    loop {
        if let Err(error) = listen(&reach, &announcer, &mut first).await {
            tracing::warn!(%error, "does not hear of other nodes' commits for a moment");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn listen(
    reach: &Reach,
    announcer: &Announcer,
    first: &mut Option<oneshot::Sender<()>>,
) -> Result<(), Error> {
    let (client, mut connection) = reach.connect().await?;
    let hearing = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message? {
                announcer.heard(notification.payload());
            }
        }
        Ok(())
    };
    let asking = async {
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        match first.take() {
            // Whoever waits for it may have gone away.
            Some(first) => drop(first.send(())),
            None => announcer.gap(),
        }
        pending().await
    };
    tokio::select! {
        ended = hearing => ended,
        ended = asking => ended,
    }
}
