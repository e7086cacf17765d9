//! Several items changed by one call: each as far as it can be, one operation for the audit trail,
//! the journal and the undo.

use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

fn three_items(server: &Server) -> Person {
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add_items(json!([{ "Text": "A" }, { "Text": "B" }, { "Text": "C" }]));
    anna
}

fn rows_of(server: &Server, anna: &Person, operation: &str) -> Vec<Value> {
    let mut rows = server.as_admin().on(&anna.place).audit_of_lists();
    rows.retain(|row| row["OperationId"] == operation);
    rows
}

#[test]
fn several_are_checked_and_assigned_by_one_operation_with_one_undo() {
    let server = Server::demo();
    let anna = three_items(&server);
    let before = anna.list().revision();
    let ids = ["A", "B", "C"].map(|text| anna.id(text));
    let unknown = "0195fd3e-7b1c-7a00-8000-1234567890ab";
    let mut items: Vec<Value> = ids
        .iter()
        .map(|id| json!({ "Id": id, "Status": "Done", "Assignee": "Ann" }))
        .collect();
    items.insert(1, json!({ "Id": unknown, "Status": "Done" }));
    let answer = anna
        .call(
            "UpdateItems",
            json!({ "OperationId": "many", "Items": items, "LogInJournal": true }),
        )
        .ok();
    assert_eq!(answer["Applied"], "Some");
    assert_eq!(answer["Results"][1]["Problem"]["Code"], "ItemNotFound");
    let list = anna.list();
    assert_eq!(list.revision(), before + 1, "one step");
    assert!(list.completed());
    let rows = rows_of(&server, &anna, "many");
    for id in &ids {
        assert!(
            rows.iter().any(|row| row["Event"]["ItemId"] == *id),
            "{rows:?}"
        );
    }
    let written = anna.journal();
    assert_eq!(written.len(), 1, "{written:?}");

    anna.undo("many").ok();
    let list = anna.list();
    for text in ["A", "B", "C"] {
        assert_eq!(list.status(text), "Open");
        assert_eq!(list.item(text)["Assignee"], json!(null));
    }
}

#[test]
fn several_are_deleted_by_one_operation_and_come_back_together() {
    let server = Server::demo();
    let anna = three_items(&server);
    let ids = [anna.id("C"), anna.id("A")];
    anna.call("DeleteItems", json!({ "OperationId": "many", "Ids": ids }))
        .ok();
    assert_eq!(anna.list().texts(), ["B"]);
    assert_eq!(rows_of(&server, &anna, "many").len(), 2);
    anna.undo("many").ok();
    assert_eq!(anna.list().texts(), ["A", "B", "C"]);
}
