//! Who is signed in on the page of a control: what one person has left unsent is theirs, whoever
//! signs in next in the same browser, and it waits for them.
//!
//! The page's tokens are for whom its `localStorage` names, in every tab, and each is asked for anew.

use checklist_tests::browser::{Browser, Control, Stage};
use serde_json::json;

/// A page whose session is somebody's, or nobody's.
const PAGE: &str = "addEventListener('DOMContentLoaded', () => {\
    document.querySelector('#list').tokenProvider = async ({ contexts }) => {\
      const Person = localStorage.person ?? 'petra';\
      if (Person === 'nobody') throw new Error('the session has ended');\
      const answer = await fetch('/token', { method: 'POST', body: JSON.stringify({ Contexts: contexts, Person }) });\
      const { Token } = await answer.json();\
      return { token: Token, expiresAt: Date.now() + 1 }; }; });";

/// What the control says while no token is to be had.
const NOBODY: &str = "Your sign-in could not be confirmed.";

fn open(stage: &Stage) -> Control<'_> {
    let body = format!(
        "<form id='form'><checklist-control id='list' name='list' base-url='{}' object-type='incident' object-id='1'></checklist-control></form>",
        stage.server.base_url()
    );
    stage.open_with_script(&body, PAGE);
    loaded_control(&stage.browser)
}

fn loaded_control(browser: &Browser) -> Control<'_> {
    let control = browser.control("#list");
    control.shows(&["Ask", "Build"]);
    control
}

fn signs_in(browser: &Browser, person: &str) {
    browser.value(&format!("(localStorage.person = '{person}')"));
}

/// Petra checks "Ask" after her session has ended.
fn leaves_a_tick(stage: &Stage, control: &Control<'_>) {
    signs_in(&stage.browser, "nobody");
    control.tick("Ask");
    control.says(NOBODY);
    control.says("kept in this browser for 7 days");
}

/// Who has checked an item; nobody while it is open.
fn checked_by(stage: &Stage, text: &str) -> String {
    let list = stage.bob().list();
    let by = list.item(text)["StatusBy"]["Id"].as_str();
    by.unwrap_or_default().to_owned()
}

fn are_checked_by(stage: &Stage, people: [&str; 2]) {
    assert_eq!(["Ask", "Build"].map(|text| checked_by(stage, text)), people);
}

/// Carol signs in between two pages, and checks "Build" on the second.
fn carol_ticks_on_the_next_page(stage: &Stage) -> Control<'_> {
    let page = |path: &str| stage.browser.open(&format!("{}{path}", stage.host.origin));
    page("/probe.js");
    signs_in(&stage.browser, "carol");
    page("/");
    let control = loaded_control(&stage.browser);
    control.tick("Build");
    control.settles();
    control
}

fn what_petra_left_is_sent(stage: &Stage) {
    let control = loaded_control(&stage.browser);
    control.becomes_checked("Ask", true);
    control.settles();
    are_checked_by(stage, ["petra", "carol"]);
}

#[test]
fn on_a_page_that_stays_open_the_next_person_sends_nothing_of_the_one_before() {
    let stage = Stage::ask_and_build();
    let control = open(&stage);
    leaves_a_tick(&stage, &control);
    signs_in(&stage.browser, "carol");
    // No button is pressed.
    control.becomes_checked("Ask", false);
    control.until("!__probe.root(§).textContent.includes('could not be confirmed')");
    assert_eq!(control.property("pendingCount"), json!(0));
    control.tick("Build");
    control.settles();
    are_checked_by(&stage, ["", "carol"]);

    signs_in(&stage.browser, "petra");
    stage.browser.reload();
    what_petra_left_is_sent(&stage);
}

#[test]
fn on_the_next_page_another_person_sends_nothing_of_the_one_before() {
    let stage = Stage::ask_and_build();
    let control = open(&stage);
    leaves_a_tick(&stage, &control);
    let control = carol_ticks_on_the_next_page(&stage);
    assert!(!control.checked("Ask"));
    are_checked_by(&stage, ["", "carol"]);
}

#[test]
fn in_two_tabs_the_one_that_was_left_does_not_send_for_whoever_signs_in_in_the_other() {
    let stage = Stage::ask_and_build();
    let control = open(&stage);
    leaves_a_tick(&stage, &control);
    let left = stage.browser.window();
    let other = stage.browser.open_window("about:blank");
    carol_ticks_on_the_next_page(&stage);
    stage.browser.show_window(&left);
    let control = stage.browser.control("#list");
    control.becomes_checked("Build", true);
    control.becomes_checked("Ask", false);
    assert_eq!(checked_by(&stage, "Ask"), "");

    signs_in(&stage.browser, "petra");
    stage.browser.show_window(&other);
    stage.browser.reload();
    what_petra_left_is_sent(&stage);
}

#[test]
fn the_same_person_with_another_token_sends_what_waits() {
    let stage = Stage::ask_and_build();
    let control = open(&stage);
    leaves_a_tick(&stage, &control);
    signs_in(&stage.browser, "petra");
    control.settles();
    assert!(control.checked("Ask"));
    assert_eq!(checked_by(&stage, "Ask"), "petra");
}

#[test]
fn whoever_waits_for_one_persons_changes_learns_that_they_are_not_sent_for_the_next() {
    let stage = Stage::ask_and_build();
    let control = open(&stage);
    leaves_a_tick(&stage, &control);
    signs_in(&stage.browser, "carol");
    let told = "document.querySelector('#list').flush().then(() => 'sent', (error) => error.code)";
    stage
        .browser
        .value(&format!("({told}.then((told) => window.told = told), 0)"));
    stage.browser.until("window.told === 'Token'");
    control.becomes_checked("Ask", false);
    assert_eq!(checked_by(&stage, "Ask"), "");
}

#[test]
fn what_a_token_that_names_nobody_leaves_unsent_ends_with_its_page() {
    let stage = Stage::ask_and_build();
    let body = format!(
        "<checklist-control id='list' base-url='{}' object-type='incident' object-id='1'></checklist-control>",
        stage.server.base_url()
    );
    // To the control these tokens are as opaque as any that is no JWT.
    let opaque =
        "window.atob = () => { throw new DOMException('opaque', 'InvalidCharacterError'); };";
    stage.open_with_script(&body, &format!("{opaque}{PAGE}"));
    let control = loaded_control(&stage.browser);
    signs_in(&stage.browser, "nobody");
    control.tick("Ask");
    control.says(NOBODY);
    control.says("Unsaved changes are lost when you close or reload this page.");
    let left =
        "Object.keys(localStorage).filter((key) => key.startsWith('checklist\\u001f')).length";
    assert_eq!(stage.browser.value(left), json!(0));
    signs_in(&stage.browser, "petra");
    control.settles();
    assert_eq!(checked_by(&stage, "Ask"), "petra");
}
