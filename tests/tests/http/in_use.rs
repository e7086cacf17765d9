//! Types and templates are deleted, unless they are in use.

use checklist_tests::client::send;
use checklist_tests::template::{fragment, item, publish_as};
use checklist_tests::{Answer, HostKey, Person, Place, Server, Setup, incident};
use reqwest::Method;
use serde_json::json;

fn north() -> (Server, Person) {
    let host = HostKey::of("north");
    let server = Setup::for_hosts(std::slice::from_ref(&host)).start();
    let key = server.admin_key(&host.tenant, "Ada");
    let admin = server.as_admin().on(&incident("none")).with_token(&key);
    (server, admin)
}

fn put_type(admin: &Person, name: &str, template: Option<&str>) {
    let templates = template.map_or(json!({}), |id| json!({ "": id }));
    let kind = json!({ "Name": name, "Classes": ["UnitOfWork"], "Templates": templates });
    admin.put(&format!("Types/{name}"), &kind).ok();
}

fn delete_seen(admin: &Person, path: &str, tag: &str) -> Answer {
    send(admin.request(Method::DELETE, path).header("if-match", tag))
}

#[test]
fn a_type_is_deleted_unless_lists_are_of_it() {
    let (_server, admin) = north();
    put_type(&admin, "change", None);
    for id in ["C-1", "C-2"] {
        admin.at(&Place::new("change", id)).add("A");
    }
    let problem = admin.remove("Types/change").refused(409, "InUse");
    assert_eq!(problem["detail"], "2 checklists are of this type.");
    assert_eq!(problem["Lists"], 2);
    admin.get("Types/change").ok();
    put_type(&admin, "idle", None);
    assert_eq!(admin.remove("Types/idle").status, 204);
    admin.get("Types/idle").refused(404, "TypeNotFound");
    admin.remove("Types/idle").refused(404, "TypeNotFound");
    let trail = admin.get("Audit?Subject=Type&Order=Newest").ok();
    assert_eq!(trail["Rows"][0]["Act"]["Action"], "Deleted");
    assert_eq!(trail["Rows"][0]["Act"]["Id"], "idle");
}

#[test]
fn a_type_that_somebody_has_changed_meanwhile_is_not_deleted() {
    let (_server, admin) = north();
    put_type(&admin, "change", None);
    let seen = admin.get("Types/change").header("etag").to_owned();
    put_type(&admin, "change", None);
    publish_as(&admin, &fragment("f", [item("a", "A")]));
    put_type(&admin, "change", Some("f"));
    delete_seen(&admin, "Types/change", &seen).refused(412, "TypeChanged");
    let seen = admin.get("Types/change").header("etag").to_owned();
    assert_eq!(delete_seen(&admin, "Types/change", &seen).status, 204);
    // Whoever still edits it does not bring it back by a save.
    let request = admin
        .request(Method::PUT, "Types/change")
        .header("if-match", seen);
    let kind = json!({ "Name": "change", "Classes": [], "Templates": {} });
    send(checklist_tests::client::json(request, &kind)).refused(412, "TypeChanged");
}

#[test]
fn a_template_is_deleted_with_its_versions_unless_lists_or_types_use_it() {
    let (_server, admin) = north();
    for version in ["A", "B"] {
        publish_as(&admin, &fragment("f", [item("a", version)]));
    }
    admin
        .put("Templates/f", &fragment("f", [item("a", "C")]))
        .ok();
    put_type(&admin, "change", Some("f"));
    let problem = admin.remove("Templates/f/Versions").refused(409, "InUse");
    let detail = "It cannot be deleted: the type 'change' names it.";
    assert_eq!(problem["detail"], detail);
    let list = admin.at(&Place::new("change", "C-1"));
    list.tick("B");
    put_type(&admin, "change", None);
    let problem = admin.remove("Templates/f/Versions").refused(409, "InUse");
    let detail = "It cannot be deleted: 1 checklist follows it.";
    assert_eq!(problem["detail"], detail);
    assert_eq!(list.list().texts(), ["B"], "nothing was deleted");

    publish_as(&admin, &fragment("idle", [item("a", "A")]));
    assert_eq!(admin.remove("Templates/idle/Versions").status, 204);
    admin.get("Template/idle").refused(404, "TemplateNotFound");
    admin.get("Templates/idle").refused(404, "TemplateNotFound");
    admin
        .remove("Templates/idle/Versions")
        .refused(404, "TemplateNotFound");
    let again = publish_as(&admin, &fragment("idle", [item("a", "Again")]));
    assert_eq!(again, 2, "the id is free, the number is not");
    let place = incident("1").from_template("idle");
    assert_eq!(
        admin.at(&place).list().texts(),
        ["Again"],
        "and nothing is remembered"
    );
}

