//! Items that ask for an answer: what is taken, shown, told and erased.

use checklist_tests::client::error_pointers;
use checklist_tests::template::{fragment, item, with};
use serde_json::{Value, json};

use crate::one_host::OneHost;

fn cold() -> Value {
    let format =
        json!({ "Type": "Number", "Unit": { "en": "degrees", "de": "Grad" }, "Min": 2, "Max": 8 });
    with(item("cold", "Measure"), json!({ "AnswerFormat": format }))
}

fn state() -> Value {
    let format = json!({ "Type": "Choice", "Choices": [
        { "Key": "ok", "Text": { "en": "In order", "de": "In Ordnung" } },
        { "Key": "bad", "Text": { "en": "Damaged", "de": "Beschädigt" } }] });
    with(item("state", "Look"), json!({ "AnswerFormat": format }))
}

fn words() -> Value {
    with(
        item("words", "Say"),
        json!({ "AnswerFormat": { "Type": "Text" } }),
    )
}

fn world() -> OneHost {
    OneHost::with(&fragment("f", [cold(), state(), words()]))
}

#[test]
fn a_list_is_completed_by_answers_which_each_reads_in_their_language() {
    let world = world();
    let ada = world.checker("ada");
    assert_eq!(ada.tick("Measure").problem("Failed"), "AnswerRequired");
    let wrong = ada.change("Measure", json!({ "Answer": 1.9 }));
    assert_eq!(wrong.problem("Failed"), "InvalidAnswer");
    ada.change("Measure", json!({ "Answer": 4.5 }))
        .only("Updated");
    ada.change("Look", json!({ "Answer": "bad" }))
        .only("Updated");
    assert!(!ada.list().completed(), "one is left");
    ada.change("Say", json!({ "Answer": "It was the fan" }))
        .only("Updated");
    let list = ada.list();
    assert!(list.completed());
    assert_eq!(
        list.item("Measure")["Answer"],
        json!({ "Value": 4.5, "Label": "degrees" })
    );
    let german = ada.call("GetItems", json!({ "Language": "de" })).ok();
    let items = german["Items"].as_array().expect("items").clone();
    assert_eq!(
        items[1]["Answer"],
        json!({ "Value": "bad", "Label": "Beschädigt" })
    );
    assert_eq!(items[1]["AnswerFormat"]["Choices"][0]["Text"], "In Ordnung");
    assert_eq!(
        items[0]["Answer"]["Label"], "degrees",
        "as whoever answered has read it"
    );
}

#[test]
fn the_trail_and_the_history_tell_an_answer_until_its_words_are_erased() {
    let world = world();
    let ada = world.checker("ada");
    ada.change("Say", json!({ "Answer": "Ada's own words" }))
        .only("Updated");
    ada.change("Measure", json!({ "Answer": 5 }))
        .only("Updated");
    let history = ada
        .call("GetItemHistory", json!({ "Id": ada.id("Measure") }))
        .ok();
    assert_eq!(history["Entries"][0]["After"], "5 degrees");
    let admin = world.admin();
    let rows = Value::from(admin.audit()).to_string();
    assert!(rows.contains("Ada's own words"));

    world.erase("ada");
    let list = world.checker("bob").list();
    assert_eq!(list.item("Say")["Status"], "Done", "it stays done");
    assert_eq!(list.item("Say")["Answer"], Value::Null);
    assert_eq!(
        list.item("Measure")["Answer"]["Value"],
        5,
        "a number is nobody's words"
    );
    let rows = Value::from(admin.audit()).to_string();
    assert!(!rows.contains("Ada's own words"), "{rows}");
}

#[test]
fn a_format_that_nobody_could_answer_is_refused_with_where_it_is_wrong() {
    let world = world();
    let admin = world.admin();
    let mut template = fragment("g", [cold(), state()]);
    template["Items"][0]["AnswerFormat"]["Max"] = json!(1);
    template["Items"][1]["AnswerFormat"]["Choices"][1]["Key"] = json!("ok");
    let refused = admin
        .put("Templates/g", &template)
        .refused(422, "InvalidRequest");
    let wanted = [
        "/Items/0/AnswerFormat/Max",
        "/Items/1/AnswerFormat/Choices/1/Key",
    ];
    assert_eq!(error_pointers(&refused), wanted);
    template["Items"][0]["AnswerFormat"]["Max"] = json!("8");
    admin
        .put("Templates/g", &template)
        .refused(422, "InvalidRequest");
}

