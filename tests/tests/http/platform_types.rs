//! Types: which classes a platform type includes and which template each purpose has.
//!
//! What the classes mean for the journal is tested in `journal`.

use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Person, Place, Server, incident, until};
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

/// A server with the list `1` of the types `change` and `other`, both of the template `f`, which
/// brings lists along by itself.
fn with_two_types() -> (Server, impl Fn(u64) -> serde_json::Value) {
    let server = Server::demo();
    let of_version = |version: u64| {
        let items = [item("a", "Ask"), item("b", &format!("Version {version}"))];
        with(fragment("f", items), json!({ "RefreshPolicy": "Auto" }))
    };
    publish(&server, &of_version(1));
    let admin = server.as_admin().on(&incident("1"));
    for name in ["change", "other"] {
        let kind = json!({ "Classes": ["ChecklistItem"], "Templates": { "": "f" } });
        admin.put(&format!("Types/{name}"), &kind).ok();
        server.editor_on(&Place::new(name, "1")).tick("Ask");
    }
    (server, of_version)
}

/// Reads the lists `1` of both types at once: what each answers.
fn both(reader: &Person) -> [serde_json::Value; 2] {
    let contexts = ["change", "other"].map(|name| Place::new(name, "1").context());
    let answer = reader.send("GetItems", &json!({ "Contexts": contexts }));
    let mut results = answer.ok()["Results"].as_array().unwrap().clone();
    assert_eq!(results.len(), 2);
    let other = results.remove(1);
    [results.remove(0), other]
}

#[test]
fn a_type_whose_row_cannot_be_read_fails_its_own_lists_alone() {
    let (mut server, of_version) = with_two_types();
    server.stop();
    server.spoil("UPDATE platform_type SET classes = '{' WHERE name = 'change'");
    server.start_again();

    let places = [Place::new("change", "1"), Place::new("other", "1")];
    let admin = server.as_admin().on(&places[1]);
    let [change, other] = places.clone().map(|place| admin.at(&place));
    assert_eq!(other.list().status("Ask"), "Done");
    let context = json!({ "Context": places[0].context() });
    let refused = change
        .send("GetItems", &context)
        .refused(500, "TypeUnreadable");
    let detail = refused["detail"].as_str().unwrap();
    assert!(
        detail.contains("'change'") && detail.contains("PUT Types/change"),
        "{detail}"
    );
    let [failed, read] = both(&admin);
    assert_eq!(failed["Code"], "TypeUnreadable", "{failed}");
    assert_eq!(read["Context"], places[1].context());

    // Events of the other list go on, and that one is a problem.
    let stream = admin.follow_from(&places, None);
    assert_eq!(stream.next("problem")["Problem"]["Code"], "TypeUnreadable");
    other.untick("Ask");
    let is_other = |event: &serde_json::Value| event["Context"] == places[1].context();
    stream.until("items", is_other);
    let add = json!({ "Items": [{ "Text": "More" }] });
    change
        .call("AddItems", add.clone())
        .refused(500, "TypeUnreadable");
    other.call("AddItems", add).ok();

    // A new version brings the other list along.
    publish(&server, &of_version(2));
    until("the other list is brought along", || {
        other.list().has("Version 2").then_some(())
    });

    // The others are listed, and this one is named.
    let types = admin.get("Types").ok();
    let names = types["Types"].as_array().unwrap().iter();
    let names: Vec<_> = names.filter_map(|kind| kind["Name"].as_str()).collect();
    assert!(
        names.contains(&"other") && !names.contains(&"change"),
        "{types}"
    );
    assert_eq!(types["Unreadable"], json!(["change"]));
    admin.get("Types/change").refused(500, "TypeUnreadable");

    // What cannot be read cannot be kept; written whole, the type is there again.
    let put = |condition: Option<(&str, &str)>, body: &serde_json::Value| {
        let mut request = admin.request(reqwest::Method::PUT, "Types/change");
        if let Some((name, value)) = condition {
            request = request.header(name, value);
        }
        checklist_tests::client::send(checklist_tests::client::json(request, body))
    };
    put(None, &json!({ "AlwaysJournal": true })).refused(500, "TypeUnreadable");
    let whole =
        json!({ "Classes": ["ChecklistItem"], "Templates": { "": "f" }, "AlwaysJournal": false });
    put(Some(("if-none-match", "*")), &whole).refused(412, "TypeChanged");
    put(Some(("if-match", "\"0123\"")), &whole).refused(412, "TypeChanged");
    put(None, &whole).ok();
    stream.until("list", |event| event["Context"] == places[0].context());
    until("its list is brought along", || {
        change.list().has("Version 2").then_some(())
    });
    assert_eq!(change.list().status("Ask"), "Done");
    let log = server.errors();
    assert_eq!(
        log.matches("a stored type cannot be read").count(),
        1,
        "{log}"
    );
    assert!(!log.contains("a checklist failed"), "{log}");
}

#[test]
fn a_template_whose_row_cannot_be_read_fails_its_own_lists_alone() {
    let (mut server, _) = with_two_types();
    publish(&server, &fragment("whole", [item("a", "Ask")]));
    let kind = json!({ "Classes": ["ChecklistItem"], "Templates": { "": "whole" } });
    let admin = server.as_admin().on(&incident("1"));
    admin.put("Types/third", &kind).ok();
    let third = Place::new("third", "1");
    server.editor_on(&third).tick("Ask");
    server.stop();
    server.spoil("UPDATE template_version SET document = '{' WHERE template_id = 'f'");
    server.start_again();

    let admin = server.as_admin().on(&third);
    let contexts = [third.context(), Place::new("other", "1").context()];
    let answer = admin.send("GetItems", &json!({ "Contexts": contexts }));
    let results = answer.ok();
    assert_eq!(
        results["Results"][0]["Context"],
        third.context(),
        "{results}"
    );
    assert_eq!(results["Results"][1]["Code"], "Internal", "{results}");
    admin.untick("Ask");
    let places = [Place::new("other", "1"), third.clone()];
    let stream = admin.follow_from(&places, None);
    assert_eq!(stream.next("problem")["Context"], places[0].context());
    admin.tick("Ask");
    stream.until("items", |event| event["Context"] == third.context());
}
