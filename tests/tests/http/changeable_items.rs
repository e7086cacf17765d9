//! Kind, *required* and help of items, changed where the template lets people: who may, what it does to
//! the list's state, what is told of it, and what a new version leaves.

use checklist_tests::receiver::Receiver;
use checklist_tests::template::{fragment, item, publish, required};
use checklist_tests::{HostKey, Setup, incident, until};
use serde_json::{Value, json};

use crate::one_host::OneHost;

const EDITOR: [&str; 3] = ["Read", "Check", "Edit"];
const OWNER: [&str; 4] = ["Read", "Check", "Edit", "DeleteRequired"];

fn template(changeable: &Value) -> Value {
    let mut template = fragment("f", [required(item("a", "Call")), item("b", "Write")]);
    template["CompletionRule"] = json!("Required");
    template["Changeable"] = changeable.clone();
    template
}

fn all() -> Value {
    json!(["Kind", "Required", "Help"])
}

#[test]
fn a_list_says_what_of_its_items_can_be_changed_and_the_rest_is_refused() {
    let world = OneHost::with(&template(&json!(["Help"])));
    let ada = world.person("ada", &["Read", "Check", "Edit", "Add"]);
    let list = ada.list();
    assert_eq!(list.0["Changeable"], json!(["Help"]));
    let refused = ada.change("Write", json!({ "Required": true }));
    assert_eq!(refused.problem("Failed"), "NotChangeable");
    ada.change("Write", json!({ "Help": "**How**" }))
        .only("Updated");
    assert_eq!(ada.list().item("Write")["Help"], "**How**");
    ada.add("Own");
    let fields = json!({ "Required": true, "Help": "x" });
    ada.change("Own", fields).only("Updated");
    ada.change("Own", json!({ "Required": false, "Kind": "Info" }))
        .only("Updated");
    let own = ada.list().item("Own").clone();
    assert_eq!(
        (&own["Kind"], &own["Required"]),
        (&json!("Info"), &json!(false)),
        "of what a person adds everything can be changed"
    );
    let bob = world.checker("bob");
    let refused = bob.call(
        "UpdateItems",
        json!({ "Items": [{ "Id": ada.id("Write"), "Help": "x" }] }),
    );
    refused.refused(403, "PermissionDenied");
    let too_long = json!({ "Items": [{ "Id": ada.id("Write"), "Help": "x".repeat(20_000) }] });
    let refused = ada.call("UpdateItems", too_long);
    let problem = refused.refused(422, "LimitExceeded");
    assert_eq!(problem["Errors"][0]["Pointer"], "/Items/0/Help");
}

#[test]
fn a_template_that_names_an_unknown_field_is_refused_with_where() {
    let world = OneHost::with(&template(&json!([])));
    let refused = world
        .admin()
        .put("Templates/g", &template(&json!(["Help", "Colour"])));
    let problem = refused.refused(422, "InvalidRequest");
    assert_eq!(problem["Errors"][0]["Pointer"], "/Changeable/1");
}

#[test]
fn requiring_less_completes_the_list_for_those_alone_who_may_and_an_undo_opens_it_again() {
    let receiver = Receiver::open();
    let host = HostKey::of("north");
    let setup = Setup::for_hosts(&[host]).with_vault();
    let server = setup
        .argument("--allow-origin")
        .argument(&receiver.origin)
        .start();
    publish(&server, &template(&all()));
    let place = incident("1").from_template("f");
    let owner = server.as_admin().on(&place);
    let hook = json!({ "Name": "Desk", "Url": receiver.url(), "Events": ["checklist.completed", "checklist.reopened"] });
    owner.about_webhooks().send("", &hook).ok();
    owner.change("Write", json!({ "Status": "Done" }));
    assert!(!owner.list().completed());

    let update =
        json!({ "OperationId": "less", "Items": [{ "Id": owner.id("Call"), "Required": false }] });
    let answer = owner.call("UpdateItems", update).ok();
    assert_eq!(answer["State"], "Complete");
    assert!(owner.list().completed());
    owner.undo("less").ok();
    assert!(!owner.list().completed(), "open again");
    let received = receiver.waits_for(2);
    let mut types: Vec<String> = (received.iter())
        .map(|one| one.json()["type"].as_str().expect("a type").to_owned())
        .collect();
    types.sort();
    assert_eq!(types, ["checklist.completed", "checklist.reopened"]);
    let whats: Vec<Value> = (owner.audit().iter())
        .map(|row| row["Event"]["What"].clone())
        .filter(|what| what == "RequiredChanged")
        .collect();
    assert_eq!(whats.len(), 2, "the change and its undo");
}

