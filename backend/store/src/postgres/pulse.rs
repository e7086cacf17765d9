//! Asks the database for a sign of life. A server that stands still keeps every connection, and whoever
//! waits for an answer would wait for ever: without a sign all connections end, and the next ones go to
//! whichever server answers.
//!
//! On a connection that sends nothing else: what waits for a standby would make the server look dead.

use std::convert::Infallible;
use std::time::Duration;

use super::connect::{ConnectError, Connector};
use super::session;

/// How often it asks, and how long the server may take to answer.
const PULSE: Duration = Duration::from_secs(2);
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Asks until it is aborted.
pub(super) async fn run(reach: Connector) {
    loop {
        let Err(error) = follow(&reach).await;
        tracing::warn!(%error, "the database gives no sign of life");
        if matches!(error, ConnectError::Silent) {
            reach.lose_all();
        }
        tokio::time::sleep(PULSE).await;
    }
}

/// Asks as long as the server answers.
async fn follow(reach: &Connector) -> Result<Infallible, ConnectError> {
    let patiently = tokio::time::timeout(PATIENCE, session::connect(reach));
    let client = patiently.await.map_err(|_| ConnectError::Silent)??;
    loop {
        tokio::time::sleep(PULSE).await;
        let sign = tokio::time::timeout(PATIENCE, client.simple_query("SELECT 1"));
        drop(sign.await.map_err(|_| ConnectError::Silent)??);
    }
}