#[test]
fn a_draft_of_a_deleted_template_is_not_saved_into_its_successor() {
    let (_server, admin) = north();
    publish_as(&admin, &fragment("f", [item("a", "A")]));
    let seen = admin.get("Templates/f").header("etag").to_owned();
    assert_eq!(admin.remove("Templates/f/Versions").status, 204);
    publish_as(&admin, &fragment("f", [item("a", "Of somebody else")]));
    let request = admin
        .request(Method::PUT, "Templates/f")
        .header("if-match", seen);
    let draft = fragment("f", [item("a", "B")]);
    send(checklist_tests::client::json(request, &draft)).refused(412, "TemplateChanged");
}

#[test]
fn an_undo_does_not_lead_a_list_back_to_a_template_that_was_deleted() {
    let (_server, admin) = north();
    publish_as(&admin, &fragment("old", [item("a", "A")]));
    publish_as(&admin, &fragment("new", [item("b", "B")]));
    let place = incident("1").from_template("old");
    admin.at(&place).tick("A");
    let list = admin.at(&incident("1").from_template("new"));
    let refresh = |operation: &str| {
        list.call(
            "RefreshItemsOnTemplateChange",
            json!({ "OperationId": operation }),
        )
        .ok()
    };
    refresh("first");
    list.undo("first").ok();
    refresh("second");
    assert_eq!(admin.remove("Templates/old/Versions").status, 204);
    let before = list.list().revision();
    let problem = list.undo("second").refused(409, "CannotUndo");
    assert_eq!(
        problem["detail"],
        "The checklist would follow the template 'old' again, which was deleted since."
    );
    assert_eq!(list.list().revision(), before, "nothing was changed");
    // Its successor is not the template that the list has left.
    publish_as(&admin, &fragment("old", [item("a", "Another")]));
    list.undo("second").refused(409, "CannotUndo");
}

#[test]
fn a_template_that_somebody_edits_is_not_deleted_under_their_hands() {
    let (_server, admin) = north();
    publish_as(&admin, &fragment("f", [item("a", "A")]));
    let seen = admin.get("Templates/f").header("etag").to_owned();
    admin
        .put("Templates/f", &fragment("f", [item("a", "B")]))
        .ok();
    delete_seen(&admin, "Templates/f/Versions", &seen).refused(412, "TemplateChanged");
    let seen = admin.get("Templates/f").header("etag").to_owned();
    assert_eq!(
        delete_seen(&admin, "Templates/f/Versions", &seen).status,
        204
    );
    let request = admin
        .request(Method::PUT, "Templates/f")
        .header("if-match", seen);
    let draft = fragment("f", [item("a", "C")]);
    send(checklist_tests::client::json(request, &draft)).refused(404, "TemplateNotFound");
}

#[test]
fn an_item_that_is_late_from_the_start_is_warned_of_before_and_after_publishing() {
    let (_server, admin) = north();
    let mut late = item("a", "A");
    late["DueOffset"] = json!("PT0S");
    let mut soon = item("b", "B");
    soon["DueOffset"] = json!("PT1S");
    admin.put("Templates/f", &fragment("f", [late, soon])).ok();
    let impact = admin.get("Templates/f/Impact").ok();
    let published = admin.send("Templates/f/Publish", &json!({})).ok();
    for answer in [&impact, &published] {
        let warnings = answer["Warnings"].as_array().expect("warnings");
        assert_eq!(warnings.len(), 1, "{answer}");
        assert_eq!(warnings[0]["Code"], "DueAtOnce");
        assert_eq!(warnings[0]["Pointer"], "/Items/0/DueOffset");
    }
}
