//! Going back, going forward and loading again: a page comes back with its lists as they stand,
//! and with what nobody has stored yet.
//!
//! Browsers wake the page that was left, or load it anew and give its fields back what stood in
//! them; pages here are made such that one or the other happens.

use checklist_tests::browser::{Control, Stage};
use serde_json::json;

/// Notes whether the page was woken, and can keep lists from being read until `released`.
const NOTE: &str = "addEventListener('pageshow', (event) => { window.woken = event.persisted; });\
    if (sessionStorage.hold) { const real = window.fetch; window.held = [];\
      window.fetch = (address, ...rest) => !window.released && /\\/(GetItems|Render)$/.test(address.url ?? address)\
        ? new Promise((go) => held.push(() => go(real(address, ...rest)))) : real(address, ...rest); }";

/// Has the page loaded anew when somebody comes back to it.
const NEVER_SLEEPS: &str = "addEventListener('unload', () => {});";

fn leave(stage: &Stage) {
    let page = "<!DOCTYPE html><html lang='en'><title>Elsewhere</title><h1 id='elsewhere'>Elsewhere</h1></html>";
    stage.host.serve("/elsewhere", "text/html", page);
    stage
        .browser
        .open(&format!("{}/elsewhere", stage.host.origin));
    stage
        .browser
        .until("!!document.querySelector('#elsewhere')");
}

fn come_back(stage: &Stage) -> Control<'_> {
    stage.browser.back();
    stage.browser.until("!!document.querySelector('#list')");
    stage.browser.control("#list")
}

/// A page with a list that has these attributes, which browsers may keep and wake.
fn open_asleep(stage: &Stage, attributes: &str) {
    open_with(stage, attributes, NOTE);
}

/// The same, loaded anew when somebody comes back to it.
fn open_anew(stage: &Stage, attributes: &str) {
    open_with(stage, attributes, &[NOTE, NEVER_SLEEPS].concat());
}

fn open_with(stage: &Stage, attributes: &str, script: &str) {
    // Of a page that must not be stored, Firefox gives no field back what stood in it.
    stage.host.lets_pages_be_stored();
    stage.open_with_script(
        &format!("<form id='form'><checklist-control id='list' name='list' {attributes}></checklist-control></form>"),
        script,
    );
}

#[test]
fn a_list_that_is_come_back_to_shows_what_others_have_done_and_hears_them_again() {
    for sleeps in [true, false] {
        let stage = Stage::ask_and_build();
        let attributes = stage.bound_to("1");
        if sleeps {
            open_asleep(&stage, &attributes);
        } else {
            open_anew(&stage, &attributes);
        }
        let control = stage.browser.control("#list");
        control.tick("Ask");
        control.settles();
        leave(&stage);
        stage.bob().tick("Build");
        let control = come_back(&stage);
        control.becomes_completed();
        stage.bob().untick("Build");
        control.becomes_checked("Build", false);
        control.tick("Build");
        control.becomes_completed();
        control.settles();
        assert!(stage.bob().list().completed());
        stage.browser.is_untroubled();
    }
}

#[test]
fn a_page_that_is_loaded_anew_counts_as_it_stood_until_its_list_is_read() {
    let stage = Stage::ask_and_build();
    open_anew(&stage, &format!("required {}", stage.bound_to("1")));
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.tick("Build");
    control.becomes_completed();
    control.settles();
    stage.browser.value("sessionStorage.hold = 'yes'");
    leave(&stage);
    stage.bob().untick("Build");
    let control = come_back(&stage);
    assert_eq!(stage.browser.value("woken"), json!(false));
    control.until("document.querySelector(§).completed");
    assert_eq!(control.property("state"), json!("Complete"));
    assert_eq!(control.property("validity.valid"), json!(true));
    let value = stage
        .browser
        .value("JSON.parse(new FormData(document.querySelector('#form')).get('list')).Completed");
    assert_eq!(value, json!(true));
    stage.browser.until("held.length > 0");
    stage
        .browser
        .value("window.released = true, held.forEach((go) => go())");
    control.becomes_checked("Build", false);
    assert!(!control.completed());
    assert_eq!(control.property("validity.valid"), json!(false));
    stage.browser.is_untroubled();
}

