//! Two people, one item: who is told what.
//!
//! The loser is always told and gets the present item; nothing is overwritten unseen, and what
//! does not collide is not called a conflict.

use checklist_tests::{Person, Server, incident, promise};
use serde_json::json;

fn anna_and_bob(server: &Server) -> (Person, Person) {
    let anna = server.editor_on(&incident("1").for_purpose("x"));
    anna.add("Ask");
    let bob = server.as_editor("Bob").on(&anna.place);
    (anna, bob)
}

#[test]
fn changing_a_text_or_a_place_needs_the_version_it_is_based_on() {
    let server = Server::demo();
    let (anna, _) = anna_and_bob(&server);
    let id = anna.id("Ask");
    for fields in [
        json!({ "Text": "Ask Bob" }),
        json!({ "AfterId": null }),
        json!({ "ParentId": null }),
    ] {
        let item = checklist_tests::person::with_id(fields, &id);
        let problem = anna
            .call("UpdateItems", json!({ "Items": [item] }))
            .refused(422, "InvalidRequest");
        let errors = checklist_tests::client::field_errors(&problem);
        assert!(
            errors.iter().any(|(_, code)| code == "BaseVersionRequired"),
            "{problem}"
        );
    }
}

#[test]
fn a_text_changed_meanwhile_is_a_conflict_that_brings_the_present_item() {
    let server = Server::demo();
    let (anna, bob) = anna_and_bob(&server);
    bob.reword("Ask", "Ask Bob");
    let late = anna.change("Ask Bob", json!({ "Text": "Ask Carl", "BaseVersion": 1 }));
    let result = late.only("Conflict");
    assert_eq!(result["Problem"]["Code"], "TextConflict");
    assert_eq!(result["Item"]["Text"], "Ask Bob");
    assert_eq!(result["Item"]["ModifiedBy"]["Name"], "Bob");
    assert_eq!(late.0["Code"], "NotApplied");
    assert_eq!(anna.list().texts(), ["Ask Bob"]);
}

#[test]
fn a_tick_beside_an_edit_does_not_collide() {
    let server = Server::demo();
    let (anna, bob) = anna_and_bob(&server);
    bob.tick("Ask");
    anna.change("Ask", json!({ "Text": "Ask Bob", "BaseVersion": 1 }))
        .only("Updated");
    let list = anna.list();
    assert_eq!(list.status("Ask Bob"), "Done");
}

#[test]
fn both_changing_the_text_to_the_same_is_no_conflict() {
    let server = Server::demo();
    let (anna, bob) = anna_and_bob(&server);
    bob.reword("Ask", "Ask Bob");
    anna.change("Ask Bob", json!({ "Text": "Ask Bob", "BaseVersion": 1 }))
        .only("Unchanged");
}

#[test]
fn a_tick_of_a_wording_that_is_no_longer_there_is_a_conflict() {
    let server = Server::demo();
    let (anna, bob) = anna_and_bob(&server);
    let seen = anna.list().item("Ask")["TextHash"].clone();
    bob.reword("Ask", "Pay");
    let late = anna.change("Pay", json!({ "Status": "Done", "SeenTextHash": seen }));
    assert_eq!(late.problem("Conflict"), "WordingConflict");
    assert_eq!(late.only("Conflict")["Item"]["Text"], "Pay");
    assert_eq!(anna.list().status("Pay"), "Open");
}

#[test]
fn a_status_set_meanwhile_is_a_conflict_for_who_wants_another() {
    let server = Server::demo();
    let (anna, bob) = anna_and_bob(&server);
    bob.tick("Ask");
    let late = anna.change(
        "Ask",
        json!({ "Status": "NotApplicable", "BaseVersion": 1 }),
    );
    assert_eq!(late.problem("Conflict"), "StatusConflict");
    assert_eq!(late.only("Conflict")["Item"]["StatusBy"]["Name"], "Bob");
    let same = anna.change("Ask", json!({ "Status": "Done", "BaseVersion": 1 }));
    same.only("Unchanged");
}

#[test]
fn a_note_changed_meanwhile_is_a_conflict_when_the_caller_names_a_version() {
    let server = Server::demo();
    let (anna, bob) = anna_and_bob(&server);
    bob.change("Ask", json!({ "Note": "Bob's" }));
    let late = anna.change("Ask", json!({ "Note": "Anna's", "BaseVersion": 1 }));
    assert_eq!(late.problem("Conflict"), "FieldConflict");
    assert_eq!(anna.list().item("Ask")["Note"], "Bob's");
}

#[test]
fn an_item_moved_meanwhile_is_a_conflict_for_who_moves_it_too() {
    let server = Server::demo();
    let (anna, bob) = anna_and_bob(&server);
    anna.add("Build");
    anna.add("Clean");
    let clean = anna.id("Clean");
    bob.change("Ask", json!({ "AfterId": clean, "BaseVersion": 1 }))
        .only("Updated");
    let build = anna.id("Build");
    let late = anna.change("Ask", json!({ "AfterId": build, "BaseVersion": 1 }));
    assert_eq!(late.problem("Conflict"), "PlaceConflict");
    assert_eq!(anna.list().texts(), ["Build", "Clean", "Ask"]);
}

#[test]
fn of_many_who_reword_at_once_one_wins_and_the_others_are_told() {
    let server = Server::demo();
    let (anna, _) = anna_and_bob(&server);
    let id = anna.id("Ask");
    let rounds = promise::times(10, 1_000);
    for round in 1..=rounds {
        let version = anna.list().items()[0]["Version"].clone();
        let outcomes: Vec<String> = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..6)
                .map(|n| {
                    let (id, version, anna) = (&id, &version, &anna);
                    let item =
                        json!({ "Id": id, "Text": format!("{round}-{n}"), "BaseVersion": version });
                    scope.spawn(move || anna.update(json!([item])).outcomes()[0].to_owned())
                })
                .collect();
            writers
                .into_iter()
                .map(|writer| writer.join().unwrap())
                .collect()
        });
        let count = |outcome: &str| outcomes.iter().filter(|one| *one == outcome).count();
        assert_eq!(
            (count("Updated"), count("Conflict")),
            (1, 5),
            "{outcomes:?}"
        );
    }
    promise::held(
        "D5",
        format!("{rounds} rounds of 6 editors: each time one won and five were told"),
    );
}
