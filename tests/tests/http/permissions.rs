//! Who may do what: the token says it, the server holds it on every path.
//!
//! Each write is tried by somebody who may do everything but that, and by somebody who may do
//! nothing but that.

use checklist_tests::role::OWNER;
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

/// Every writing call, with the permission that it needs, on a list with the item "A".
fn writes(anna: &Person) -> Vec<(&'static str, &'static str, Value)> {
    let (a, b) = (anna.id("A"), anna.id("B"));
    let update = |fields: Value| json!({ "Items": [checklist_tests::person::with_id(fields, &a)] });
    vec![
        ("Check", "UpdateItems", update(json!({ "Status": "Done" }))),
        (
            "Edit",
            "UpdateItems",
            update(json!({ "Text": "C", "BaseVersion": 1 })),
        ),
        ("Edit", "UpdateItems", update(json!({ "Note": "n" }))),
        ("Edit", "UpdateItems", update(json!({ "Assignee": "bob" }))),
        (
            "Edit",
            "UpdateItems",
            update(json!({ "Due": "2030-01-01T00:00:00Z" })),
        ),
        (
            "Reorder",
            "UpdateItems",
            update(json!({ "AfterId": b, "BaseVersion": 1 })),
        ),
        ("Add", "AddItems", json!({ "Items": [{ "Text": "D" }] })),
        ("Delete", "DeleteItems", json!({ "Ids": [a] })),
        ("Delete", "RestoreItems", json!({ "Ids": [a] })),
        ("Lock", "Lock", json!({ "Locked": true })),
        ("Waive", "Waive", json!({ "Reason": "urgent" })),
    ]
}

#[test]
fn every_write_needs_its_permission_and_no_other() {
    let server = Server::demo();
    for (index, permission) in [
        "Check", "Edit", "Edit", "Edit", "Edit", "Reorder", "Add", "Delete", "Delete", "Lock",
        "Waive",
    ]
    .iter()
    .enumerate()
    {
        let place = incident(&index.to_string()).for_purpose("x");
        server
            .editor_on(&place)
            .add_items(json!([{ "Text": "A" }, { "Text": "B" }]));
        let without: Vec<&str> = OWNER
            .iter()
            .filter(|held| *held != permission)
            .copied()
            .collect();
        let without = server.as_somebody_who_may(&without).on(&place);
        let (needed, call, body) = writes(&without).swap_remove(index);
        assert_eq!(needed, *permission);
        let before = without.list();
        let refused = without.call(call, body.clone());
        if refused.status == 409 {
            let result = &refused.refused(409, "NotApplied")["Results"][0];
            assert_eq!(
                result["Problem"]["Code"], "PermissionDenied",
                "{call} without {permission}: {result}"
            );
        } else {
            refused.refused(403, "PermissionDenied");
        }
        assert_eq!(
            without.list().items(),
            before.items(),
            "{call} without {permission}"
        );

        let only = server.as_somebody_who_may(&["Read", permission]).on(&place);
        let allowed = only.call(call, body).ok();
        assert_eq!(
            allowed["Applied"], "All",
            "{call} with {permission} alone: {allowed}"
        );
    }
}

#[test]
fn a_refresh_needs_its_permission() {
    let server = Server::demo();
    let place = incident("1").from_template("server-decommission");
    let anna = server
        .as_somebody_who_may(&["Read", "Check", "Edit", "Add", "Delete"])
        .on(&place);
    anna.call("RefreshItemsOnTemplateChange", json!({ "ToVersion": 1 }))
        .refused(403, "PermissionDenied");
    let editor = server.as_somebody_who_may(&["Read", "Refresh"]).on(&place);
    editor
        .call("RefreshItemsOnTemplateChange", json!({ "ToVersion": 1 }))
        .ok();
}

#[test]
fn nobody_takes_back_anothers_tick_without_the_right_to() {
    let server = Server::demo();
    let place = incident("1").for_purpose("x");
    let anna = server.editor_on(&place);
    anna.add("A");
    anna.tick("A");
    let carl = server.as_checker("Carl").on(&place);
    assert_eq!(carl.untick("A").problem("Failed"), "PermissionDenied");
    assert_eq!(
        carl.set("A", "NotApplicable").problem("Failed"),
        "PermissionDenied"
    );
    assert_eq!(anna.list().item("A")["StatusBy"]["Name"], "Erin Editor");
    anna.untick("A");
    carl.tick("A").only("Updated");
    carl.untick("A").only("Updated");
}

#[test]
fn without_read_nothing_is_seen() {
    let server = Server::demo();
    let nobody = server.as_somebody_who_may(&["Check"]).on(&incident("1"));
    nobody
        .call("GetItems", json!({}))
        .refused(403, "PermissionDenied");
}

#[test]
fn a_reader_sees_and_changes_nothing() {
    let server = Server::demo();
    let place = incident("1").for_purpose("x");
    server
        .editor_on(&place)
        .add_items(json!([{ "Text": "A" }, { "Text": "B" }]));
    let reader = server.as_reader("Rita").on(&place);
    let before = reader.list();
    for (_, call, body) in writes(&reader) {
        let answer = reader.call(call, body);
        assert!(
            answer.status == 403 || answer.json()["Code"] == "NotApplied",
            "{call}: {}",
            answer.text()
        );
    }
    assert_eq!(reader.list(), before);
}
