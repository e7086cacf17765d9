//! `POST /Lists`: lists that nobody has touched are begun, many at once.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{HostKey, Server, Setup, incident, until};
use serde_json::{Value, json};

fn place(number: &str) -> Value {
    incident(number).from_template("move").context()
}

fn outcomes(answer: &Value) -> Vec<&str> {
    let results = answer["Results"].as_array().expect("results");
    let outcomes = results.iter().map(|result| result["Outcome"].as_str());
    outcomes.collect::<Option<_>>().expect("texts")
}

fn server() -> Server {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let due = with(
        item("keys", "Hand over the keys"),
        json!({ "DueOffset": "PT1S" }),
    );
    publish(
        &server,
        &fragment("move", [due, item("door", "Lock the door")]),
    );
    server
}

#[test]
fn lists_that_were_begun_are_found_once_their_items_are_late_and_no_list_is_begun_twice() {
    let server = server();
    let admin = server.as_admin().on(&incident("1"));
    let ticked = server
        .as_editor("Bob")
        .on(&incident("2").from_template("move"));
    ticked.tick("Lock the door");
    let late = json!({ "Filter": { "Late": true }, "Limit": 200 });

    let wish = json!({ "Contexts": [place("1"), place("2"), place("3"), place("3")] });
    let answer = admin.send("Lists", &wish).ok();
    assert_eq!(
        outcomes(&answer),
        ["Created", "Unchanged", "Created", "Unchanged"]
    );
    let again = admin.send("Lists", &wish).ok();
    assert_eq!(outcomes(&again), ["Unchanged"; 4]);

    assert_eq!(
        ticked.list().status("Lock the door"),
        "Done",
        "it stays as it is"
    );
    let rows = admin.audit_of_lists();
    let of_third = rows.iter().filter(|row| row["Context"]["ObjectId"] == "3");
    let what: Vec<_> = of_third.map(|row| row["Event"]["What"].clone()).collect();
    assert_eq!(what, ["Created"], "one row, however often it is asked for");
    until("the items to be late", || {
        let found = admin.send("FindItems", &late).ok();
        (found["Items"].as_array().map(Vec::len) == Some(3)).then_some(())
    });
}

#[test]
fn a_context_that_is_refused_is_named_and_the_others_are_begun() {
    let server = server();
    let person = server
        .as_somebody_who_may(&["Read", "Add"])
        .only_for(&["", "4", "5", "6"].map(incident))
        .on(&incident("1"));
    let nowhere = incident("4").from_template("nowhere").context();
    let without = incident("5").context();
    let foreign = json!({ "ObjectType": "asset", "ObjectId": "1", "TemplateId": "move" });
    let nameless = json!({ "ObjectType": "incident", "ObjectId": "", "TemplateId": "move" });
    let wish = json!({ "Contexts": [nowhere, without, foreign, nameless, place("6")] });
    let answer = person.send("Lists", &wish).ok();
    assert_eq!(
        outcomes(&answer),
        ["Failed", "Failed", "Failed", "Failed", "Created"]
    );
    let codes: Vec<_> = answer["Results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|result| result["Problem"]["Code"].as_str().unwrap_or_default())
        .collect();
    assert_eq!(
        codes,
        [
            "TemplateNotFound",
            "TemplateNotFound",
            "ContextNotFound",
            "InvalidRequest",
            ""
        ]
    );
    assert_eq!(
        error_pointers(&answer["Results"][3]["Problem"]),
        ["/Contexts/3/ObjectId"]
    );
}

#[test]
fn nobody_begins_lists_without_adding_nor_more_than_two_hundred_nor_none() {
    let server = server();
    let reader = server
        .as_somebody_who_may(&["Read", "Check"])
        .on(&incident("1"));
    let one = json!({ "Contexts": [place("1")] });
    reader.send("Lists", &one).refused(403, "PermissionDenied");
    let admin = server.as_admin().on(&incident("1"));
    let many: Vec<Value> = (0..201).map(|n| place(&n.to_string())).collect();
    for (wish, code) in [
        (json!({ "Contexts": many }), "LimitExceeded"),
        (json!({ "Contexts": [] }), "InvalidRequest"),
    ] {
        let problem = admin.send("Lists", &wish).refused(422, code);
        assert_eq!(error_pointers(&problem), ["/Contexts"]);
    }
}
