//! A waiver, as the control shows it: an owner lets a list pass by keyboard alone, the form goes on, and
//! nothing of it is offered to others.

use checklist_tests::browser::{Keys, Stage};
use checklist_tests::role::OWNER;
use checklist_tests::template::item;
use serde_json::json;

#[test]
fn an_owner_waives_by_keyboard_and_the_form_is_sent_until_that_is_revoked() {
    let stage = Stage::for_people_who_may(OWNER, [item("a", "Ask"), item("b", "Build")]);
    let bound = stage.bound_to("1");
    stage.open_with_script(
        &format!(
            "<form id='form'><checklist-control id='list' name='list' required {bound}></checklist-control><button id='send'>Send</button></form>"
        ),
        "window.sent = []; window.states = [];\
         addEventListener('submit', (event) => { event.preventDefault(); sent.push(JSON.parse(new FormData(event.target).get('list'))); });\
         addEventListener('state-changed', (event) => states.push(event.detail.state));",
    );
    let (browser, control) = (&stage.browser, stage.browser.control("#list"));
    control.shows(&["Ask", "Build"]);
    control.tab_to("Waive open items…");
    browser.press(Keys::Enter);
    control.until("!!__probe.deepActive()?.closest?.('.waiver-form')");
    browser.press(Keys::Enter);
    control.says("Enter a reason.");
    browser.is_accessible_in_every_scheme("#list");
    browser.press(Keys::Escape);
    control.until("__probe.deepActive()?.textContent.trim() === 'Waive open items…'");
    browser.press(Keys::Enter);
    control.until("!!__probe.deepActive()?.closest?.('.waiver-form')");
    browser.keys("The part comes on Monday");
    browser.press(Keys::Enter);
    control.says("Waived by Petra Page");
    control.says("The part comes on Monday");
    control.becomes("waived");
    assert!(!control.completed() && !control.is("completed"));
    browser.is_accessible_in_every_scheme("#list");
    browser.click("document.querySelector('#send')");
    browser.until("sent.length === 1");
    let sent = browser.value("[sent[0].State, sent[0].Completed]");
    assert_eq!(sent, json!(["Waived", false]));

    // Somebody else revokes it.
    stage.bob().revoke_waiver("It came");
    control.until("document.querySelector(§).state === 'Open'");
    assert_eq!(
        browser.value("states"),
        json!(["Open", "Waived", "Open"]),
        "the page is told each time"
    );
    browser.click("document.querySelector('#send')");
    control.becomes("user-invalid");
    assert_eq!(browser.value("sent.length"), json!(1));

    stage.bob().waive("Never mind");
    control.says("Never mind");
    control.tab_to("Revoke waiver…");
    browser.press(Keys::Enter);
    control.until("!!__probe.deepActive()?.closest?.('.waiver-form')");
    browser.keys("Finish it first");
    browser.press(Keys::Enter);
    control.until("document.querySelector(§).state === 'Open'");
    browser.is_untroubled();
}

#[test]
fn who_may_not_waive_reads_by_whom_and_why_and_is_offered_nothing() {
    let stage = Stage::with([item("a", "Ask")]);
    stage.bob().waive("The part comes on Monday");
    let control = stage.control("");
    control.says("Waived by Bob Backoffice");
    control.says("The part comes on Monday");
    let offered = control.buttons();
    let is_of_waiver = |name: &String| name.contains("aive");
    assert!(!offered.iter().any(is_of_waiver), "{offered:?}");
    control.tick("Ask");
    control.becomes_completed();
    control.says("Waived by Bob Backoffice");
    stage.browser.is_untroubled();
}
