//! Two people on one list: conflicts are told, nothing is overwritten unseen, nothing typed is lost.
//!
//! The other person works through the web services, at the moment that the test chooses, and the
//! page hears of it when it asks; what it hears by itself is in `live`.

use checklist_tests::browser::{Control, Stage};
use checklist_tests::template::item;
use serde_json::json;

/// A control that has shown both items, and that hears nothing of what others do until it asks.
fn hears_nothing(stage: &Stage) -> Control<'_> {
    let control = stage.control_that_hears_nothing();
    control.shows(&["Ask", "Build"]);
    control
}

/// The same after "Ask" was changed to "Ask Bob" elsewhere, and to "Ask Petra" here.
fn with_two_texts(stage: &Stage) -> Control<'_> {
    let control = hears_nothing(stage);
    stage.bob().reword("Ask", "Ask Bob");
    control.edit("Ask");
    control.fill("Text of the item", "Ask Petra");
    control.click("Save");
    control.says("Bob Backoffice changed this text");
    control
}

#[test]
fn a_text_changed_by_somebody_else_is_shown_beside_mine() {
    let stage = Stage::ask_and_build();
    let control = with_two_texts(&stage);
    control.says("Ask Petra");
    control.says("Ask Bob");
    assert!(
        stage.bob().list().has("Ask Bob"),
        "the other text was overwritten"
    );
    control.click("Keep mine");
    control.shows(&["Ask Petra", "Build"]);
    control.settles();
    assert!(stage.bob().list().has("Ask Petra"));
    stage.browser.is_untroubled();
}

#[test]
fn what_an_assistant_has_done_for_somebody_says_both_names() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    let admin = stage.server.as_admin().on(&stage.place());
    let portal = admin.program("Portal", &["editor"]);
    let wish = json!({ "Subject": "bob", "Name": "Bob Backoffice", "Act": { "Subject": "finch", "Name": "Finch" },
        "Contexts": [{ "ObjectType": "*", "ObjectId": "*", "Purpose": "*" }] });
    let minted = portal.send("EmbedTokens", &wish).ok();
    let assistant = portal.with_token(minted["Token"].as_str().unwrap());
    assistant.tick("Ask");
    control.becomes_checked("Ask", true);
    control.says("Bob Backoffice (by assistant Finch)");
    let letters = stage.browser.value(
        "document.querySelector('checklist-control').shadowRoot.querySelector('.by .avatar').textContent",
    );
    assert_eq!(letters, "BB", "the letters are the person's");
    stage.browser.is_untroubled();
}

#[test]
fn a_person_may_take_the_other_text() {
    let stage = Stage::ask_and_build();
    let control = with_two_texts(&stage);
    control.click("Take theirs");
    control.shows(&["Ask Bob", "Build"]);
    control.settles();
    assert!(stage.bob().list().has("Ask Bob"));
}

#[test]
fn a_tick_of_a_wording_that_has_changed_is_not_taken_and_says_why() {
    let stage = Stage::ask_and_build();
    let control = hears_nothing(&stage);
    stage.bob().reword("Ask", "Pay");
    control.tick("Ask");
    control.says("Bob Backoffice changed the wording");
    control.shows(&["Pay", "Build"]);
    control.becomes_checked("Pay", false);
    assert_eq!(stage.bob().list().status("Pay"), "Open");
}

#[test]
fn a_tick_that_somebody_else_was_faster_with_shows_their_credit() {
    let stage = Stage::ask_and_build();
    let control = hears_nothing(&stage);
    stage.bob().tick("Ask");
    control.tick("Ask");
    control.settles();
    control.becomes_checked("Ask", true);
    control.says("Bob Backoffice");
    assert_eq!(
        stage.bob().list().item("Ask")["StatusBy"]["Name"],
        "Bob Backoffice"
    );
}

#[test]
fn a_status_that_somebody_else_set_otherwise_is_shown_with_who() {
    let stage = Stage::with([
        checklist_tests::template::optional_to_apply(item("a", "Ask")),
        item("b", "Build"),
    ]);
    let control = hears_nothing(&stage);
    stage.bob().change(
        "Ask",
        json!({ "Status": "NotApplicable", "Reason": "gone" }),
    );
    control.tick("Ask");
    control.says("Bob Backoffice marked this as not applicable");
    assert_eq!(stage.bob().list().status("Ask"), "NotApplicable");
}

#[test]
fn a_page_without_a_stream_hears_of_others_when_it_is_looked_at_again() {
    let stage = Stage::ask_and_build();
    let control = hears_nothing(&stage);
    stage.bob().tick("Ask");
    assert!(!control.checked("Ask"), "nothing tells the page");
    // The control rests a moment between two looks, so the person looks again until it is there.
    control.until("(window.dispatchEvent(new Event('focus')), __probe.checkbox(§, 'Ask').checked)");
    stage.browser.is_untroubled();
}

#[test]
fn another_tab_that_is_edited_is_not_overwritten_by_what_comes_in() {
    let stage = Stage::ask_and_build();
    let control = stage.control_that_hears_nothing();
    control.edit("Ask");
    control.fill("Text of the item", "half writ");
    stage.bob().reword("Ask", "Ask Bob");
    stage.bob().tick("Build");
    control
        .until("(window.dispatchEvent(new Event('focus')), __probe.checkbox(§, 'Build').checked)");
    assert_eq!(
        stage.browser.value("__probe.deepActive().value"),
        json!("half writ")
    );
}
