//! How SQLite finds what is looked for in the whole store, at a start and every hour: by its keys and
//! indexes, so that it costs what there is to do and not what is stored. The writer does all of it, and
//! nobody else writes meanwhile.

use rusqlite::Connection;
use tempfile::TempDir;

use super::{DATABASE, SqliteOptions, SqliteStore, purge, webhooks, workflows};

/// What may be walked from end to end: there are as many tenants as there are, `gone` is what is to be
/// purged, and the indexes hold what has not ended alone.
const SHORT: [&str; 4] = [
    "tenant",
    "gone",
    "webhook_delivery USING INDEX webhook_delivery_by_due",
    "workflow_run USING INDEX workflow_run_by_due",
];

/// What a statement walks from end to end.
fn walked(connection: &Connection, sql: &str) -> Vec<String> {
    let explained = format!("EXPLAIN QUERY PLAN {sql}");
    let mut statement = connection.prepare(&explained).expect("a statement");
    // Whatever its parameters: the plan is the same.
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next().expect("a plan") {
        let step: String = row.get(3).expect("a step");
        found.extend(step.strip_prefix("SCAN ").map(str::to_owned));
    }
    found
}

#[test]
fn what_is_done_at_a_start_and_every_hour_walks_no_table_that_grows() {
    let directory = TempDir::new().expect("a directory");
    let options = SqliteOptions::new(directory.path().to_owned());
    drop(SqliteStore::open(&options).expect("the store opens"));
    let connection = Connection::open(directory.path().join(DATABASE)).expect("a file");
    for sql in [
        purge::NOTE_REVISIONS,
        purge::ITEMS,
        purge::OPERATIONS,
        webhooks::PURGE,
        webhooks::END_LEASES,
        workflows::END_LEASES,
    ] {
        let mut found = walked(&connection, sql);
        found.retain(|table| !SHORT.contains(&table.as_str()));
        assert!(found.is_empty(), "{found:?} in {sql}");
    }
    let all = "SELECT count(*) FROM item WHERE note = 'x'";
    assert_eq!(walked(&connection, all), ["item"], "a walk is noticed");
}
