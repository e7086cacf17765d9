//! What others change while a form is open in a row of the control: nothing that was typed is lost, and
//! nobody attests what they have not read.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::{fragment, item, publish, with};
use serde_json::{Value, json};

const FIELD: &str = "__probe.root(§).querySelector('.editor input')?.value";
const VERSION: &str = "document.querySelector('#list').items[0].Version";

fn proved() -> Value {
    with(item("a", "Attach"), json!({ "RequiresEvidence": true }))
}

fn measured() -> Value {
    let format = json!({ "Type": "Number", "Unit": "°C", "Min": 2, "Max": 8 });
    with(item("a", "Measure"), json!({ "AnswerFormat": format }))
}

/// A list that somebody has begun, so that a refresh has something to change.
fn stage(first: Value) -> Stage {
    let stage = Stage::with([first, item("b", "Call")]);
    stage.bob().tick("Call");
    stage
}

fn in_a_form(control: &Control<'_>) {
    control.until("!!__probe.deepActive()?.closest('.editor')");
}

/// Publishes the template with another first item, and brings the list to it; waits until the page knows.
fn becomes(stage: &Stage, control: &Control<'_>, first: Value) {
    let before = control.value(VERSION);
    publish(&stage.server, &fragment("f", [first, item("b", "Call")]));
    stage.bob().refresh();
    control.until(&format!("{VERSION} > {before}"));
}

#[test]
fn another_wording_is_read_before_an_answer_is_attested() {
    let stage = stage(measured());
    let control = stage.control("");
    control.tick("Measure");
    in_a_form(&control);
    stage.browser.keys("4");
    let before = control.value(VERSION);
    stage.bob().reword("Measure", "Measure the lower shelf");
    control.until(&format!("{VERSION} > {before}"));
    // A row in which somebody types is not drawn over.
    control.shows_item("Measure");
    stage.browser.press(Keys::Enter);
    control.says("changed the wording");
    control.until("__probe.said(§).some((one) => one.includes('changed the wording'))");
    control.shows_item("Measure the lower shelf");
    in_a_form(&control);
    assert_eq!(control.value(FIELD), json!("4"));
    assert!(!control.checked("Measure the lower shelf"));
    stage.browser.is_accessible_in_every_scheme("#list");
    stage.browser.press(Keys::Enter);
    control.says("Answer: 4 °C");
    control.settles();
    let attested = stage.bob().list().item("Measure the lower shelf")["Attested"].clone();
    assert_eq!(
        (&attested["Text"], &attested["Basis"]),
        (&json!("Measure the lower shelf"), &json!("Seen"))
    );
    control.until("!__probe.root(§).querySelector('.row .notice')");
    stage.browser.is_untroubled();
}

#[test]
fn evidence_that_an_item_stops_needing_is_attached_or_cleared() {
    let stage = stage(proved());
    let control = stage.control("");
    control.tick("Attach");
    in_a_form(&control);
    control.fill("Name of the evidence", "Report");
    becomes(&stage, &control, item("a", "Attach"));
    stage.browser.press(Keys::Enter);
    control.says("This item no longer needs evidence.");
    in_a_form(&control);
    assert_eq!(control.value(FIELD), json!("Report"));
    stage.browser.press(Keys::Enter);
    control.until("!!__probe.root(§).querySelector('.editor [aria-invalid=true]')");
    stage.browser.is_accessible("#list", "evidence by half");
    assert!(!control.checked("Attach"));
    control.fill("Web address", "https://example.org/report");
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Attach", true);
    control.settles();
    let evidence = stage.bob().list().item("Attach")["Proposal"]["Evidence"].clone();
    assert_eq!(evidence["Url"], "https://example.org/report");
    stage.browser.is_untroubled();
}

#[test]
fn an_answer_that_an_item_stops_asking_for_stays_in_sight_until_it_is_let_go_of() {
    let stage = stage(measured());
    let control = stage.control("lang='de'");
    control.tick("Measure");
    in_a_form(&control);
    stage.browser.keys("4,5");
    becomes(&stage, &control, item("a", "Measure"));
    stage.browser.press(Keys::Enter);
    control.says("nicht gespeichert: „4,5“");
    in_a_form(&control);
    assert!(!control.checked("Measure"));
    // The focus is at "Done", which needs no field any more.
    stage.browser.press(Keys::Enter);
    control.becomes_checked("Measure", true);
    control.settles();
    assert_eq!(stage.bob().list().item("Measure")["Answer"], Value::Null);
    stage.browser.is_untroubled();
}

#[test]
fn a_box_that_is_clicked_again_leaves_what_is_typed() {
    let stage = stage(proved());
    let control = stage.control("");
    control.tick("Attach");
    in_a_form(&control);
    control.fill("Name of the evidence", "Report");
    control.tick("Attach");
    in_a_form(&control);
    assert_eq!(control.value(FIELD), json!("Report"));
    stage.browser.is_untroubled();
}
