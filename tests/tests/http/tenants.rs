//! Tenants: two host platforms on one server see nothing of each other.
//!
//! Everything of the other tenant is answered exactly like something that does not exist.

use checklist_tests::template::{fragment, item, publish_as};
use checklist_tests::{HostKey, Person, Server, Setup, incident};
use serde_json::json;

struct Two {
    _server: Server,
    north: Person,
    south: Person,
}

fn two_tenants() -> Two {
    let hosts = [HostKey::of("north"), HostKey::on_p256("south")];
    let server = Setup::for_hosts(&hosts).start();
    let place = incident("1").for_purpose("x");
    let admin = |host: &HostKey| {
        let key = server.admin_key(&host.tenant, "admin");
        server.as_admin().on(&place).with_token(&key)
    };
    let (north, south) = (admin(&hosts[0]), admin(&hosts[1]));
    Two {
        _server: server,
        north,
        south,
    }
}

#[test]
fn the_same_object_is_another_list_in_each_tenant() {
    let two = two_tenants();
    two.north.add("north's");
    assert_eq!(two.south.list().state(), "Empty");
    two.south.add("south's");
    assert_eq!(two.north.list().texts(), ["north's"]);
    assert_eq!(two.south.list().texts(), ["south's"]);
}

#[test]
fn another_tenants_item_is_like_an_unknown_one() {
    let two = two_tenants();
    let id = two.north.add("north's");
    two.south.add("south's");
    let update = two.south.update(json!([{ "Id": id, "Status": "Done" }]));
    assert_eq!(update.problem("Failed"), "ItemNotFound");
    let ids = json!({ "Ids": [id] });
    let restore = two.south.call("RestoreItems", ids.clone()).written();
    assert_eq!(restore.problem("Failed"), "ItemNotFound");
    let delete = two.south.call("DeleteItems", ids).written();
    assert_eq!(delete.problem("Failed"), "ItemNotFound");
    assert_eq!(two.north.list().status("north's"), "Open");
}

#[test]
fn another_tenants_template_and_type_are_like_unknown_ones() {
    let two = two_tenants();
    publish_as(&two.north, &fragment("f", [item("a", "A")]));
    two.north
        .put(
            "Types/incident",
            &json!({ "Name": "incident", "Classes": [], "Templates": { "": "f" } }),
        )
        .ok();
    two.south.get("Template/f").refused(404, "TemplateNotFound");
    two.south
        .get("Templates/f")
        .refused(404, "TemplateNotFound");
    two.south.get("Types/incident").refused(404, "TypeNotFound");
    two.south
        .at(&incident("1").from_template("f"))
        .call("GetItems", json!({}))
        .refused(404, "TemplateNotFound");
    publish_as(&two.south, &fragment("f", [item("a", "south's own")]));
    assert_eq!(
        two.north.get("Template/f?Language=en").ok()["Items"][0]["Text"],
        "A"
    );
}

#[test]
fn another_tenants_operations_cannot_be_repeated_or_undone() {
    let two = two_tenants();
    let body = json!({ "OperationId": "op", "Items": [{ "Text": "north's" }] });
    two.north.call("AddItems", body).ok();
    two.south.undo("op").refused(409, "CannotUndo");
    two.south
        .call(
            "AddItems",
            json!({ "OperationId": "op", "Items": [{ "Text": "south's" }] }),
        )
        .ok();
    assert_eq!(two.north.list().texts(), ["north's"]);
}

#[test]
fn journal_and_audit_stay_in_the_tenant() {
    let two = two_tenants();
    let kind = json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"], "AlwaysJournal": true });
    two.north.put("Types/incident", &kind).ok();
    two.north.add("north's");
    assert_eq!(two.north.journal().len(), 1);
    assert!(two.south.journal().is_empty());
    let rows = two.south.audit();
    assert!(
        rows.iter().all(|row| row["Category"] == "Administration"),
        "{rows:?}"
    );
}
