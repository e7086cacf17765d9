//! Query plans of the statements over the whole store, at startup and every hour, and of the health of
//! templates. They have to use keys and indexes, so that their cost depends on the work and not on the
//! stored data: the first run on the writer, and no other write can run meanwhile.

use rusqlite::Connection;
use tempfile::TempDir;

use super::{DATABASE, SqliteOptions, SqliteStore, purge};
use crate::sql::{
    deliveries, due_items, open_item_sweep, people, runs, template_health, template_runs,
};

/// What may be scanned: the tenants are few (`w` is one after the other), `gone` is what will be purged,
/// `first` and `trail` a batch, and the partial indexes contain only what is not finished.
const SHORT: [&str; 8] = [
    "tenant",
    "w",
    "gone",
    "first",
    "trail",
    "webhook_delivery USING INDEX webhook_delivery_by_due",
    "workflow_run USING INDEX workflow_run_by_due",
    "template_run USING INDEX template_run_by_turn",
];

/// The tables and indexes that a statement scans completely.
fn walked(connection: &Connection, sql: &str) -> Vec<String> {
    let steps = plan(connection, sql);
    let walked = steps.iter().filter_map(|step| step.strip_prefix("SCAN "));
    walked.map(str::to_owned).collect()
}

/// What SQLite does for a statement, step by step.
fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let explained = format!("EXPLAIN QUERY PLAN {sql}");
    let mut statement = connection.prepare(&explained).expect("a statement");
    // The plan does not depend on the parameters.
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next().expect("a plan") {
        found.push(row.get(3).expect("a step"));
    }
    found
}

/// An empty store. Its folder goes with it.
fn store() -> (TempDir, Connection) {
    let directory = TempDir::new().expect("a directory");
    let options = SqliteOptions::new(directory.path().to_owned());
    drop(SqliteStore::open(&options).expect("the store opens"));
    let connection = Connection::open(directory.path().join(DATABASE)).expect("a file");
    (directory, connection)
}

#[test]
fn a_page_of_the_health_of_a_template_walks_no_table() {
    let (_directory, connection) = store();
    for sql in [
        template_health::LISTS,
        template_health::ITEMS.sqlite,
        template_health::CHANGES.sqlite,
    ] {
        let mut found = walked(&connection, sql);
        // The lists of the page, and the rows that were read because of them.
        found.retain(|table| !["c", "t", "trail"].contains(&table.as_str()));
        assert!(found.is_empty(), "{found:?} in {sql}");
    }
}

#[test]
fn a_page_of_people_is_read_in_the_order_of_its_index() {
    let (_directory, connection) = store();
    let steps = plan(&connection, people::PAGE);
    assert!(
        steps.len() == 1 && steps[0].contains("person_by_name (tenant=? AND (sort_name,"),
        "{steps:?}"
    );
}

#[test]
fn what_is_done_at_a_start_and_every_hour_walks_no_table_that_grows() {
    let (_directory, connection) = store();
    for sql in [
        purge::NOTE_REVISIONS,
        purge::ITEMS,
        purge::OPERATIONS,
        purge::DELIVERIES,
        deliveries::END_LEASES,
        runs::END_LEASES,
        template_runs::END_LEASES,
        due_items::TENANTS,
        due_items::WAITING.sqlite,
        open_item_sweep::RESOLVED.sqlite,
        open_item_sweep::REMOVE.sqlite,
        people::WITHOUT_SORT_NAME,
    ] {
        let mut found = walked(&connection, sql);
        found.retain(|table| !SHORT.contains(&table.as_str()));
        assert!(found.is_empty(), "{found:?} in {sql}");
    }
    let all = "SELECT count(*) FROM item WHERE note = 'x'";
    assert_eq!(walked(&connection, all), ["item"], "a walk is noticed");
}
