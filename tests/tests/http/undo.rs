//! Undo: what is taken back, and when it cannot be.
//!
//! A whole refresh as one step is tested in `refresh`.

use checklist_tests::{Person, Server, Written, incident};
use serde_json::{Value, json};

fn two_items(server: &Server) -> Person {
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(json!([{ "Text": "A" }, { "Text": "B" }]));
    anna
}

fn operation(anna: &Person, call: &str, mut body: Value) -> Value {
    body["OperationId"] = json!("op");
    anna.call(call, body).ok()
}

/// Ticks an item as the operation `op`.
fn tick(anna: &Person, id: &str) -> Value {
    let body = json!({ "Items": [{ "Id": id, "Status": "Done" }] });
    operation(anna, "UpdateItems", body)
}

#[test]
fn every_kind_of_change_is_taken_back() {
    type Body = fn(&Person) -> Value;
    let changes: [(&str, Body); 7] = [
        (
            "UpdateItems",
            |anna| json!({ "Items": [{ "Id": anna.id("A"), "Status": "Done" }] }),
        ),
        (
            "UpdateItems",
            |anna| json!({ "Items": [{ "Id": anna.id("A"), "Status": "NotApplicable", "Reason": "r" }] }),
        ),
        (
            "UpdateItems",
            |anna| json!({ "Items": [{ "Id": anna.id("A"), "Text": "C", "BaseVersion": 1 }] }),
        ),
        (
            "UpdateItems",
            |anna| json!({ "Items": [{ "Id": anna.id("A"), "Note": "n", "Assignee": "b" }] }),
        ),
        (
            "UpdateItems",
            |anna| json!({ "Items": [{ "Id": anna.id("A"), "AfterId": anna.id("B"), "BaseVersion": 1 }] }),
        ),
        (
            "DeleteItems",
            |anna| json!({ "Ids": [anna.id("A"), anna.id("B")] }),
        ),
        (
            "AddItems",
            |_| json!({ "Items": [{ "Text": "C" }, { "Text": "D" }] }),
        ),
    ];
    for (call, body) in changes {
        let server = Server::demo();
        let anna = two_items(&server);
        let before = anna.list();
        let body = body(&anna);
        operation(&anna, call, body.clone());
        assert_ne!(anna.list().items(), before.items());
        anna.undo("op").ok();
        let after = anna.list();
        assert_eq!(after.texts(), before.texts(), "{call} {body}");
        for (was, is) in before.items().iter().zip(after.items()) {
            for member in ["Id", "Status", "Reason", "Note", "Assignee"] {
                assert_eq!(
                    is[member], was[member],
                    "{member} after undoing {call} {body}"
                );
            }
        }
    }
}

#[test]
fn an_undo_says_what_it_did_and_makes_a_new_revision() {
    let server = Server::demo();
    let anna = two_items(&server);
    let id = anna.id("A");
    let done = tick(&anna, &id);
    let undone = Written(anna.undo("op").ok());
    assert_eq!(undone.revision(), done["Revision"].as_u64().unwrap() + 1);
    assert_eq!(undone.counts(), [2, 0, 0, 2, 0]);
    assert_eq!(
        undone.results()[0]["Item"]["Version"],
        3,
        "versions go on counting"
    );
}

#[test]
fn what_others_have_built_on_cannot_be_taken_back() {
    let server = Server::demo();
    let anna = two_items(&server);
    let id = anna.id("A");
    tick(&anna, &id);
    server
        .as_editor("Bob")
        .on(&anna.place)
        .change("A", json!({ "Note": "I rely on it" }));
    let before = anna.list();
    let problem = anna.undo("op").refused(409, "CannotUndo");
    assert!(
        problem["detail"]
            .as_str()
            .is_some_and(|detail| !detail.is_empty()),
        "{problem}"
    );
    assert_eq!(anna.list(), before);
}

#[test]
fn a_change_of_another_item_does_not_hinder() {
    let server = Server::demo();
    let anna = two_items(&server);
    let id = anna.id("A");
    tick(&anna, &id);
    server.as_editor("Bob").on(&anna.place).tick("B");
    anna.undo("op").ok();
    let list = anna.list();
    assert_eq!((list.status("A"), list.status("B")), ("Open", "Done"));
}

#[test]
fn an_unknown_operation_and_somebody_elses_cannot_be_taken_back() {
    let server = Server::demo();
    let anna = two_items(&server);
    let id = anna.id("A");
    tick(&anna, &id);
    anna.undo("never happened").refused(409, "CannotUndo");
    anna.at(&incident("2"))
        .undo("op")
        .refused(409, "CannotUndo");
    assert_eq!(anna.list().status("A"), "Done");
}

#[test]
fn an_operation_is_taken_back_once() {
    let server = Server::demo();
    let anna = two_items(&server);
    let id = anna.id("A");
    operation(&anna, "DeleteItems", json!({ "Ids": [id] }));
    anna.undo("op").ok();
    let before = anna.list();
    anna.undo("op").refused(409, "CannotUndo");
    assert_eq!(anna.list(), before);
}

#[test]
fn an_undo_needs_the_permission_of_what_it_does() {
    let server = Server::demo();
    let place = incident("1").for_purpose("x");
    let anna = server.as_editor("Anna").on(&place);
    let id = anna.add("A");
    operation(&anna, "DeleteItems", json!({ "Ids": [id] }));
    let demoted = server.as_reader("Anna").on(&place);
    let answer = demoted.undo("op");
    assert!([403, 409].contains(&answer.status), "{}", answer.text());
    assert!(!anna.list().has("A"));
}
