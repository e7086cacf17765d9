//! Whom items are assigned to: an id that decides, and a name for people.
//!
//! Finding them is tested in `finding_items`, erasing them in `erasure`.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Person, Server, incident};
use serde_json::{Value, json};

fn who(id: &str, name: &str) -> Value {
    json!({ "Id": id, "Name": name })
}

fn ask(server: &Server) -> Person {
    let anna = server.as_editor("Anna").on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    anna
}

fn assigned(person: &Person) -> Value {
    person.list().item("Ask")["Assignee"].clone()
}

#[test]
fn a_person_keeps_id_and_name_and_a_text_is_both() {
    let server = Server::demo();
    let anna = ask(&server);
    for (wanted, expected) in [
        (who("u1", "Ada"), who("u1", "Ada")),
        (json!("Ada"), who("Ada", "Ada")),
        (who(" u 1 ", "  "), who("u 1", "u 1")),
        (json!({ "Id": "u2" }), who("u2", "u2")),
        (who("<b>&\u{1F600}", "مريم"), who("<b>&\u{1F600}", "مريم")),
        (json!(null), json!(null)),
        (who("u1", "Ada"), who("u1", "Ada")),
        (json!(" "), json!(null)),
    ] {
        anna.change("Ask", json!({ "Assignee": wanted }));
        assert_eq!(assigned(&anna), expected, "{wanted}");
    }
    let long = "ü".repeat(200);
    anna.change("Ask", json!({ "Assignee": who(&long, &long) }));
    assert_eq!(assigned(&anna), who(&long, &long));
    let added = anna.add_items(json!([{ "Text": "Build", "Assignee": who("u3", "Ben") }]));
    assert_eq!(added.only("Created")["Item"]["Assignee"], who("u3", "Ben"));
}

#[test]
fn the_name_of_the_newest_assignment_counts_and_an_id_alone_is_no_news() {
    let server = Server::demo();
    let anna = ask(&server);
    let outcome = |wanted: Value| {
        let written = anna.change("Ask", json!({ "Assignee": wanted }));
        (written.outcomes()[0].to_owned(), assigned(&anna))
    };
    let updated = |who: Value| ("Updated".to_owned(), who);
    assert_eq!(outcome(who("u1", "Ada")), updated(who("u1", "Ada")));
    assert_eq!(
        outcome(json!("u1")),
        ("Unchanged".to_owned(), who("u1", "Ada"))
    );
    assert_eq!(
        outcome(who("u1", "Ada Berg")),
        updated(who("u1", "Ada Berg"))
    );
    assert_eq!(
        outcome(json!("Ada Berg")),
        updated(who("Ada Berg", "Ada Berg"))
    );
}

#[test]
fn what_names_nobody_is_refused_where_it_stands() {
    let server = Server::demo();
    let anna = ask(&server);
    let id = anna.id("Ask");
    let long = "x".repeat(201);
    for (wanted, code, pointer) in [
        (json!(7), "InvalidRequest", "/Items/0/Assignee"),
        (
            json!({ "Name": "Ada" }),
            "InvalidRequest",
            "/Items/0/Assignee/Id",
        ),
        (who(" ", "Ada"), "InvalidRequest", "/Items/0/Assignee/Id"),
        (
            json!({ "Id": "u1", "Mail": "a@b.example" }),
            "InvalidRequest",
            "/Items/0/Assignee/Mail",
        ),
        (who(&long, "Ada"), "LimitExceeded", "/Items/0/Assignee/Id"),
        (who("u1", &long), "LimitExceeded", "/Items/0/Assignee/Name"),
        (json!(long), "LimitExceeded", "/Items/0/Assignee"),
    ] {
        let update = json!({ "Items": [{ "Id": id, "Assignee": wanted }] });
        let refused = anna.call("UpdateItems", update).refused(422, code);
        assert_eq!(error_pointers(&refused), [pointer], "{wanted}");
        let add = json!({ "Items": [{ "Text": "Build", "Assignee": wanted }] });
        let refused = anna.call("AddItems", add).refused(422, code);
        assert_eq!(error_pointers(&refused), [pointer], "{wanted}");
    }
    assert_eq!(assigned(&anna), json!(null));
}

