//! The journal: written when asked for, readable, and clear about why it was not.
//!
//! The demo's types have both classes, or one of them each.

use checklist_tests::{HostKey, Person, Server, Setup, asset, incident, task};
use serde_json::{Value, json};

fn tick(person: &Person, text: &str) -> Value {
    let id = person.id(text);
    let body = json!({ "Items": [{ "Id": id, "Status": "Done" }], "LogInJournal": true });
    person.call("UpdateItems", body).ok()
}

fn with_items(person: Person, texts: &[&str]) -> Person {
    let items: Vec<_> = texts.iter().map(|text| json!({ "Text": text })).collect();
    person.add_items(json!(items));
    person
}

#[test]
fn nothing_is_written_unless_somebody_asks() {
    let server = Server::demo();
    let anna = with_items(server.editor_on(&incident("1").for_purpose("x")), &["A"]);
    let written = anna.tick("A");
    assert_eq!(
        written.0["Journal"],
        json!({ "Written": false, "Entries": 0 })
    );
    assert!(anna.journal().is_empty());
}

#[test]
fn a_tick_is_told_in_a_readable_sentence() {
    let server = Server::demo();
    let anna = with_items(
        server.editor_on(&incident("1").for_purpose("x")),
        &["A", "B"],
    );
    assert_eq!(
        tick(&anna, "A")["Journal"],
        json!({ "Written": true, "Entries": 1 })
    );
    let entries = anna.journal();
    let [entry] = entries.as_slice() else {
        panic!("{entries:?}")
    };
    assert_eq!(entry["Text"], "1 checked, 1 of 2 done");
    assert_eq!(entry["Actor"]["Name"], "Erin Editor");
    assert_eq!(entry["Context"]["Purpose"], "x");
    assert_eq!(entry["Events"][0]["What"], "Checked");
    assert_eq!(entry["Events"][0]["Text"], "A");
}

#[test]
fn what_one_person_does_in_a_row_becomes_one_entry() {
    let server = Server::demo();
    let anna = with_items(
        server.editor_on(&incident("1").for_purpose("x")),
        &["A", "B", "C", "D"],
    );
    for text in ["A", "B", "C"] {
        tick(&anna, text);
    }
    let entries = anna.journal();
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0]["Text"], "3 checked, 3 of 4 done");
    assert_eq!(entries[0]["Events"].as_array().map(Vec::len), Some(3));
}

#[test]
fn another_person_and_another_list_begin_entries_of_their_own() {
    let server = Server::demo();
    let anna = with_items(
        server.editor_on(&incident("1").for_purpose("x")),
        &["A", "B", "C"],
    );
    let bob = server.as_editor("Bob").on(&anna.place);
    let other = with_items(anna.at(&incident("1").for_purpose("y")), &["A"]);
    tick(&anna, "A");
    tick(&bob, "B");
    tick(&anna, "C");
    tick(&other, "A");
    let entries = anna.journal();
    let told: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                entry["Actor"]["Name"].as_str().unwrap(),
                entry["Context"]["Purpose"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("Erin Editor", "x"),
            ("Bob", "x"),
            ("Erin Editor", "x"),
            ("Erin Editor", "y")
        ]
    );
}

#[test]
fn a_reader_continues_where_it_stopped_and_hears_of_a_continued_entry_again() {
    let server = Server::demo();
    let anna = with_items(
        server.editor_on(&incident("1").for_purpose("x")),
        &["A", "B"],
    );
    tick(&anna, "A");
    let page = anna.get("Journal?ObjectType=incident&ObjectId=1").ok();
    let cursor = page["Cursor"].as_u64().unwrap();
    let id = page["Entries"][0]["Id"].clone();
    let after = |cursor: u64| {
        anna.get(&format!(
            "Journal?After={cursor}&ObjectType=incident&ObjectId=1"
        ))
        .ok()
    };
    assert_eq!(after(cursor)["Entries"], json!([]));
    assert_eq!(after(cursor)["Cursor"], cursor);
    tick(&anna, "B");
    let page = after(cursor);
    assert_eq!(page["Entries"].as_array().map(Vec::len), Some(1));
    assert_eq!(page["Entries"][0]["Id"], id, "the same entry, continued");
    assert_eq!(page["Entries"][0]["Text"], "2 checked, 2 of 2 done");
    assert!(page["Cursor"].as_u64().unwrap() > cursor);
}

