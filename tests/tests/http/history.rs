//! The history of one item: who did what to it, when, with the values before and after.
//!
//! What an auditor reads of the whole list is tested in `audit`.

use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

fn history(person: &Person, id: &str, mut more: Value) -> Value {
    more["Id"] = json!(id);
    person.call("GetItemHistory", more).ok()
}

fn whats(page: &Value) -> Vec<&str> {
    let entries = page["Entries"].as_array().expect("entries");
    entries
        .iter()
        .filter_map(|entry| entry["What"].as_str())
        .collect()
}

#[test]
fn everything_that_was_done_to_an_item_is_told_newest_first() {
    let server = Server::demo();
    let place = incident("1").for_purpose("x");
    let anna = server.as_editor("Anna").on(&place);
    anna.add_items(json!([{ "Text": "Ask" }, { "Text": "Build" }]));
    let id = anna.id("Ask");
    anna.tick("Build");
    anna.change("Ask", json!({ "Note": "n", "Due": "2026-11-30" }));
    let bob = server.as_editor("Bob").on(&place);
    bob.tick("Ask");
    bob.reword("Ask", "Ask twice");
    let noted = json!({ "OperationId": "op", "Items": [{ "Id": id, "Note": "m" }] });
    bob.call("UpdateItems", noted).ok();
    bob.undo("op").ok();
    bob.delete("Ask twice");
    // Whoever may read the list reads it, also of what is deleted.
    let page = history(&server.as_reader("Eve").on(&place), &id, json!({}));
    assert_eq!(
        whats(&page),
        [
            "Deleted",
            "NoteChanged",
            "NoteChanged",
            "TextChanged",
            "Checked",
            "DueChanged",
            "NoteChanged",
            "Added"
        ]
    );
    let entry = |at: usize| &page["Entries"][at];
    let values = |at: usize| (&entry(at)["Before"], &entry(at)["After"]);
    assert_eq!(values(1), (&json!("m"), &json!("n")), "the undo, {page}");
    assert_eq!(values(2), (&json!("n"), &json!("m")));
    assert_eq!(values(3), (&json!("Ask"), &json!("Ask twice")));
    assert_eq!(values(5), (&Value::Null, &json!("2026-11-30")));
    assert_eq!(
        (&entry(4)["Actor"]["Name"], &entry(7)["Actor"]["Name"]),
        (&json!("Bob"), &json!("Anna"))
    );
    assert_eq!(entry(4)["Text"], "Ask");
    assert_eq!(entry(5)["Revision"], entry(6)["Revision"], "one operation");
    assert!(entry(0)["At"].is_string() && page["Next"].is_null());
}

#[test]
fn a_long_history_comes_page_by_page() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(json!([{ "Text": "Ask" }, { "Text": "Build" }]));
    let id = anna.id("Ask");
    for _ in 0..3 {
        anna.tick("Ask");
        anna.tick("Build");
        anna.untick("Ask");
        anna.untick("Build");
    }
    let (mut seen, mut after) = (Vec::new(), Value::Null);
    for _ in 0..10 {
        let mut asked = json!({ "Limit": 2 });
        if !after.is_null() {
            asked["After"] = after.clone();
        }
        let page = history(&anna, &id, asked);
        assert!(whats(&page).len() <= 2, "{page}");
        seen.extend(whats(&page).into_iter().map(str::to_owned));
        after = page["Next"].clone();
        if after.is_null() {
            break;
        }
    }
    assert_eq!(
        seen,
        [
            "Reopened", "Checked", "Reopened", "Checked", "Reopened", "Checked", "Added"
        ]
    );
    anna.call("GetItemHistory", json!({ "Id": id, "Limit": 0 }))
        .refused(422, "InvalidRequest");
    anna.call("GetItemHistory", json!({ "Id": id, "Limit": 201 }))
        .refused(422, "InvalidRequest");
}

#[test]
fn an_item_of_a_template_has_none_until_somebody_changes_it() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "Ask")]));
    let anna = server.editor_on(&incident("1").from_template("f"));
    let id = anna.id("Ask");
    assert_eq!(history(&anna, &id, json!({}))["Entries"], json!([]));
    anna.tick("Ask");
    assert_eq!(whats(&history(&anna, &id, json!({}))), ["Checked"]);
}

#[test]
fn other_lists_and_items_that_there_are_not_are_refused() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(json!([{ "Text": "Ask" }]));
    let id = anna.id("Ask");
    let other = "01a1f7c4-397b-773b-9cd5-d79b60c9258d";
    anna.call("GetItemHistory", json!({ "Id": other }))
        .refused(404, "ItemNotFound");
    // The same id in a list that does not have it.
    let elsewhere = server.editor_on(&incident("2").for_purpose("x"));
    elsewhere
        .call("GetItemHistory", json!({ "Id": id }))
        .refused(404, "ItemNotFound");
    // A token for one list says nothing of another.
    let elsewhere = server
        .as_reader("Eve")
        .only_for(std::slice::from_ref(&elsewhere.place));
    let foreign = json!({ "Context": anna.place.context(), "Id": id });
    elsewhere
        .on(&anna.place)
        .send("GetItemHistory", &foreign)
        .refused(404, "ContextNotFound");
    let ticker = server.as_somebody_who_may(&["Check"]).on(&anna.place);
    ticker
        .call("GetItemHistory", json!({ "Id": id }))
        .refused(403, "PermissionDenied");
}
