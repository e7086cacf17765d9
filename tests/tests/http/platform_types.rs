//! Types: which classes a platform type includes and which template each purpose has.
//!
//! What the classes mean for the journal is tested in `journal`.

use checklist_tests::template::{fragment, item, publish};
use checklist_tests::{Server, incident};
use serde_json::json;

#[test]
fn the_demo_has_a_type_with_both_classes_and_one_with_each() {
    let server = Server::demo();
    let types = server.as_admin().on(&incident("1")).get("Types").ok();
    let classes = |name: &str| {
        let types = types["Types"].as_array().unwrap();
        let found = types
            .iter()
            .find(|one| one["Name"] == name)
            .unwrap_or_else(|| panic!("no type {name}"));
        let mut classes: Vec<String> = found["Classes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|class| class.as_str().unwrap().to_owned())
            .collect();
        classes.sort();
        classes
    };
    assert_eq!(classes("incident"), ["ChecklistItem", "UnitOfWork"]);
    assert_eq!(classes("task"), ["ChecklistItem"]);
    assert_eq!(classes("asset"), ["UnitOfWork"]);
}

#[test]
fn a_type_is_written_read_and_written_again() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let kind = json!({
        "Name": "change", "Classes": ["UnitOfWork"], "Templates": { "": "onboarding" }, "AlwaysJournal": false
    });
    admin.put("Types/change", &kind).ok();
    assert_eq!(admin.get("Types/change").ok(), kind);
    let mut other = kind.clone();
    other["Classes"] = json!(["UnitOfWork", "ChecklistItem"]);
    admin.put("Types/change", &other).ok();
    assert_eq!(admin.get("Types/change").ok(), other);
}

#[test]
fn a_template_named_by_the_type_serves_lists_at_once() {
    let server = Server::demo();
    publish(&server, &fragment("f", [item("a", "Ask")]));
    let admin = server
        .as_admin()
        .on(&checklist_tests::Place::new("change", "1").for_purpose("review"));
    assert_eq!(admin.list().state(), "Empty");
    let kind = json!({ "Name": "change", "Classes": [], "Templates": { "review": "f" } });
    admin.put("Types/change", &kind).ok();
    assert_eq!(admin.list().texts(), ["Ask"]);
}

#[test]
fn an_unknown_type_is_told_so() {
    let server = Server::demo();
    server
        .as_reader("Anna")
        .on(&incident("1"))
        .get("Types/no-such-type")
        .refused(404, "TypeNotFound");
}

#[test]
fn a_type_that_names_an_unknown_template_or_class_or_another_name_is_refused() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1"));
    let refused = [
        (
            json!({ "Name": "change", "Classes": [], "Templates": { "": "no such template" } }),
            "/Templates/",
        ),
        (
            json!({ "Name": "change", "Classes": ["Unheard"] }),
            "/Classes/0",
        ),
        (json!({ "Name": "other", "Classes": [] }), "/Name"),
    ];
    for (body, pointer) in refused {
        let problem = admin
            .put("Types/change", &body)
            .refused(422, "InvalidRequest");
        let errors = checklist_tests::client::field_errors(&problem);
        assert!(
            errors.iter().any(|(at, _)| at == pointer),
            "no error at {pointer}: {problem}"
        );
    }
    admin.get("Types/change").refused(404, "TypeNotFound");
}

#[test]
fn only_template_admins_write_types() {
    let server = Server::demo();
    let kind = json!({ "Name": "incident", "Classes": [] });
    server
        .as_owner("Olga")
        .on(&incident("1"))
        .put("Types/incident", &kind)
        .refused(403, "PermissionDenied");
}

/// The type `change` with everything in it, and who has written it.
fn with_change(server: &Server) -> (checklist_tests::Person, serde_json::Value) {
    let admin = server.as_admin().on(&incident("1"));
    let kind = json!({
        "Name": "change", "Classes": ["ChecklistItem"], "Templates": { "": "onboarding" }, "AlwaysJournal": true
    });
    admin.put("Types/change", &kind).ok();
    (admin, kind)
}

#[test]
fn a_put_that_adds_a_class_leaves_the_templates_and_always_journal() {
    let server = Server::demo();
    let (admin, mut kind) = with_change(&server);
    let classes = json!(["UnitOfWork", "ChecklistItem"]);
    let answer = admin.put("Types/change", &json!({ "Classes": classes }));
    kind["Classes"] = classes;
    assert_eq!(answer.ok(), kind);
    assert_eq!(admin.get("Types/change").ok(), kind);
    admin
        .put(
            "Types/change",
            &json!({ "Templates": null, "AlwaysJournal": null }),
        )
        .ok();
    kind["Templates"] = json!({});
    kind["AlwaysJournal"] = json!(false);
    assert_eq!(admin.get("Types/change").ok(), kind);
}

#[test]
fn a_type_that_somebody_else_has_changed_is_not_overwritten() {
    let server = Server::demo();
    let (admin, _) = with_change(&server);
    let put = |condition: (&str, &str), journal: bool| {
        let request = admin
            .request(reqwest::Method::PUT, "Types/change")
            .header(condition.0, condition.1);
        let body = json!({ "AlwaysJournal": journal });
        checklist_tests::client::send(checklist_tests::client::json(request, &body))
    };
    let seen = admin.get("Types/change").header("etag").to_owned();
    assert!(seen.starts_with('"'), "{seen:?}");
    put(("if-none-match", "*"), false).refused(412, "TypeChanged");
    let written = put(("if-match", &seen), false);
    written.ok();
    put(("if-match", &seen), true).refused(412, "TypeChanged");
    let now = admin.get("Types/change");
    assert_eq!(now.header("etag"), written.header("etag"));
    assert_eq!(now.ok()["AlwaysJournal"], false);
    put(("if-match", written.header("etag")), true).ok();
}
