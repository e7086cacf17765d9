//! DeleteItems: what is gone, what goes with it, and what stays gone.
//!
//! How a deleted item comes back is tested in `undo` and `refresh`.

use checklist_tests::{Server, incident};
use serde_json::json;

#[test]
fn a_deleted_item_is_gone_and_no_longer_counts() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    anna.add("Build");
    anna.tick("Ask");
    let written = anna.delete("Build");
    written.only("Deleted");
    assert!(written.completed());
    assert_eq!(anna.list().texts(), ["Ask"]);
}

#[test]
fn deleting_again_changes_nothing_and_an_unknown_id_is_told() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let id = anna.add("Ask");
    anna.delete("Ask");
    let unknown = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    let written = checklist_tests::Written(
        anna.call("DeleteItems", json!({ "Ids": [id, unknown] }))
            .ok(),
    );
    assert_eq!(written.outcomes(), ["Unchanged", "Failed"]);
    assert_eq!(written.results()[1]["Problem"]["Code"], "ItemNotFound");
}

#[test]
fn a_section_takes_its_items_along() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(json!([{ "Text": "S", "Kind": "Section" }]));
    let section = anna.id("S");
    anna.add_items(json!([{ "Text": "inside", "ParentId": section }, { "Text": "outside" }]));
    anna.delete("S").only("Deleted");
    assert_eq!(anna.list().texts(), ["outside"]);
}

#[test]
fn the_last_item_deleted_leaves_the_list_empty_not_complete() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    anna.tick("Ask");
    let written = anna.delete("Ask");
    assert_eq!(
        (&written.0["State"], written.completed()),
        (&json!("Empty"), false)
    );
}

#[test]
fn a_template_item_deleted_before_anything_was_written_stays_deleted() {
    let server = Server::demo();
    let anna = server
        .as_owner("Anna")
        .on(&incident("1").from_template("onboarding"));
    let list = anna.list();
    let item = list
        .items()
        .iter()
        .find(|item| item["Kind"] == "Item")
        .unwrap();
    let text = item["Text"].as_str().unwrap();
    anna.delete(text).only("Deleted");
    let after = anna.list();
    assert!(!after.has(text));
    assert_eq!(after.items().len(), list.items().len() - 1);
}

#[test]
fn a_deleted_items_id_is_not_given_to_another() {
    let server = Server::demo();
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    let id = anna.add("Ask");
    anna.delete("Ask");
    let again = anna.add_items(json!([{ "Id": id, "Text": "Something else" }]));
    assert_eq!(again.problem("Failed"), "IdTaken");
}
