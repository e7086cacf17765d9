//! Many items as one operation, one undo, and its redo: the undo of the undo.
//!
//! What an undo does by itself is tested in `undo`.

use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

fn person(server: &Server) -> Person {
    server.editor_on(&incident("1").for_purpose("x"))
}

fn undo(person: &Person, undoes: &str, operation: &str) -> Value {
    person
        .call(
            "Undo",
            json!({ "Undoes": undoes, "OperationId": operation }),
        )
        .ok()
}

/// What people see of a list.
fn seen(person: &Person) -> Vec<Value> {
    let fields = [
        "Id", "Text", "Status", "Reason", "Note", "Assignee", "Due", "ParentId", "Help",
    ];
    let list = person.list();
    let items = list.items().iter();
    items
        .map(|item| fields.iter().map(|name| item[*name].clone()).collect())
        .collect()
}

#[test]
fn a_hundred_lines_are_one_operation_one_entry_and_one_undo_that_can_be_redone() {
    let server = Server::demo();
    let anna = person(&server);
    anna.add("Before");
    let items: Vec<Value> = (0..100)
        .map(|n| json!({ "Text": format!("Line {n}") }))
        .collect();
    let added = json!({ "Items": items, "OperationId": "paste", "LogInJournal": true });
    let answer = anna.call("AddItems", added).ok();
    assert_eq!(answer["Results"].as_array().map(Vec::len), Some(100));
    assert_eq!(answer["Journal"]["Entries"], 1, "{answer}");
    let entries = anna.journal();
    let entry = entries.last().expect("an entry");
    assert!(
        entry["Text"]
            .as_str()
            .is_some_and(|text| text.contains("100 added")),
        "{entry}"
    );
    let all = seen(&anna);
    undo(&anna, "paste", "u1");
    assert_eq!(anna.list().texts(), ["Before"]);
    undo(&anna, "u1", "u2");
    assert_eq!(seen(&anna), all, "the same items in the same order");
    undo(&anna, "u2", "u3");
    assert_eq!(anna.list().texts(), ["Before"]);
}

#[test]
fn bulk_changes_are_undone_and_redone_as_a_whole() {
    let server = Server::demo();
    let anna = person(&server);
    let items: Vec<Value> = (0..40)
        .map(|n| json!({ "Text": format!("Line {n}") }))
        .collect();
    anna.add_items(json!(items));
    let ids: Vec<String> = anna.list().ids().into_iter().map(str::to_owned).collect();
    let bulk = |change: Value| -> Vec<Value> {
        let with_id = |id: &String| {
            let mut change = change.clone();
            change["Id"] = json!(id);
            change
        };
        ids.iter().map(with_id).collect()
    };
    let calls = [
        (
            "UpdateItems",
            json!({ "Items": bulk(json!({ "Status": "Done" })) }),
            "40 checked",
        ),
        (
            "UpdateItems",
            json!({ "Items": bulk(json!({ "Assignee": "bob", "Due": "2026-11-30" })) }),
            "40 ",
        ),
        ("DeleteItems", json!({ "Ids": ids }), "40 deleted"),
    ];
    for (number, (call, body, words)) in calls.into_iter().enumerate() {
        let name = |what: &str| format!("{what}-{number}");
        let before = seen(&anna);
        let revision = anna.list().revision();
        let mut body = body;
        body["OperationId"] = json!(name("bulk"));
        body["LogInJournal"] = json!(true);
        let answer = anna.call(call, body).ok();
        assert_eq!(answer["Revision"], revision + 1, "one operation");
        assert_eq!(answer["Journal"]["Entries"], 1);
        let entries = anna.journal();
        let text = entries
            .last()
            .map(|entry| entry["Text"].to_string())
            .unwrap_or_default();
        assert!(text.contains(words), "{call}: {text}");
        let after = seen(&anna);
        assert_ne!(before, after);
        undo(&anna, &name("bulk"), &name("undo"));
        assert_eq!(seen(&anna), before, "{call} undone");
        undo(&anna, &name("undo"), &name("redo"));
        assert_eq!(seen(&anna), after, "{call} redone");
    }
}

#[test]
fn several_undos_are_redone_one_after_the_other() {
    let server = Server::demo();
    let anna = person(&server);
    anna.add_items(json!([{ "Text": "A" }, { "Text": "B" }, { "Text": "C" }]));
    let mut states = vec![seen(&anna)];
    let steps = [
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": anna.id("A"), "Status": "Done" }] }),
        ),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": anna.id("A"), "Note": "n" }] }),
        ),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": anna.id("A"), "AfterId": anna.id("C"), "BaseVersion": 3 }] }),
        ),
        ("DeleteItems", json!({ "Ids": [anna.id("B")] })),
    ];
    for (number, (call, mut body)) in steps.into_iter().enumerate() {
        body["OperationId"] = json!(format!("op{number}"));
        anna.call(call, body).ok();
        states.push(seen(&anna));
    }
    for number in (0..4).rev() {
        undo(&anna, &format!("op{number}"), &format!("undo{number}"));
        assert_eq!(seen(&anna), states[number], "undone to {number}");
    }
    for number in 0..4 {
        undo(&anna, &format!("undo{number}"), &format!("redo{number}"));
        assert_eq!(seen(&anna), states[number + 1], "redone to {number}");
    }
}

#[test]
fn a_redo_gives_way_to_what_others_have_done_since() {
    let server = Server::demo();
    let anna = person(&server);
    anna.add_items(json!([{ "Text": "A" }]));
    let tick = json!({ "OperationId": "op", "Items": [{ "Id": anna.id("A"), "Status": "Done" }] });
    anna.call("UpdateItems", tick).ok();
    undo(&anna, "op", "undo");
    server
        .as_editor("Bob")
        .on(&anna.place)
        .change("A", json!({ "Note": "not yet" }));
    let redo = json!({ "Undoes": "undo", "OperationId": "redo" });
    anna.call("Undo", redo).refused(409, "CannotUndo");
    assert_eq!(anna.list().status("A"), "Open");
}