#[test]
fn what_was_done_in_a_draft_comes_back_with_its_page_and_is_stored_once() {
    let stage = Stage::ask_and_build();
    open_anew(&stage, &format!("template='f' {}", stage.unbound()));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    control.tick("Ask");
    control.add("Clean");
    control.choose("Build", "Delete");
    control.shows(&["Ask", "Clean"]);
    leave(&stage);
    let control = come_back(&stage);
    control.shows(&["Ask", "Clean"]);
    control.becomes_checked("Ask", true);
    control.tick("Clean");
    control.becomes_completed();
    leave(&stage);
    let control = come_back(&stage);
    control.shows(&["Ask", "Clean"]);
    control.becomes_completed();
    control.value("document.querySelector(§).objectId = '1'");
    control.settles();
    checklist_tests::until("the draft to be stored", || {
        stage.bob().list().completed().then_some(())
    });
    assert_eq!(stage.bob().list().texts(), ["Ask", "Clean"]);
    let rows = stage.server.as_admin().on(&stage.place()).audit();
    let added = rows
        .iter()
        .filter(|row| row["Event"]["What"] == "Added" && row["Event"]["Text"] == "Clean");
    assert_eq!(added.count(), 1, "sent once");
    stage.browser.is_untroubled();
}

#[test]
fn a_form_that_is_opened_afresh_begins_without_what_was_done_in_another() {
    let stage = Stage::ask_and_build();
    open_anew(&stage, &format!("template='f' {}", stage.unbound()));
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    open_anew(&stage, &format!("template='f' {}", stage.unbound()));
    let control = stage.browser.control("#list");
    control.shows(&["Ask", "Build"]);
    control.says("Not saved yet");
    assert!(!control.checked("Ask"));
    assert_eq!(control.property("pendingCount"), json!(0));
}

#[test]
fn a_draft_that_is_taken_off_the_page_and_put_back_keeps_what_was_done() {
    let stage = Stage::ask_and_build();
    stage.open(&format!(
        "<checklist-control id='list' template='f' {}></checklist-control>",
        stage.unbound()
    ));
    let control = stage.browser.control("#list");
    control.tick("Ask");
    control.becomes_checked("Ask", true);
    stage
        .browser
        .value("(window.taken = document.querySelector('#list')).remove()");
    stage.browser.until("!taken.shadowRoot.querySelector('li')");
    stage
        .browser
        .value("document.querySelector('main').append(taken)");
    let control = stage.browser.control("#list");
    control.becomes_checked("Ask", true);
    assert!(!control.checked("Build"));
    // With another template it is another draft.
    stage.browser.value("(taken.remove(), true)");
    stage.browser.until("!taken.shadowRoot.querySelector('li')");
    stage
        .browser
        .value("(taken.purpose = 'other', document.querySelector('main').append(taken))");
    control.shows(&["Ask", "Build"]);
    assert!(!control.checked("Ask"));
    stage.browser.is_untroubled();
}

#[test]
fn what_could_not_be_sent_before_the_page_was_left_is_sent_once_after_coming_back() {
    for sleeps in [true, false] {
        let mut stage = Stage::ask_and_build();
        let attributes = stage.bound_to("1");
        if sleeps {
            open_asleep(&stage, &attributes);
        } else {
            open_anew(&stage, &attributes);
        }
        stage.browser.control("#list").shows(&["Ask", "Build"]);
        stage.server.kill();
        {
            let control = stage.browser.control("#list");
            control.tick("Ask");
            control.becomes("offline");
        }
        leave(&stage);
        stage.server.start_again();
        let control = come_back(&stage);
        control.becomes_checked("Ask", true);
        control.settles();
        assert_eq!(stage.bob().list().status("Ask"), "Done");
        let rows = stage.server.as_admin().on(&stage.place()).audit();
        let checked = rows.iter().filter(|row| row["Event"]["What"] == "Checked");
        assert_eq!(checked.count(), 1, "sent once; the page sleeps: {sleeps}");
    }
}
