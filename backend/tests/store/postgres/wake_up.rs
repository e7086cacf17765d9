//! Wake-ups between the nodes of a database: a run that another node has begun starts at once, and
//! after a lost wake-up within the poll interval.
//!
//! The workers in these tests have no site: a run has started once it is no longer `Queued`.

use std::time::Duration;

use checklist_runtime::clock::Clock as _;
use checklist_services::workflows;
use checklist_shared::wire::workflow::RunState;
use checklist_store::workflows::{BeginRunOutcome, NewRun};
use checklist_workflow::worker::Worker;
use tokio::sync::watch;

use super::scratch::{Database, ROLE};
use super::{migrated, node};
use crate::conformance::World;
use crate::conformance::workflows::new;

/// A poll interval longer than every test.
const LONG: Duration = Duration::from_secs(3_600);
/// A poll interval shorter than a test.
const SHORT: Duration = Duration::from_millis(200);
/// The timeout of each wait.
const PATIENCE: Duration = Duration::from_secs(30);
/// The interval between two checks.
const PAUSE: Duration = Duration::from_millis(20);

/// Starts a worker on the node. It stops when the return value is dropped.
fn start_worker(node: &World, poll_interval: Duration) -> watch::Sender<bool> {
    let (stop, stopped) = watch::channel(false);
    let engine = workflows::engine(node.app.clone());
    let worker = Worker::new(engine, "worker").polling_every(poll_interval);
    tokio::spawn(worker.work(stopped));
    stop
}

/// Starts a worker without work, and waits until it has polled and sleeps. Its node has a
/// connection then.
async fn start_idle_worker(
    database: &Database,
    node: &World,
    poll_interval: Duration,
) -> watch::Sender<bool> {
    let stop = start_worker(node, poll_interval);
    let administrator = database.administrator().await;
    let has_looked = async || -> bool {
        let sql = "SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = $1 AND state = 'idle' \
             AND query LIKE 'UPDATE workflow_run SET state = %'";
        let looked = administrator.query_one(sql, &[&database.name]).await;
        looked.expect("it answers").get(0)
    };
    let looks = async {
        while !has_looked().await {
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(PATIENCE, looks)
        .await
        .expect("the worker looks for runs");
    stop
}

async fn begin(node: &World, id: &str) {
    let run = NewRun {
        at: node.clock.now(),
        ..new(id, id, None)
    };
    let begun = node.app.store().begin_run(run).await;
    assert!(matches!(
        begun.expect("it answers"),
        BeginRunOutcome::New(_)
    ));
}

async fn starts(node: &World, id: &str) {
    let started = async {
        while state(node, id).await == Some(RunState::Queued) {
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(PATIENCE, started)
        .await
        .expect("the run starts");
}

async fn state(node: &World, id: &str) -> Option<RunState> {
    let run = node.app.store().run("acme", id).await;
    run.expect("it answers").map(|run| run.state)
}

/// Makes the node open a connection, which it keeps when new ones are rejected.
async fn connect(node: &World) {
    assert_eq!(state(node, "none").await, None);
}

async fn close(nodes: [World; 2]) {
    for node in nodes {
        node.app.close().await.expect("closed");
    }
}

/// Rejects new connections except the administrator's (0), or permits them again (-1).
async fn set_connection_limit(database: &Database, limit: i32) {
    let sql = format!("ALTER DATABASE {} CONNECTION LIMIT {limit}", database.name);
    let administrator = database.administrator().await;
    administrator.batch_execute(&sql).await.expect("altered");
}

/// Terminates the nodes' listening connections, and keeps them from reconnecting.
async fn cut_off(database: &Database) {
    set_connection_limit(database, 0).await;
    let ended = database
        .administrator()
        .await
        .query(
            "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity \
             WHERE datname = $1 AND usename = $2 AND query LIKE 'LISTEN %'",
            &[&database.name, &ROLE],
        )
        .await
        .expect("it answers");
    assert!(!ended.is_empty(), "nobody listened");
    assert!(ended.iter().all(|row| row.get(0)), "one goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_another_node_began_starts_at_once_though_the_poll_interval_is_long() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    let _worker = start_idle_worker(&database, &other, LONG).await;
    for id in ["1", "2", "3"] {
        begin(&one, id).await;
        starts(&one, id).await;
    }
    close([one, other]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_begun_while_there_was_no_worker_is_taken_by_the_next_one() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    begin(&one, "1").await;
    one.app.close().await.expect("closed");
    let _worker = start_worker(&other, LONG);
    starts(&other, "1").await;
    other.app.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn while_no_node_can_listen_a_run_waits_for_the_next_poll_and_no_longer() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    connect(&one).await;
    let _worker = start_idle_worker(&database, &other, SHORT).await;
    cut_off(&database).await;
    begin(&one, "1").await;
    starts(&one, "1").await;
    close([one, other]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_no_node_can_listen_a_run_of_the_same_node_starts_at_once() {
    let database = migrated().await;
    let (own, watching) = (node(&database).await, node(&database).await);
    connect(&watching).await;
    let _worker = start_idle_worker(&database, &own, LONG).await;
    cut_off(&database).await;
    begin(&own, "1").await;
    starts(&watching, "1").await;
    close([own, watching]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_that_listened_is_made_again_and_makes_up_for_lost_wake_ups() {
    let database = migrated().await;
    let (one, other) = (node(&database).await, node(&database).await);
    connect(&one).await;
    let _worker = start_idle_worker(&database, &other, LONG).await;
    cut_off(&database).await;
    begin(&one, "missed").await;
    assert_eq!(state(&one, "missed").await, Some(RunState::Queued));
    set_connection_limit(&database, -1).await;
    starts(&one, "missed").await;
    begin(&one, "next").await;
    starts(&one, "next").await;
    close([one, other]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_an_extension_nor_the_right_to_make_a_schema_is_needed() {
    let database = Database::new().await;
    let administrator = database.administrator().await;
    let revoke = format!("REVOKE CREATE ON DATABASE {} FROM {ROLE}", database.name);
    administrator.batch_execute(&revoke).await.expect("revoked");
    let (one, other) = (node(&database).await, node(&database).await);
    let _worker = start_idle_worker(&database, &other, LONG).await;
    begin(&one, "1").await;
    starts(&one, "1").await;
    let names = async |sql: &str| -> Vec<String> {
        let rows = administrator.query(sql, &[]).await.expect("it answers");
        rows.iter().map(|row| row.get(0)).collect()
    };
    let extensions = names("SELECT extname::text FROM pg_extension").await;
    assert_eq!(extensions, ["plpgsql"]);
    let schemas = "SELECT nspname::text FROM pg_namespace \
         WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema'";
    assert_eq!(names(schemas).await, ["public"]);
    close([one, other]).await;
}