#[test]
fn a_type_that_lacks_a_class_says_which() {
    let server = Server::demo();
    for (place, missing, present) in [
        (task("1"), "UnitOfWork", "ChecklistItem"),
        (asset("1"), "ChecklistItem", "UnitOfWork"),
        (
            checklist_tests::Place::new("unheard-of", "1"),
            "UnitOfWork",
            "nothing",
        ),
    ] {
        let anna = with_items(server.editor_on(&place.for_purpose("x")), &["A"]);
        let journal = tick(&anna, "A")["Journal"].clone();
        assert_eq!(
            (&journal["Written"], &journal["Entries"]),
            (&json!(false), &json!(0))
        );
        let reason = journal["Reason"].as_str().unwrap_or_default();
        assert!(
            reason.contains(missing),
            "{reason:?} does not say that {missing} is missing"
        );
        assert!(
            !reason.contains(present),
            "{reason:?} names a class that is there"
        );
        assert!(anna.journal().is_empty());
    }
}

#[test]
fn a_class_added_to_a_type_works_at_once_without_a_restart() {
    let server = Server::demo();
    let anna = with_items(server.editor_on(&task("1").for_purpose("x")), &["A", "B"]);
    assert_eq!(tick(&anna, "A")["Journal"]["Written"], false);
    let admin = server.as_admin().on(&anna.place);
    let mut task = admin.get("Types/task").ok();
    task["Classes"] = json!(["UnitOfWork", "ChecklistItem"]);
    admin.put("Types/task", &task).ok();
    assert_eq!(tick(&anna, "B")["Journal"]["Written"], true);
    assert_eq!(anna.journal().len(), 1);
}

#[test]
fn a_type_may_want_the_journal_always() {
    let server = Server::demo();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let mut incident = admin.get("Types/incident").ok();
    incident["AlwaysJournal"] = json!(true);
    admin.put("Types/incident", &incident).ok();
    admin.add("A");
    assert_eq!(admin.journal().len(), 1);
}

#[test]
fn a_token_may_want_the_journal() {
    let server = Setup::for_hosts(&[HostKey::of("north")]).start();
    let admin = server.as_admin().on(&incident("1").for_purpose("x"));
    let kind = json!({ "Name": "incident", "Classes": ["UnitOfWork", "ChecklistItem"] });
    admin.put("Types/incident", &kind).ok();
    let anna = server
        .as_editor("Anna")
        .with_claim("journal", json!(true))
        .on(&admin.place);
    anna.add("A");
    assert_eq!(anna.journal().len(), 1);
}

#[test]
fn every_writing_call_can_be_told() {
    let server = Server::demo();
    let anna = with_items(
        server.as_owner("Anna").on(&incident("1").for_purpose("x")),
        &["A"],
    );
    let id = anna.id("A");
    anna.call(
        "AddItems",
        json!({ "Items": [{ "Text": "B" }], "LogInJournal": true, "OperationId": "op" }),
    )
    .ok();
    anna.call(
        "UpdateItems",
        json!({ "Items": [{ "Id": id, "Note": "n" }], "LogInJournal": true }),
    )
    .ok();
    anna.call("DeleteItems", json!({ "Ids": [id], "LogInJournal": true }))
        .ok();
    anna.call("Undo", json!({ "Undoes": "op", "LogInJournal": true }))
        .ok();
    let what: Vec<String> = anna
        .journal()
        .iter()
        .flat_map(|entry| entry["Events"].as_array().cloned().unwrap_or_default())
        .map(|event| event["What"].as_str().unwrap_or_default().to_owned())
        .collect();
    for expected in ["Added", "NoteChanged", "Deleted", "Undone"] {
        assert!(
            what.iter().any(|one| one == expected),
            "no {expected} in {what:?}"
        );
    }
}

#[test]
fn a_change_that_changed_nothing_leaves_no_entry() {
    let server = Server::demo();
    let anna = with_items(server.editor_on(&incident("1").for_purpose("x")), &["A"]);
    anna.tick("A");
    let journal = tick(&anna, "A")["Journal"].clone();
    assert_eq!(
        (&journal["Written"], &journal["Entries"]),
        (&json!(false), &json!(0))
    );
    assert!(anna.journal().is_empty());
}

#[test]
fn a_person_reads_the_journal_of_their_own_objects_only() {
    let server = Server::demo();
    let anna = with_items(server.editor_on(&incident("1").for_purpose("x")), &["A"]);
    tick(&anna, "A");
    let carl = server
        .as_reader("Carl")
        .only_for(&[incident("2")])
        .on(&incident("2"));
    let page = carl.get("Journal").ok();
    assert_eq!(
        page["Entries"],
        json!([]),
        "entries of a list that the token does not cover"
    );
    let foreign = carl.get("Journal?ObjectType=incident&ObjectId=1");
    assert!(
        foreign.status == 404 || foreign.ok()["Entries"] == json!([]),
        "{}",
        foreign.text()
    );
}
