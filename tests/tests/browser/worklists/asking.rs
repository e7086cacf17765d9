//! What an item needs beyond a tick, asked for in its row of a worklist: an answer, evidence, the reason to
//! override a signal. What was typed is never lost.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::{fragment, item, publish, with};
use checklist_tests::{Person, incident};
use serde_json::{Value, json};

use super::*;

const FIELD: &str = "__probe.root(§).querySelector('.editor input')?.value";

fn measure(format: Value) -> Value {
    with(item("cold", "Measure"), json!({ "AnswerFormat": format }))
}

fn degrees() -> Value {
    json!({ "Type": "Number", "Unit": "°C", "Min": 2, "Max": 8 })
}

/// The list of an incident, with these items assigned to the reader.
fn assigned(stage: &Stage, texts: &[&str]) -> Person {
    let anna = stage.server.as_owner("Anna").on(&incident("1"));
    for text in texts {
        anna.change(text, json!({ "Assignee": petra() }));
    }
    anna
}

fn in_a_form(work: &Control<'_>) {
    work.until("!!__probe.deepActive()?.closest('.editor')");
}

fn at_the_box_of(work: &Control<'_>, text: &str) {
    let at_box = format!(
        "__probe.deepActive()?.className === 'box' && __probe.deepActive().closest('.row').textContent.includes('{text}')"
    );
    work.until(&at_box);
}

#[test]
fn a_german_answers_where_the_item_stands_by_the_keyboard_alone() {
    let stage = Stage::with([measure(degrees()), item("b", "Call")]);
    let anna = assigned(&stage, &["Measure", "Call"]);
    let work = worklist(&stage, "lang='de'");
    work.says("Von 2 bis 8 °C");
    work.focus_item("Measure");
    stage.browser.press(Keys::Space);
    in_a_form(&work);
    assert!(!work.checked("Measure"));
    assert_eq!(told(&stage), json!([]), "nothing is set yet");
    stage.browser.keys("9");
    stage.browser.press(Keys::Enter);
    work.says("Bitte eine Zahl eingeben. Von 2 bis 8 °C");
    in_a_form(&work);
    for scheme in stage.browser.schemes() {
        stage.browser.prefer(scheme);
        stage.browser.is_accessible("#work", scheme);
    }
    stage.browser.press_with(Keys::Control, 'a');
    stage.browser.keys("4,5");
    stage.browser.press(Keys::Enter);
    work.says("Antwort: 4,5 °C");
    at_the_box_of(&work, "Measure");
    assert!(work.checked("Measure"));
    let answer = anna.list().item("Measure")["Answer"].clone();
    assert_eq!(answer, json!({ "Value": 4.5, "Label": "°C" }));
    assert_eq!(
        told(&stage),
        json!([
            "before-checklist-check check 1 Done",
            "checklist-change check 1 Done",
        ])
    );
    // Taken back, it asks again.
    stage.browser.press(Keys::Space);
    work.becomes_checked("Measure", false);
    work.until("!__probe.row(§, 'Measure').classList.contains('pending')");
    assert_eq!(anna.list().item("Measure")["Answer"], Value::Null);
    stage.browser.press(Keys::Space);
    in_a_form(&work);
    stage.browser.press(Keys::Escape);
    at_the_box_of(&work, "Measure");
    assert_eq!(anna.list().status("Measure"), "Open");
    stage.browser.is_untroubled();
}

#[test]
fn evidence_and_the_reason_to_override_a_signal_are_asked_for_on_a_phone() {
    let stage = Stage::with([
        with(item("a", "Attach"), json!({ "RequiresEvidence": true })),
        with(
            item("d", "Deploy"),
            json!({ "Signal": { "Source": "CI", "Key": "deploy" } }),
        ),
    ]);
    let anna = assigned(&stage, &["Attach", "Deploy"]);
    let work = worklist(&stage, "");
    stage.browser.resize(320, 720);
    work.tick("Attach");
    in_a_form(&work);
    work.fill("Name of the evidence", "Report");
    work.fill("Web address", "javascript:alert(1)");
    work.click("Done");
    work.until("!!__probe.root(§).querySelector('.editor [aria-invalid=true]')");
    stage
        .browser
        .is_accessible("#work", "an address that is none of the web");
    let fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    stage.browser.until(fits);
    work.fill("Web address", "https://example.org/report");
    work.click("Done");
    work.becomes_checked("Attach", true);
    work.until("__probe.row(§, 'Attach').querySelector('a[href=\"https://example.org/report\"]')?.textContent === 'Report'");
    work.tick("Deploy");
    in_a_form(&work);
    stage.browser.press(Keys::Enter);
    work.says("This item needs a reason.");
    stage.browser.keys("Deployed by hand");
    stage.browser.press(Keys::Enter);
    work.until("__probe.said(§).includes('Checked.')");
    work.until("!__probe.row(§, 'Deploy').classList.contains('pending')");
    let list = anna.list();
    assert_eq!(list.item("Deploy")["Reason"], "Deployed by hand");
    assert_eq!(
        list.item("Attach")["Proposal"]["Evidence"]["Name"],
        "Report"
    );
    stage.browser.is_untroubled();
}

