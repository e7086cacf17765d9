//! Words about runs that wait, carried between the nodes of a database.
//!
//! Two carriers on one real PostgreSQL, and one whose database is not there. Part of the suite of
//! `postgres.rs`; what carries words within the program is tried beside it.

use std::sync::Arc;
use std::time::Duration;

use checklist_server::config::DatabaseUrl;
use checklist_server::queue::Carrier;
use tokio::sync::Notify;

use crate::scratch::Database;

fn node(database: &Database) -> (Carrier, Arc<Notify>) {
    let bell = Arc::new(Notify::new());
    let url: DatabaseUrl = database.url().parse().expect("a URL");
    let carrier = Carrier::shared(&url, Arc::clone(&bell)).expect("a database");
    (carrier, bell)
}

async fn rings(bell: &Notify) {
    tokio::time::timeout(Duration::from_secs(30), bell.notified())
        .await
        .expect("the bell rings");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_reaches_one_of_the_nodes() {
    let database = Database::new().await;
    let (teller, own) = node(&database);
    let (other, others) = node(&database);
    other.listen().await;
    for run in 0..5 {
        teller.tell(&run.to_string()).await;
        tokio::select! {
            () = rings(&own) => {}
            () = rings(&others) => {}
        }
    }
    teller.close().await;
    other.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_told_while_nobody_listens_is_heard_by_the_next_node() {
    let database = Database::new().await;
    let (teller, _) = node(&database);
    teller.tell("a").await;
    // It may have heard that one itself.
    teller.close().await;
    let (next, bell) = node(&database);
    next.tell("b").await;
    rings(&bell).await;
    next.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_queue_cannot_be_set_up_the_worker_of_this_node_is_told() {
    let bell = Arc::new(Notify::new());
    let nowhere: DatabaseUrl = "postgres://nobody@127.0.0.1:1/nothing"
        .parse()
        .expect("a URL");
    let carrier = Carrier::shared(&nowhere, Arc::clone(&bell)).expect("a URL that can be read");
    carrier.tell("a").await;
    rings(&bell).await;
}