#[test]
fn whoever_may_edit_but_not_delete_what_is_required_cannot_walk_around_it() {
    let world = OneHost::with(&template(&all()));
    let (ada, bob) = (world.person("ada", &EDITOR), world.person("bob", &OWNER));
    for fields in [json!({ "Required": false }), json!({ "Kind": "Info" })] {
        let refused = ada.change("Call", fields);
        assert_eq!(refused.problem("Failed"), "RequiredItem");
    }
    ada.change("Write", json!({ "Required": true }))
        .only("Updated");
    bob.change("Call", json!({ "Required": false }))
        .only("Updated");
    let history = world.admin();
    let history = history.call("GetItemHistory", json!({ "Id": ada.id("Call") }));
    let entry = &history.ok()["Entries"][0];
    assert_eq!(
        (&entry["What"], &entry["Before"], &entry["After"]),
        (&json!("RequiredChanged"), &json!("true"), &json!("false"))
    );
}

#[test]
fn a_new_version_leaves_what_people_have_set_and_a_closed_run_has_it_as_it_was() {
    let world = OneHost::with(&template(&all()));
    let bob = world.person("bob", &OWNER);
    bob.change("Call", json!({ "Required": false, "Help": "Ours" }))
        .only("Updated");
    bob.change("Write", json!({ "Kind": "Info" }))
        .only("Updated");
    let mut next = template(&json!([]));
    next["Items"][0]["Help"] = json!({ "en": "Theirs" });
    next["Items"][1]["Required"] = json!(true);
    publish(&world.server, &next);
    let admin = world.admin();
    admin.refresh();
    let list = bob.list();
    assert_eq!(list.0["Changeable"], Value::Null);
    let call = list.item("Call");
    assert_eq!(
        (&call["Required"], &call["Help"]),
        (&json!(false), &json!("Ours"))
    );
    let write = list.item("Write");
    assert_eq!(
        (&write["Kind"], &write["Required"]),
        (&json!("Item"), &json!(true)),
        "what the template has come to require is no row to read"
    );
    admin.call("StartAgain", json!({ "Reason": "Next" })).ok();
    let closed = admin.call("GetItems", json!({ "Run": 1 })).ok();
    assert_eq!(closed["Items"][0]["Help"], "Ours");
    assert_eq!(admin.list().item("Call")["Help"], "Theirs", "a new run");
}

#[test]
fn an_item_that_becomes_information_is_looked_for_no_more() {
    let world = OneHost::with(&template(&all()));
    let bob = world.person("bob", &OWNER);
    bob.change("Write", json!({ "Assignee": "bob" }))
        .only("Updated");
    let found = || {
        let found = world
            .admin()
            .send("FindItems", &json!({ "Filter": { "Assignee": "bob" } }));
        found.ok()["Items"].as_array().map(Vec::len)
    };
    assert_eq!(found(), Some(1));
    bob.change("Write", json!({ "Kind": "Info" }))
        .only("Updated");
    until("it is found no more", || (found() == Some(0)).then_some(()));
}

#[test]
fn an_undo_puts_back_less_for_those_alone_who_may_and_never_what_an_earlier_version_said() {
    let world = OneHost::with(&template(&all()));
    let (owner, editor) = (world.person("bob", &OWNER), world.person("bob", &EDITOR));
    let require = |text: &str, operation: &str, required: bool| {
        let item = json!({ "Id": owner.id(text), "Required": required });
        json!({ "OperationId": operation, "Items": [item] })
    };
    (owner.call("UpdateItems", require("Call", "less", false))).ok();
    let undo = json!({ "OperationId": "undone", "Undoes": "less" });
    owner.call("Undo", undo).ok();
    editor.undo("undone").refused(403, "PermissionDenied");
    assert_eq!(owner.list().item("Call")["Required"], true);

    (editor.call("UpdateItems", require("Write", "more", true))).ok();
    editor.undo("more").ok();
    (editor.call("UpdateItems", require("Write", "again", true))).ok();
    let mut next = template(&all());
    next["Items"][1]["Required"] = json!(true);
    publish(&world.server, &next);
    world.admin().refresh();
    editor.undo("again").refused(409, "CannotUndo");
    assert_eq!(owner.list().item("Write")["Required"], true);
}

#[test]
fn an_undo_of_a_kind_tells_that_the_item_is_required_again() {
    let world = OneHost::with(&template(&all()));
    let bob = world.person("bob", &OWNER);
    let item = json!({ "Id": bob.id("Call"), "Kind": "Info" });
    let info = json!({ "OperationId": "info", "Items": [item] });
    bob.call("UpdateItems", info).ok();
    assert_eq!(bob.list().item("Call")["Required"], false);
    bob.undo("info").ok();
    let rows = world.admin().audit();
    let whats = rows.iter().map(|row| row["Event"]["What"].clone());
    let whats: Vec<Value> = whats.filter(|what| what == "RequiredChanged").collect();
    assert_eq!(whats.len(), 2, "the change and its undo");
}
