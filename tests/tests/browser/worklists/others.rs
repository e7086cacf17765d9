//! What others do meanwhile, and what a person hears of it.

use checklist_tests::browser::Keys;
use serde_json::json;

use super::*;

#[test]
fn what_somebody_else_has_done_meanwhile_is_told_at_the_row() {
    let stage = stage();
    let one = anna(
        &stage,
        "1",
        json!([
            due("Call back", "2020-01-01"),
            due("Order", "2020-01-02"),
            due("Pack", "2020-01-03"),
            due("Write", "2020-01-04"),
        ]),
    );
    let work = worklist(&stage, "");
    work.shows(&["Call back", "Order", "Pack", "Write"]);
    one.set("Call back", "NotApplicable");
    one.reword("Order", "Order two");
    one.delete("Pack");
    one.tick("Write");

    work.tick("Call back");
    work.says("Anna marked this as not applicable");
    assert!(!work.checked("Call back"));
    work.tick("Order");
    work.says("Anna changed the wording");
    work.shows_item("Order two");
    work.becomes_checked("Order two", false);
    work.tick("Pack");
    work.says("This item is no longer in the checklist.");
    work.becomes_checked("Pack", false);
    work.tick("Write");
    work.says("Anna checked this");
    work.becomes_checked("Write", true);
    // Read again, it can be ticked; what others have resolved cannot be taken back here.
    work.tick("Order two");
    work.becomes_checked("Order two", true);
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(one.list().status("Order two"), "Done");
    let blocked = "__probe.rows(§).filter((row) => row.Disabled).map((row) => row.Text)";
    assert_eq!(work.value(blocked), json!(["Call back", "Pack", "Write"]));
    stage.browser.is_accessible("#work", "with notices");
    stage.browser.is_untroubled();
}

#[test]
fn it_reads_again_when_somebody_looks_at_the_page_again() {
    let stage = stage();
    let one = anna(&stage, "1", json!([mine("Call back")]));
    let work = worklist(&stage, "");
    work.shows(&["Call back"]);
    one.add_items(json!([mine("Order")]));
    // As a browser says when the page is seen again.
    stage.browser.script(
        "document.dispatchEvent(new Event('visibilitychange'));",
        &[],
    );
    work.shows(&["Call back", "Order"]);
    stage.browser.is_untroubled();
}

#[test]
fn what_somebody_else_ticks_or_rewords_is_shown_in_its_place_and_the_focus_stays() {
    let stage = stage();
    let anna = anna(
        &stage,
        "1",
        json!([
            due("Call back", "2031-01-01"),
            due("Order", "2031-01-02"),
            due("Deliver", "2031-01-03"),
        ]),
    );
    let work = worklist(&stage, "");
    work.shows(&["Call back", "Order", "Deliver"]);
    work.focus_item("Order");
    anna.tick("Call back");
    anna.reword("Deliver", "Deliver twice");
    work.says("No longer on this list");
    work.shows(&["Call back", "Order", "Deliver twice"]);
    work.until("__probe.deepActive()?.closest('.row')?.textContent.includes('Order')");
    stage.browser.press(Keys::Space);
    work.becomes_checked("Order", true);
    stage
        .browser
        .is_accessible("#work", "an item that has left");
    stage.browser.is_untroubled();
}

#[test]
fn an_empty_list_shows_everything_that_comes() {
    let stage = stage();
    let work = watchful(&stage, "");
    work.says("Nothing is assigned to you");
    anna(
        &stage,
        "1",
        json!([due("Call back", "2031-01-01"), due("Order", "2031-01-02")]),
    );
    work.shows(&["Call back", "Order"]);
    stage.browser.is_untroubled();
}

#[test]
fn a_look_from_before_a_tick_changes_nothing_and_what_was_taken_back_follows_others() {
    let stage = stage();
    let one = anna(
        &stage,
        "1",
        json!([due("Call back", "2031-01-01"), due("Order", "2031-01-02")]),
    );
    let work = watchful(&stage, "");
    work.shows(&["Call back", "Order"]);
    work.tick("Call back");
    work.until("__probe.said(§).includes('Checked.')");
    // The server has answered without the item, and the answer is on its way.
    stage.browser.script(
        "window.held = new Promise((go) => { window.release = go; });",
        &[],
    );
    looks_again(&stage);
    work.tick("Call back");
    work.until("__probe.said(§).includes('Open again.')");
    stage.browser.script("window.held = null; release();", &[]);
    looks_again(&stage);
    assert!(!work.tells("No longer on this list"));
    one.reword("Call back", "Call twice");
    work.shows(&["Call twice", "Order"]);
    work.tick("Call twice");
    work.until("__probe.said(§).includes('Checked.')");
    assert_eq!(one.list().status("Call twice"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn an_item_that_moves_beyond_the_rows_on_the_screen_has_not_left() {
    let stage = stage();
    let one = anna(
        &stage,
        "1",
        json!([
            due("Call back", "2031-01-01"),
            due("Order", "2031-01-02"),
            due("Pack", "2031-01-03"),
        ]),
    );
    let work = watchful(&stage, "limit='2'");
    work.shows(&["Call back", "Order"]);
    one.change("Call back", json!({ "Due": "2031-02-01" }));
    one.reword("Order", "Order two");
    work.shows(&["Call back", "Order two"]);
    assert!(!work.tells("No longer on this list"));
    work.tick("Call back");
    work.until("__probe.said(§).includes('Checked.')");
    stage.browser.is_untroubled();
}

#[test]
fn looks_that_fail_become_rare_and_are_told_until_one_succeeds() {
    let stage = stage();
    let one = anna(&stage, "1", json!([mine("Call back")]));
    let work = watchful(&stage, "");
    work.shows(&["Call back"]);
    let busy = "window.refusal = { status: 503, headers: { 'Retry-After': '77' } };";
    stage.browser.script(busy, &[]);
    work.says("This list may be out of date.");
    // Each was answered, and the server has said when to come back.
    stage
        .browser
        .until("waits.filter((ms) => ms === 77000).length >= 3");
    stage
        .browser
        .until("told.filter((one) => one.startsWith('checklist-error')).length === 1");
    one.reword("Call back", "Call twice");
    stage.browser.script("window.refusal = null;", &[]);
    work.shows(&["Call twice"]);
    assert!(!work.tells("out of date"));
}

#[test]
fn whose_session_has_ended_is_told_and_asked_for_nothing_until_the_page_is_seen_again() {
    let stage = stage();
    anna(&stage, "1", json!([mine("Call back")]));
    let work = watchful(&stage, "");
    work.shows(&["Call back"]);
    stage
        .browser
        .script("window.refusal = { status: 401 };", &[]);
    work.says("This list may be out of date.");
    stage.browser.script(
        "window.refusal = null; window.seen = looks; waits.length = 0;",
        &[],
    );
    stage
        .browser
        .until("waits.filter((ms) => ms === 10000).length >= 3");
    assert_eq!(stage.browser.value("looks - seen"), json!(0));
    stage.browser.script(
        "document.dispatchEvent(new Event('visibilitychange'));",
        &[],
    );
    work.until("!__probe.text(§).includes('out of date')");
    looks_again(&stage);
}
