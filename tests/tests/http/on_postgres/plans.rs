//! What finds items looks a list up by its number, also with a plan that was made while the database was
//! nearly empty: a session keeps the plans of its statements until the tables are analyzed.

use std::fs;

use checklist_tests::wait::until;
use checklist_tests::{HostKey, Server, Setup, incident};
use serde_json::json;

use super::partitions::{fill, postgres_that_explains};

/// Asks for items along each index.
fn find(server: &Server) {
    let editor = server.editor_on(&incident("1"));
    editor.add_items(json!([{ "Text": "Own", "Assignee": "Olga", "Due": "2020-01-31" }]));
    for filter in [
        json!({ "Assignee": "Olga" }),
        json!({ "Late": true }),
        json!({ "Proposed": true }),
    ] {
        editor.send("FindItems", &json!({ "Filter": filter })).ok();
    }
}

#[test]
fn items_are_found_with_the_same_plans_in_an_empty_database_and_a_full_one() {
    let own = postgres_that_explains();
    let hosts = Setup::for_hosts(&[HostKey::of("north")]);
    let mut server = hosts.in_own_postgres(&own, "").start();
    let file = own.folder().join("log/plans.log");
    // One statement for each order of `open_item`. PostgreSQL writes its log a little later.
    let plans = |server: &Server| -> Vec<String> {
        let before = fs::read_to_string(&file).expect("the plans").len();
        find(server);
        until("three plans", || {
            let log = fs::read_to_string(&file).expect("the plans");
            let plans = log[before..].split("Query Text:").skip(1);
            let mut plans: Vec<String> = plans
                .filter(|plan| plan.contains("FROM open_item o"))
                .map(scans_of)
                .filter(|scans| scans.contains(", "))
                .collect();
            plans.sort();
            (plans.len() == 3).then_some(plans)
        })
    };
    let empty = plans(&server);
    // Where all tests run on tables that are spread, the indexes are those of partitions.
    if std::env::var_os("CHECKLIST_TEST_PARTITIONS").is_none() {
        assert_eq!(
            empty,
            [
                "open_item_by_assignee, checklist_pkey",
                "open_item_by_due, checklist_pkey",
                "open_item_by_proposal, checklist_pkey",
            ]
        );
    }
    fill(&server);
    server.postgres().expect("a database").run("ANALYZE");
    server.restart();
    assert_eq!(plans(&server), empty);
}

/// The indexes that a plan uses, from the first to the last.
fn scans_of(plan: &str) -> String {
    let indexes = plan.lines().filter_map(|line| {
        let (_, scan) = line.split_once("Scan using ")?;
        scan.split_once(" on ").map(|(index, _)| index)
    });
    indexes.collect::<Vec<_>>().join(", ")
}
