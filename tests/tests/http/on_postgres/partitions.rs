//! Tables that are spread by tenant: nothing is lost on the way, and what people do with lists touches one
//! partition of each table.
//!
//! The PostgreSQL of these tests writes down the plan of every statement, also of those in triggers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use checklist_tests::own_postgres::OwnPostgres;
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::{Value, json};

/// Tables of lists. What says who may sign in is looked for in all tenants, and so is what is due.
const TABLES: [&str; 13] = [
    "audit",
    "audit_tile",
    "checklist",
    "closed_run",
    "item",
    "journal",
    "log_head",
    "open_item",
    "open_item_sweep",
    "operation",
    "platform_type",
    "retention",
    "template_version",
];

pub(super) fn postgres_that_explains() -> OwnPostgres {
    let settings = [
        "shared_preload_libraries=auto_explain",
        "auto_explain.log_min_duration=0",
        "auto_explain.log_analyze=on",
        "auto_explain.log_timing=off",
        "auto_explain.log_nested_statements=on",
        "logging_collector=on",
        "log_directory=../log",
        "log_filename=plans.log",
        "log_rotation_age=0",
        "log_rotation_size=0",
    ];
    OwnPostgres::start(&settings, |folder| {
        let log = folder.join("log");
        fs::create_dir(&log).expect("a folder");
    })
}

fn setup() -> Setup {
    Setup::for_hosts(&[HostKey::of("north")])
}

/// Uses what people use of lists.
fn uses_lists(server: &Server) -> Person {
    let items = [
        with(item("a", "A"), json!({ "DueOffset": "P1D" })),
        item("b", "B"),
    ];
    publish(server, &fragment("f", items.clone()));
    let place = incident("1").from_template("f");
    let kind = json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"] });
    server
        .as_admin()
        .on(&place)
        .put("Types/incident", &kind)
        .ok();
    let owner = server.as_owner("Olga").on(&place);
    owner.tick("A");
    owner.untick("A");
    owner.add_items(json!([{ "Text": "Own", "Assignee": "Olga", "Due": "2020-01-31" }]));
    let note = json!([{ "Id": owner.id("B"), "Note": "n" }]);
    let change = json!({ "OperationId": "op", "Items": note, "LogInJournal": true });
    owner.call("UpdateItems", change.clone()).ok();
    owner.call("UpdateItems", change).ok();
    owner.undo("op").ok();
    owner
        .send("FindItems", &json!({ "Filter": { "Late": true } }))
        .ok();
    let more = items.into_iter().chain([item("c", "C")]);
    publish(server, &fragment("f", more));
    owner.refresh();
    owner.delete("Own");
    owner.restore(&[owner.deleted()[0]["Id"].as_str().expect("an id")]);
    assert!(!owner.journal().is_empty());
    owner.call("StartAgain", json!({ "Reason": "Again" })).ok();
    owner.call("GetItems", json!({ "Run": 1 })).ok();
    assert!(!server.as_admin().on(&place).audit_of_lists().is_empty());
    owner
}

/// Two thousand lists with an item each, and five hundred operations.
pub(super) fn fill(server: &Server) {
    publish(server, &fragment("filler", [item("a", "A")]));
    let admin = server.as_admin().on(&incident("2").for_purpose("x"));
    for hundred in 0..20 {
        let contexts: Vec<Value> = (0..100)
            .map(|n| json!({ "ObjectType": "filler", "ObjectId": (hundred * 100 + n).to_string(), "TemplateId": "filler" }))
            .collect();
        admin.send("Lists", &json!({ "Contexts": contexts })).ok();
    }
    let own = admin.add("Own");
    for n in 0..500 {
        let note = json!([{ "Id": own, "Note": n.to_string() }]);
        let change = json!({ "OperationId": format!("fill {n}"), "Items": note });
        admin.call("UpdateItems", change).ok();
    }
}

/// The partitions of each table that one statement has read.
fn read_by(plan: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut read: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let scans = plan.lines().filter(|line| line.contains(" Scan "));
    for line in scans.filter(|line| !line.contains("(never executed)")) {
        let name = line
            .split(" on ")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next());
        let parts = name.and_then(|name| name.rsplit_once('_'));
        if let Some((table, part)) = parts
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && TABLES.contains(&table)
        {
            read.entry(table).or_default().insert(part);
        }
    }
    read
}

#[test]
fn what_people_do_with_lists_touches_one_partition_of_each_table() {
    let own = postgres_that_explains();
    let mut server = setup().in_own_postgres(&own, "partitions=4").start();
    // Of tables with a few rows PostgreSQL would rather read all.
    fill(&server);
    let database = server.postgres().expect("a database");
    database.run("ANALYZE");
    let file = own.folder().join("log/plans.log");
    let before = fs::read_to_string(&file).expect("the plans").len();
    server.restart();
    uses_lists(&server);
    drop(server);
    let log = fs::read_to_string(&file)
        .expect("the plans")
        .split_off(before);
    let mut seen = BTreeSet::new();
    let mut several = Vec::new();
    for plan in log.split("Query Text:").skip(1) {
        // A list is looked up by its number in the primary key of each partition.
        let is_by_number = plan.contains("(number = ");
        for (table, parts) in read_by(plan) {
            seen.insert(table);
            if parts.len() > 1 && !(table == "checklist" && is_by_number) {
                several.push(format!("{table} {parts:?}: {plan}"));
            }
        }
    }
    assert!(several.is_empty(), "{}", several.join("\n"));
    for table in [
        "audit",
        "checklist",
        "item",
        "journal",
        "open_item",
        "operation",
        "template_version",
    ] {
        assert!(seen.contains(table), "no plan reads {table}: {seen:?}");
    }
}

#[test]
fn a_database_that_is_spread_later_keeps_everything_and_goes_on() {
    let own = OwnPostgres::start(&[], |_| {});
    let mut server = setup().in_own_postgres(&own, "").start();
    let owner = uses_lists(&server);
    let before = (owner.list().0, owner.journal(), rows(&server));
    for options in ["partitions=4", "partitions=4", ""] {
        server.restart_with_database_options(options);
        let owner = server
            .as_owner("Olga")
            .on(&incident("1").from_template("f"));
        assert_eq!(
            (owner.list().0, owner.journal(), rows(&server)),
            before,
            "{options}"
        );
    }
    let checked = server.run(&["config", "check"]);
    assert!(checked.status.success(), "{}", checked.said);
    let verified = server.run(&["audit", "verify", "--lists"]);
    assert!(verified.status.success(), "{}", verified.said);
    let owner = server
        .as_owner("Olga")
        .on(&incident("1").from_template("f"));
    owner.tick("C");
    // The number of an operation goes on as well.
    let change = json!({ "OperationId": "later", "Items": [{ "Id": owner.id("B"), "Note": "m" }] });
    owner.call("UpdateItems", change).ok();
    owner.undo("later").ok();
}

fn rows(server: &Server) -> Vec<Value> {
    let admin = server.as_admin().on(&incident("1").from_template("f"));
    admin.audit_of_lists()
}
