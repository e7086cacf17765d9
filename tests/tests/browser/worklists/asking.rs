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

/// A stage whose reader has to measure and to call, and who has begun the list.
fn measured_and_called() -> (Stage, Person) {
    let stage = Stage::with([measure(degrees()), item("b", "Call")]);
    let anna = assigned(&stage, &["Measure", "Call"]);
    (stage, anna)
}

fn in_a_form(work: &Control<'_>) {
    work.until("!!__probe.deepActive()?.closest('.editor')");
}

/// Types into the form of what has to be measured.
fn begin_an_answer(stage: &Stage, work: &Control<'_>, answer: &str) {
    work.tick("Measure");
    in_a_form(work);
    stage.browser.keys(answer);
}

fn at_the_box_of(work: &Control<'_>, text: &str) {
    let at_box = format!(
        "__probe.deepActive()?.className === 'box' && __probe.deepActive().closest('.row').textContent.includes('{text}')"
    );
    work.until(&at_box);
}

#[test]
fn a_german_answers_where_the_item_stands_by_the_keyboard_alone() {
    let (stage, anna) = measured_and_called();
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
    stage.browser.is_accessible_in_every_scheme("#work");
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
    stage.browser.fits_its_window();
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
    let (stage, anna) = measured_and_called();
    let work = worklist(&stage, "");
    work.shows_item("Measure");
    let colder = measure(json!({ "Type": "Number", "Unit": "°C", "Max": 3 }));
    publish(&stage.server, &fragment("f", [colder, item("b", "Call")]));
    anna.refresh();
    begin_an_answer(&stage, &work, "7");
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
    let (stage, anna) = measured_and_called();
    let work = watchful(&stage, "");
    begin_an_answer(&stage, &work, "4");
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
    begin_an_answer(&stage, &work, "4");
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

#[test]
fn another_wording_is_read_before_an_answer_is_attested() {
    let (stage, anna) = measured_and_called();
    let work = watchful(&stage, "");
    begin_an_answer(&stage, &work, "4");
    anna.reword("Measure", "Measure the lower shelf");
    looks_again(&stage);
    looks_again(&stage);
    // A row in which somebody types is not drawn over.
    work.shows_item("Measure");
    stage.browser.press(Keys::Enter);
    work.says("Anna changed the wording");
    work.until("__probe.said(§).some((one) => one.includes('Anna changed the wording'))");
    work.shows_item("Measure the lower shelf");
    in_a_form(&work);
    assert_eq!(work.value(FIELD), json!("4"));
    assert_eq!(told(&stage), json!([]), "nothing is set yet");
    stage.browser.is_accessible_in_every_scheme("#work");
    stage.browser.press(Keys::Enter);
    work.says("Answer: 4 °C");
    let attested = anna.list().item("Measure the lower shelf")["Attested"].clone();
    assert_eq!(
        (&attested["Text"], &attested["Basis"]),
        (&json!("Measure the lower shelf"), &json!("Seen"))
    );
    stage.browser.is_untroubled();
}

#[test]
fn evidence_that_an_item_stops_needing_stays_with_the_focus_and_is_attached() {
    let proved = with(item("a", "Attach"), json!({ "RequiresEvidence": true }));
    let stage = Stage::with([proved, item("b", "Call")]);
    let anna = assigned(&stage, &["Attach", "Call"]);
    let work = watchful(&stage, "");
    work.tick("Attach");
    in_a_form(&work);
    stage.browser.keys("Report");
    let plain = [item("a", "Attach"), item("b", "Call")];
    publish(&stage.server, &fragment("f", plain));
    anna.refresh();
    work.says("This item no longer needs evidence.");
    in_a_form(&work);
    assert_eq!(work.value(FIELD), json!("Report"));
    stage.browser.press(Keys::Enter);
    work.until("!!__probe.root(§).querySelector('.editor [aria-invalid=true]')");
    stage.browser.is_accessible("#work", "evidence by half");
    work.fill("Web address", "https://example.org/report");
    work.click("Done");
    work.until("__probe.said(§).includes('Checked.')");
    let evidence = anna.list().item("Attach")["Proposal"]["Evidence"].clone();
    assert_eq!(evidence["Url"], "https://example.org/report");
    stage.browser.is_untroubled();
}

#[test]
fn an_open_form_fits_a_phone_from_right_to_left() {
    let stage = Stage::with([
        with(
            measure(degrees()),
            json!({ "Text": { "en": "Measure", "ar": "قياس درجة حرارة غرفة التبريد (Cold store 7)" }, "RequiresEvidence": true }),
        ),
        item("b", "Call"),
    ]);
    assigned(&stage, &["Measure"]);
    stage.browser.resize(320, 720);
    let work = worklist(&stage, "lang='ar'");
    work.until("__probe.rows(§).length === 1");
    let field = "__probe.root('#work').querySelector('.box')";
    stage.browser.click(field);
    in_a_form(&work);
    // Everything is complained about, so that everything that the form may say is there.
    stage.browser.press(Keys::Enter);
    work.until("__probe.root(§).querySelectorAll('.editor .danger').length === 2");
    stage.browser.is_accessible_in_every_scheme("#work");
    stage.browser.fits_its_window();
    let edges = work.value(
        "(() => { const edge = (what) => Math.round(__probe.root(§).querySelector(what).getBoundingClientRect().right);\
           return ['.text', '.about', '.editor', '.editor .field', '.editor .primary'].map(edge); })()",
    );
    let edges: Vec<i64> = serde_json::from_value(edges).expect("edges");
    assert!(
        edges.iter().all(|edge| (edge - edges[0]).abs() <= 1),
        "everything begins at the right edge of the text: {edges:?}"
    );
    let inside = "[...__probe.root(§).querySelectorAll('.editor *')].every((one) => one.getBoundingClientRect().left >= __probe.root(§).querySelector('.card').getBoundingClientRect().left)";
    assert_eq!(work.value(inside), json!(true));
    stage.browser.is_untroubled();
}

#[test]
fn a_wording_of_which_only_the_server_knows_is_shown_above_the_form() {
    let (stage, anna) = measured_and_called();
    // It looks at what others do every ten seconds.
    let work = worklist(&stage, "");
    begin_an_answer(&stage, &work, "4");
    anna.reword("Measure", "Measure the lower shelf");
    stage.browser.press(Keys::Enter);
    work.says("Anna changed the wording");
    work.shows_item("Measure the lower shelf");
    assert_eq!(work.value(FIELD), json!("4"));
    assert_eq!(anna.list().status("Measure the lower shelf"), "Open");
    work.click("Done");
    work.says("Answer: 4 °C");
    let attested = anna.list().item("Measure the lower shelf")["Attested"].clone();
    assert_eq!(attested["Text"], "Measure the lower shelf");
    stage.browser.is_untroubled();
}
