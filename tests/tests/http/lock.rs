//! Lock: no path writes to a locked list.
//!
//! The list in these tests has something to undo and a template update to take over.

use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Person, Server, incident};
use serde_json::json;

fn locked_list(server: &Server) -> Person {
    publish(server, &fragment("f", [item("a", "A"), item("b", "B")]));
    let owner = server
        .as_owner("Olga Owner")
        .on(&incident("1").from_template("f"));
    let id = owner.id("A");
    owner
        .call(
            "UpdateItems",
            json!({ "OperationId": "op", "Items": [{ "Id": id, "Status": "Done" }] }),
        )
        .ok();
    publish(server, &fragment("f", [item("a", "A"), item("c", "C")]));
    owner.lock("incident closed");
    owner
}

#[test]
fn a_locked_list_says_why_by_whom_and_since_when() {
    let server = Server::demo();
    let owner = locked_list(&server);
    let locked = &owner.list().0["Locked"];
    assert_eq!(locked["Reason"], "incident closed");
    assert_eq!(locked["By"]["Name"], "Olga Owner");
    assert!(locked["At"].is_string());
}

#[test]
fn every_writing_path_is_closed() {
    let server = Server::demo();
    let owner = locked_list(&server);
    let before = owner.list();
    let id = owner.id("A");
    let calls = [
        ("AddItems", json!({ "Items": [{ "Text": "X" }] })),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "Status": "Open" }] }),
        ),
        (
            "UpdateItems",
            json!({ "Items": [{ "Id": id, "Note": "n" }], "Atomic": true }),
        ),
        ("DeleteItems", json!({ "Ids": [id] })),
        ("RefreshItemsOnTemplateChange", json!({})),
        ("Undo", json!({ "Undoes": "op" })),
    ];
    for (call, body) in calls {
        owner.call(call, body).refused(409, "Locked");
    }
    assert_eq!(owner.list(), before);
}

#[test]
fn an_unlocked_list_can_be_written_again() {
    let server = Server::demo();
    let owner = locked_list(&server);
    assert_eq!(owner.unlock().0.get("Locked"), None);
    owner.tick("B").only("Updated");
    assert_eq!(owner.list().0["Locked"], json!(null));
}

#[test]
fn only_owners_lock() {
    let server = Server::demo();
    let editor = server.editor_on(&incident("1").for_purpose("x"));
    editor
        .call("Lock", json!({ "Locked": true }))
        .refused(403, "PermissionDenied");
    assert_eq!(editor.list().0["Locked"], json!(null));
}

#[test]
fn a_list_never_written_can_be_locked_and_keeps_its_items() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "A")]));
    let owner = server
        .as_owner("Olga")
        .on(&incident("1").from_template("f"));
    let ids = owner.list().0["Items"][0]["Id"].clone();
    owner.lock("early");
    publish(&server, &fragment("f", [item("a", "changed")]));
    let list = owner.list();
    assert_eq!(
        (&list.items()[0]["Id"], &list.items()[0]["Text"]),
        (&ids, &json!("A"))
    );
    owner
        .call("AddItems", json!({ "Items": [{ "Text": "X" }] }))
        .refused(409, "Locked");
}

#[test]
fn locking_twice_keeps_the_first_lock() {
    let server = Server::demo();
    let owner = locked_list(&server);
    let before = owner.list().0["Locked"].clone();
    server.as_owner("Other").on(&owner.place).lock("again");
    assert_eq!(owner.list().0["Locked"], before);
}