#[test]
fn two_who_answer_at_once_leave_one_answer_and_its_giver() {
    let world = world();
    let (ada, bob) = (
        world.checker("ada"),
        world.person("bob", &["Read", "Check", "UncheckOthers"]),
    );
    let version = ada.list().item("Measure")["Version"].clone();
    let own = |value: i32| json!({ "Answer": value, "BaseVersion": version });
    ada.change("Measure", own(4)).only("Updated");
    let late = bob.change("Measure", own(5));
    assert_eq!(late.problem("Conflict"), "StatusConflict");
    let item = bob.list().item("Measure").clone();
    assert_eq!(
        (&item["Answer"]["Value"], &item["StatusBy"]["Id"]),
        (&json!(4), &json!("ada"))
    );
}

#[test]
fn an_undo_tells_the_trail_which_answer_is_in_force_again() {
    let world = world();
    let ada = world.checker("ada");
    ada.change("Measure", json!({ "Answer": 5 }))
        .only("Updated");
    let item = json!({ "Id": ada.id("Measure"), "Answer": 6 });
    let call = json!({ "OperationId": "second-answer", "Items": [item] });
    ada.call("UpdateItems", call).ok();
    ada.call("Undo", json!({ "Undoes": "second-answer" })).ok();
    assert_eq!(ada.list().item("Measure")["Answer"]["Value"], 5);
    let rows = world.admin().audit();
    let told = rows
        .iter()
        .rfind(|row| row["Event"]["ItemId"] == ada.id("Measure"));
    let event = &told.expect("a row")["Event"];
    assert_eq!(
        (&event["What"], &event["Answer"]["Value"]),
        (&json!("Checked"), &json!(5))
    );
}

#[test]
fn an_erased_answer_that_reads_like_a_status_leaves_the_closed_run_readable() {
    let world = world();
    let ada = world.checker("ada");
    ada.change("Say", json!({ "Answer": "Done" }))
        .only("Updated");
    let admin = world.admin();
    admin
        .call("StartAgain", json!({ "Reason": "Next round" }))
        .ok();
    world.erase("ada");
    let closed = admin.call("GetItems", json!({ "Run": 1 })).ok();
    let item = &closed["Items"][2];
    assert_eq!(
        (&item["Status"], &item["Answer"]["Value"]),
        (&json!("Done"), &json!("[erased]"))
    );
}

#[test]
fn another_answer_is_told_with_the_one_before_it() {
    let world = world();
    let ada = world.checker("ada");
    ada.change("Measure", json!({ "Answer": 5 }))
        .only("Updated");
    ada.change("Measure", json!({ "Answer": 2.5 }))
        .only("Updated");
    let history = ada
        .call("GetItemHistory", json!({ "Id": ada.id("Measure") }))
        .ok();
    let newest = &history["Entries"][0];
    assert_eq!(newest["What"], "Checked");
    assert_eq!(
        (&newest["Before"], &newest["After"]),
        (&json!("5 degrees"), &json!("2.5 degrees"))
    );
    // The same once more, after the wording was read anew, is no other answer.
    let hash = ada.list().item("Measure")["TextHash"].clone();
    ada.change(
        "Measure",
        json!({ "Status": "Done", "Answer": 2.5, "SeenTextHash": hash }),
    );
    let list = ada.list();
    assert_eq!(list.item("Measure")["Answer"]["Value"], 2.5);
}

#[test]
fn an_answer_without_a_status_brings_its_evidence() {
    let proven = with(state(), json!({ "RequiresEvidence": true }));
    let world = OneHost::with(&fragment("f", [proven]));
    let ada = world.checker("ada");
    let evidence = json!({ "Name": "Photo", "Url": "https://example.org/photo" });
    ada.change("Look", json!({ "Answer": "ok", "Evidence": evidence }))
        .only("Updated");
    assert_eq!(ada.list().status("Look"), "Done");
    let undone = json!({ "Id": ada.id("Look"), "Status": "Open", "Evidence": evidence });
    ada.call("UpdateItems", json!({ "Items": [undone] }))
        .refused(422, "InvalidRequest");
}
