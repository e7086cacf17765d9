//! Rows that somebody has edited and that cannot be read any more: of a type, of a template.
//!
//! They are a problem of the lists that need them and of no others, whatever is done with all of
//! them: single reads, batches, writes, Events, automatic refresh, the lists of types and templates.

use checklist_tests::client::{json as with_json, send};
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Person, Place, Server, incident, until};
use serde_json::json;

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
        send(with_json(request, body))
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
    server.unguard(
        "template_version",
        &["template_version_is_final".to_owned()],
    );
    server.spoil("UPDATE template_version SET document = '{' WHERE template_id = 'f'");
    server.start_again();

    let admin = server.as_admin().on(&third);
    let listed = admin.get("Templates").ok();
    let rows = listed["Templates"].as_array().unwrap();
    let row = |id: &str| rows.iter().find(|row| row["Id"] == id).unwrap();
    assert_eq!(row("f")["Unreadable"], true, "{listed}");
    assert_eq!(row("whole").get("Unreadable"), None, "{listed}");
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
