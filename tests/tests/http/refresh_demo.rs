//! The demo's `server-decommission`: two published versions that differ in every case.
//!
//! The rules themselves are tested in `refresh`; this says that the demo shows them.

use checklist_tests::{List, Person, Server, incident};
use serde_json::{Value, json};

/// A list on the first version, nothing touched but one local item.
fn list_on_version_one(server: &Server) -> Person {
    let anna = server.editor_on(&incident("1").from_template("server-decommission"));
    anna.call("RefreshItemsOnTemplateChange", json!({ "ToVersion": 1 }))
        .ok();
    anna.add("local");
    assert_eq!(anna.list().0["TemplateVersion"], 1);
    anna
}

fn keys(template: &Value) -> Vec<&str> {
    template["Items"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|item| item["Key"].as_str())
        .collect()
}

#[test]
fn the_two_versions_are_published_and_differ() {
    let server = Server::demo();
    let anna = server.as_reader("Anna").on(&incident("1"));
    let one = anna.get("Template/server-decommission?Version=1").ok();
    let two = anna.get("Template/server-decommission").ok();
    assert_eq!((&one["Version"], &two["Version"]), (&json!(1), &json!(2)));
    let (old, new) = (keys(&one), keys(&two));
    assert!(
        old.iter().any(|key| !new.contains(key)),
        "something is removed"
    );
    assert!(
        new.iter().any(|key| !old.contains(key)),
        "something is added"
    );
    assert!(old.iter().any(|key| new.contains(key)), "something stays");
}

#[test]
fn a_list_ticked_all_over_shows_every_case_of_a_touched_list() {
    let server = Server::demo();
    let anna = list_on_version_one(&server);
    let one = anna.list();
    for item in one.items().iter().filter(|item| item["Kind"] == "Item") {
        let applies = item["AllowNotApplicable"] == false;
        let fields = if applies {
            json!({ "Id": item["Id"], "Status": "Done" })
        } else {
            json!({ "Id": item["Id"], "Status": "NotApplicable", "Reason": "not here" })
        };
        anna.update(json!([fields])).only("Updated");
    }
    assert!(anna.list().completed());
    let written = anna.refresh();
    let cases: Vec<&str> = written.cases().iter().map(|(case, _)| *case).collect();
    for case in [
        "Added",
        "ChangedSinceChecked",
        "Reopened",
        "Retired",
        "NotApplicableNoLongerAllowed",
    ] {
        assert!(
            cases.contains(&case),
            "the demo shows no {case}: {:?}",
            written.cases()
        );
    }
    assert!(!written.completed());
    let list = anna.list();
    assert_eq!(list.0["TemplateVersion"], 2);
    assert!(no_touched_item_is_lost(&one, &list));
}

#[test]
fn an_untouched_list_becomes_the_second_version() {
    let server = Server::demo();
    let anna = list_on_version_one(&server);
    anna.refresh();
    let two = anna
        .get("Template/server-decommission?Version=2&Language=en")
        .ok();
    let expected: Vec<&Value> = two["Items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["Text"])
        .collect();
    let list = anna.reading("en").list();
    let texts: Vec<&Value> = list
        .items()
        .iter()
        .filter(|item| item["Origin"] == "Template")
        .map(|item| &item["Text"])
        .collect();
    assert_eq!(texts, expected);
}

fn no_touched_item_is_lost(before: &List, after: &List) -> bool {
    before
        .items()
        .iter()
        .filter(|item| item["Kind"] == "Item")
        .all(|item| after.ids().contains(&item["Id"].as_str().unwrap()))
}