#[test]
fn trail_and_history_say_the_names_and_the_ids_that_are_not_names() {
    let server = Server::demo();
    let anna = ask(&server);
    anna.change("Ask", json!({ "Assignee": "Second level" }));
    anna.change("Ask", json!({ "Assignee": who("u1", "Ada") }));
    anna.change("Ask", json!({ "Assignee": who("u2", "Ada") }));
    let undone =
        json!({ "OperationId": "op", "Items": [{ "Id": anna.id("Ask"), "Assignee": null }] });
    anna.call("UpdateItems", undone).ok();
    anna.undo("op").ok();
    let history = anna
        .call("GetItemHistory", json!({ "Id": anna.id("Ask") }))
        .ok();
    let entries = history["Entries"].as_array().expect("entries");
    let said: Vec<Value> = entries
        .iter()
        .filter(|entry| entry["What"] == "AssigneeChanged")
        .map(|entry| {
            json!([
                entry["Before"],
                entry["BeforeId"],
                entry["After"],
                entry["AfterId"]
            ])
        })
        .collect();
    let nothing = Value::Null;
    assert_eq!(
        said,
        [
            json!([nothing, nothing, "Ada", "u2"]),
            json!(["Ada", "u2", nothing, nothing]),
            json!(["Ada", "u1", "Ada", "u2"]),
            json!(["Second level", nothing, "Ada", "u1"]),
            json!([nothing, nothing, "Second level", nothing]),
        ]
    );
    let admin = server.as_admin().on(&anna.place);
    let rows = admin.audit_of_lists();
    let assigned = rows
        .iter()
        .filter(|row| row["Event"]["What"] == "AssigneeChanged");
    let ids: Vec<&Value> = assigned.map(|row| &row["Event"]["AfterId"]).collect();
    assert_eq!(ids[1..3], ["u1", "u2"], "{rows:?}");
    let found = admin.get("Audit/Verification").ok();
    assert_eq!(found["Broken"], Value::Null, "{found}");
}

#[test]
fn the_role_of_a_template_is_a_text_until_a_person_takes_its_place_and_a_refresh_leaves_them() {
    let server = Server::demo();
    let role = |role| {
        fragment(
            "f",
            [with(item("a", "Ask"), json!({ "AssigneeRole": role }))],
        )
    };
    publish(&server, &role("Second level"));
    let anna = server
        .as_editor("Anna")
        .on(&incident("1").from_template("f"));
    assert_eq!(assigned(&anna), who("Second level", "Second level"));
    let ben = server
        .as_editor("Ben")
        .on(&incident("2").from_template("f"));
    ben.tick("Ask");
    anna.change("Ask", json!({ "Assignee": who("u1", "Ada") }));
    publish(&server, &role("Third level"));
    anna.call("RefreshItemsOnTemplateChange", json!({})).ok();
    ben.call("RefreshItemsOnTemplateChange", json!({})).ok();
    assert_eq!(assigned(&anna), who("u1", "Ada"));
    assert_eq!(assigned(&ben), who("Third level", "Third level"));
}

#[test]
fn two_people_with_one_name_find_their_own_items_and_a_typed_name_finds_neither() {
    let (host, server) = Server::with_host();
    let person = |id: &str| {
        let mut claims = host.claims(&server.base_url(), id, &["Read", "Check", "Edit", "Add"]);
        claims["name"] = json!("Ada Berg");
        let anybody = server.as_reader("Rita").on(&incident("1"));
        anybody.with_token(&host.sign(&claims))
    };
    let (one, two) = (person("u 1 <\u{1F600}>"), person("u2"));
    one.add_items(json!([
        { "Text": "One", "Assignee": who("u 1 <\u{1F600}>", "Ada Berg") },
        { "Text": "Two", "Assignee": who("u2", "Ada Berg") },
        { "Text": "Typed", "Assignee": "Ada Berg" },
    ]));
    let found = |person: &Person, assignee: &str| {
        let filter = json!({ "Filter": { "Assignee": assignee } });
        let page = person.send("FindItems", &filter).ok();
        let items = page["Items"].as_array().cloned().unwrap_or_default();
        let text = |found: &Value| found["Item"]["Text"].as_str().unwrap_or("").to_owned();
        items.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(found(&one, "Me"), ["One"]);
    assert_eq!(found(&two, "Me"), ["Two"]);
    assert_eq!(found(&two, "u 1 <\u{1F600}>"), ["One"]);
    assert_eq!(found(&two, "Ada Berg"), ["Typed"]);
}

#[test]
fn being_assigned_opens_no_list() {
    let (host, server) = Server::with_host();
    let token = |id: &str, object: &str| {
        let mut claims = host.claims(&server.base_url(), id, &["Read", "Edit", "Add"]);
        claims["contexts"] =
            json!([{ "ObjectType": "incident", "ObjectId": object, "Purpose": "*" }]);
        let anybody = server.as_reader("Rita").on(&incident("1"));
        anybody.with_token(&host.sign(&claims))
    };
    let anna = token("anna", "1");
    anna.add_items(json!([{ "Text": "Ask", "Assignee": who("ben", "Ben") }]));
    let ben = token("ben", "2");
    let mine = ben
        .send("FindItems", &json!({ "Filter": { "Assignee": "Me" } }))
        .ok();
    assert_eq!(mine["Items"], json!([]));
    ben.call("GetItems", json!({}))
        .refused(404, "ContextNotFound");
}
