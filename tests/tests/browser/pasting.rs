//! Several lines that are pasted: one question, one call, one undo.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::item;
use serde_json::json;

/// Pastes where the focus is, as a browser does it.
fn paste(control: &Control<'_>, text: &str) {
    control.value(&format!(
        "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {});\
           return __probe.deepActive().dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, composed: true, cancelable: true }})); }})()",
        json!(text)
    ));
}

const CALLS: &str = "window.calls = []; { const real = fetch; window.fetch = (address, init) => {\
    calls.push((address.url ?? String(address)).split('?')[0].split('/').pop()); return real(address, init); }; }";
const ADDS: &str = "calls.filter((call) => call === 'AddItems').length";

#[test]
fn ten_lines_are_ten_items_by_one_call_and_go_by_one_undo() {
    let stage = Stage::with([item("a", "Ask")]);
    let control = stage.control_after(CALLS);
    control.shows(&["Ask"]);
    control.open_the_add_field();
    let lines: Vec<String> = (1..=10).map(|n| format!("- [x] Step {n}")).collect();
    paste(&control, &lines.join("\r\n"));
    control.says("Add 10 items?");
    control.says("and 4 more");
    control.until(
        "__probe.deepActive()?.textContent === 'Add' && !!__probe.deepActive().closest('.pasted')",
    );
    stage.browser.is_accessible("#list", "with pasted lines");
    control.shows(&["Ask"]);
    stage.browser.press(Keys::Enter);
    let mut all = vec!["Ask".to_owned()];
    all.extend((1..=10).map(|n| format!("Step {n}")));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    control.shows(&all);
    control.settles();
    control.until("__probe.deepActive()?.matches('.add input')");
    assert_eq!(control.value(ADDS), json!(1));
    assert_eq!(
        control.value("__probe.rows(§).some((row) => row.Checked)"),
        json!(false)
    );
    control.click("Undo");
    control.shows(&["Ask"]);
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn lines_can_be_pasted_at_a_row_and_left_alone_or_put_into_the_field_as_one() {
    let stage = Stage::with([item("a", "Ask")]);
    let control = stage.control("");
    control.focus_item("Ask");
    paste(&control, "one\ntwo");
    control.says("Add 2 items?");
    stage.browser.press(Keys::Escape);
    control.until("!__probe.root(§).querySelector('.pasted')");
    control.shows(&["Ask"]);
    control.focus_item("Ask");
    paste(&control, "just one line");
    control.focus_item("Ask");
    paste(&control, "one\ntwo");
    control.click("Insert as one line");
    control.until(
        "__probe.deepActive()?.matches('.add input') && __probe.deepActive().value === 'one two'",
    );
    stage.browser.is_untroubled();
}
