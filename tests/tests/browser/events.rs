//! The control's own events: what they tell, and what a page can stop.
//!
//! Listeners are installed before the control is loaded, so that nothing is missed.

use checklist_tests::browser::{Control, DEAF, Stage};
use checklist_tests::template::{fragment, item, publish};
use serde_json::json;

const LISTEN: &str = "window.told = []; window.stop = new Set();\
  for (const type of ['checklist-change', 'checklist-error', 'before-checklist-check', 'before-checklist-edit', 'before-checklist-delete', 'before-checklist-refresh'])\
    addEventListener(type, (event) => {\
      told.push({ type, detail: event.detail, target: event.target.id, bubbles: event.bubbles, composed: event.composed, cancelable: event.cancelable });\
      if (stop.has(type)) event.preventDefault();\
    });";

fn listening(stage: &Stage) -> Control<'_> {
    listening_with(stage, "")
}

fn listening_with<'a>(stage: &'a Stage, script: &str) -> Control<'a> {
    let bound = stage.bound_to("1");
    stage.open_with_script(
        &format!("<div id='outer'><checklist-control id='list' {bound}></checklist-control></div>"),
        &[LISTEN, script].concat(),
    );
    let control = stage.browser.control("#list");
    control.until("__probe.rows(§).length > 0");
    control
}

#[test]
fn a_host_that_clicks_the_same_box_again_while_it_is_told_is_heard() {
    let stage = Stage::ask_and_build();
    let control = listening(&stage);
    stage.browser.value(
        "document.querySelector('#list').addEventListener('checklist-change', () => __probe.checkbox('#list', 'Ask').click(), { once: true })",
    );
    control.tick("Ask");
    stage
        .browser
        .until("told.filter((one) => one.type === 'checklist-change').length === 2");
    control.becomes_checked("Ask", false);
    control.settles();
    assert_eq!(stage.bob().list().status("Ask"), "Open");
    stage.browser.is_untroubled();
}

#[test]
fn a_change_tells_what_happened_to_which_item() {
    let stage = Stage::ask_and_build();
    let control = listening(&stage);
    control.tick("Ask");
    stage
        .browser
        .until("told.some((one) => one.type === 'checklist-change')");
    let told = stage
        .browser
        .value("told.find((one) => one.type === 'checklist-change')");
    assert_eq!(told["detail"]["what"], "check");
    assert_eq!(told["detail"]["itemId"], json!(stage.bob().id("Ask")));
    assert_eq!(
        (&told["detail"]["before"], &told["detail"]["after"]),
        (&json!("Open"), &json!("Done"))
    );
    assert_eq!(
        (&told["bubbles"], &told["composed"], &told["target"]),
        (&json!(true), &json!(true), &json!("list"))
    );
    control.add("Clean");
    control.choose("Clean", "Move up");
    control.choose("Clean", "Delete");
    stage
        .browser
        .until("told.some((one) => one.detail.what === 'delete')");
    let what = stage.browser.value(
        "told.filter((one) => one.type === 'checklist-change').map((one) => one.detail.what)",
    );
    assert_eq!(what, json!(["check", "add", "move", "delete"]));
}

#[test]
fn before_events_are_cancelable_and_stop_what_they_announce() {
    let stage = Stage::ask_and_build();
    let control = listening(&stage);
    stage.browser.value("['check', 'edit', 'delete', 'refresh'].forEach((what) => stop.add(`before-checklist-${what}`))");
    control.tick("Ask");
    stage
        .browser
        .until("told.some((one) => one.type === 'before-checklist-check')");
    control.becomes_checked("Ask", false);
    control.choose("Ask", "Move down");
    stage
        .browser
        .until("told.some((one) => one.type === 'before-checklist-edit')");
    control.shows(&["Ask", "Build"]);
    control.choose("Ask", "Delete");
    stage
        .browser
        .until("told.some((one) => one.type === 'before-checklist-delete')");
    control.shows(&["Ask", "Build"]);
    assert_eq!(control.property("pendingCount"), json!(0));
    assert_eq!(stage.bob().list().revision(), 0);
    let before = stage
        .browser
        .value("told.filter((one) => one.type.startsWith('before')).map((one) => one.cancelable)");
    assert!(
        before
            .as_array()
            .unwrap()
            .iter()
            .all(|cancelable| *cancelable == true)
    );
    assert_eq!(
        stage
            .browser
            .value("told.some((one) => one.type === 'checklist-change')"),
        json!(false)
    );
    stage.browser.is_untroubled();
}

#[test]
fn a_refresh_can_be_stopped() {
    let stage = Stage::ask_and_build();
    stage.bob().tick("Ask");
    publish(
        &stage.server,
        &fragment("f", [item("a", "Ask"), item("c", "Clean")]),
    );
    let control = listening(&stage);
    stage.browser.value("stop.add('before-checklist-refresh')");
    control.says("The template has changed");
    control.click("Review");
    control.click("Apply");
    stage
        .browser
        .until("told.some((one) => one.type === 'before-checklist-refresh')");
    assert_eq!(stage.bob().list().0["TemplateVersion"], 1);
}

#[test]
fn a_state_is_taken_away_also_after_the_garbage_was_collected() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    stage.bob().tick("Ask");
    stage.bob().tick("Build");
    control.becomes("completed");
    // So much that every engine collects.
    stage.browser.value(
        "(() => { for (let n = 0; n < 400; n++) window.garbage = Array.from({ length: 20000 }, (_, at) => ({ at })); delete window.garbage; })()",
    );
    stage.bob().untick("Ask");
    control.until("document.querySelector(§).state === 'Open'");
    assert!(!control.is("completed"));
    stage.browser.is_untroubled();
}

#[test]
fn an_error_is_told_with_its_code() {
    let stage = Stage::ask_and_build();
    let control = listening_with(&stage, DEAF);
    stage.bob().lock("closed meanwhile");
    control.tick("Ask");
    stage
        .browser
        .until("told.some((one) => one.type === 'checklist-error')");
    let told = stage
        .browser
        .value("told.find((one) => one.type === 'checklist-error')");
    assert_eq!(
        (&told["detail"]["code"], &told["detail"]["status"]),
        (&json!("Locked"), &json!(409))
    );
    control.becomes_checked("Ask", false);
    control.says("closed meanwhile");
}