#[test]
fn what_the_server_refuses_on_a_slow_line_comes_back_with_what_was_typed() {
    let stage = Stage::with([measure(degrees()), item("b", "Call")]);
    let anna = assigned(&stage, &["Measure", "Call"]);
    let work = worklist(&stage, "");
    work.shows_item("Measure");
    let colder = measure(json!({ "Type": "Number", "Unit": "°C", "Max": 3 }));
    publish(&stage.server, &fragment("f", [colder, item("b", "Call")]));
    anna.refresh();
    work.tick("Measure");
    in_a_form(&work);
    stage.browser.keys("7");
    stage.browser.delay_network(400);
    stage.browser.press(Keys::Enter);
    work.until(&format!("{FIELD} === '7'"));
    work.until("!!__probe.row(§, 'Measure').querySelector('.notice')");
    assert!(!work.checked("Measure"));
    assert_eq!(anna.list().status("Measure"), "Open");
    stage.browser.offline(false);
    // What is accepted now is known once the list was read again.
    work.property("refresh()");
    work.says("At most 3 °C");
    assert_eq!(work.value(FIELD), json!("7"));
    work.fill("Answer in °C", "3");
    work.click("Done");
    work.says("Answer: 3 °C");
    stage.browser.is_untroubled();
}

#[test]
fn what_is_typed_stays_when_somebody_else_resolves_the_item_meanwhile() {
    let stage = Stage::with([measure(degrees()), item("b", "Call")]);
    let anna = assigned(&stage, &["Measure", "Call"]);
    let work = watchful(&stage, "");
    work.tick("Measure");
    in_a_form(&work);
    stage.browser.keys("4");
    anna.change("Measure", json!({ "Status": "Done", "Answer": 5 }));
    work.says("No longer on this list");
    assert_eq!(work.value(FIELD), json!("4"));
    assert!(!work.buttons().iter().any(|name| name == "Done"));
    // Nor does it go when the page is seen again.
    looks_again(&stage);
    stage.browser.script(
        "document.dispatchEvent(new Event('visibilitychange'));",
        &[],
    );
    looks_again(&stage);
    work.shows_item("Measure");
    assert_eq!(work.value(FIELD), json!("4"));
    work.click("Cancel");
    at_the_box_of(&work, "Measure");
    assert_eq!(anna.list().item("Measure")["Answer"]["Value"], 5);
    stage.browser.is_untroubled();
}

#[test]
fn a_form_stays_and_can_be_sent_when_its_item_moves_down_or_the_page_turns_english() {
    let stage = Stage::with([measure(degrees()), item("b", "Call")]);
    let anna = assigned(&stage, &["Measure"]);
    let work = worklist(&stage, "limit='1' lang='de'");
    work.tick("Measure");
    in_a_form(&work);
    stage.browser.keys("4");
    anna.change("Call", json!({ "Assignee": petra(), "Due": "2020-01-01" }));
    stage.browser.script(
        "document.dispatchEvent(new Event('visibilitychange'));",
        &[],
    );
    work.shows_item("Call");
    work.property("lang = 'en'");
    work.says("From 2 to 8 °C");
    assert_eq!(work.value(FIELD), json!("4"));
    assert!(!work.tells("No longer on this list"));
    work.click("Done");
    work.says("Answer: 4 °C");
    assert_eq!(anna.list().item("Measure")["Answer"]["Value"], 4);
    stage.browser.is_untroubled();
}
