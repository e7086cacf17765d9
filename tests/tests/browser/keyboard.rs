//! Everything by keyboard alone.
//!
//! The way to a row is Tab; from there Space, Enter, F2, Delete, Escape, Alt with arrows and
//! Ctrl+Z do all that the pointer can.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::item;
use serde_json::json;

fn stage() -> Stage {
    Stage::with([item("a", "A"), item("b", "B"), item("c", "C")])
}

/// Presses Tab until a row's checkbox has the focus.
#[track_caller]
fn tab_to(stage: &Stage, control: &Control<'_>, text: &str) {
    for _ in 0..60 {
        let there = control.value(&format!(
            "__probe.deepActive() === __probe.checkbox(§, {})",
            json!(text)
        ));
        if there == json!(true) {
            return;
        }
        stage.browser.press(Keys::Tab);
    }
    panic!(
        "Tab never came to {text}; it stands on {}",
        stage.browser.value("__probe.active()")
    );
}

#[test]
fn a_whole_list_is_worked_through_with_the_keyboard() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    for text in ["A", "B", "C"] {
        tab_to(&stage, &control, text);
        stage.browser.press(Keys::Space);
        control.becomes_checked(text, true);
    }
    control.becomes_completed();
    stage.browser.is_untroubled();
}

#[test]
fn an_arrow_has_moved_the_focus_before_the_next_key_comes() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    control.focus_item("A");
    let expression = "(() => { \
         const key = new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, composed: true, cancelable: true }); \
         __probe.checkbox(§, 'A').dispatchEvent(key); \
         return __probe.deepActive() === __probe.checkbox(§, 'B'); })()";
    assert_eq!(control.value(expression), json!(true));
    stage.browser.press(Keys::Space);
    control.becomes_checked("B", true);
    assert!(!control.checked("A"));
    stage.browser.is_untroubled();
}

#[test]
fn f2_edits_enter_saves_and_escape_leaves() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    tab_to(&stage, &control, "B");
    stage.browser.press(Keys::F2);
    control.until("__probe.deepActive()?.matches('input:not([type=checkbox]), textarea')");
    stage.browser.press_with(Keys::Control, 'a');
    stage.browser.keys("Bee");
    stage.browser.press(Keys::Enter);
    control.shows(&["A", "Bee", "C"]);
    control.until("__probe.focusRow() === 'Bee'");
    stage.browser.press(Keys::F2);
    control.until("__probe.deepActive()?.matches('input:not([type=checkbox]), textarea')");
    stage.browser.keys("never mind");
    stage.browser.press(Keys::Escape);
    control.shows(&["A", "Bee", "C"]);
    control.until("__probe.focusRow() === 'Bee'");
    control.settles();
    assert_eq!(stage.bob().list().texts(), ["A", "Bee", "C"]);
    stage.browser.is_untroubled();
}

#[test]
fn delete_deletes_keeps_the_focus_in_the_list_and_control_z_brings_back() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    tab_to(&stage, &control, "B");
    stage.browser.press(Keys::Delete);
    control.shows(&["A", "C"]);
    control.until("['A', 'C'].includes(__probe.focusRow())");
    stage.browser.press_with(Keys::Control, 'z');
    control.shows(&["A", "B", "C"]);
    control.settles();
    assert_eq!(stage.bob().list().texts(), ["A", "B", "C"]);
    stage.browser.is_untroubled();
}

#[test]
fn alt_with_arrows_moves_the_item_and_the_focus_stays_on_it() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    tab_to(&stage, &control, "C");
    stage.browser.press_with(Keys::Alt, Keys::Up);
    control.shows(&["A", "C", "B"]);
    control.until("__probe.focusRow() === 'C'");
    stage.browser.press_with(Keys::Alt, Keys::Up);
    control.shows(&["C", "A", "B"]);
    control.until("__probe.focusRow() === 'C'");
    stage.browser.press_with(Keys::Alt, Keys::Down);
    control.shows(&["A", "C", "B"]);
    control.until("__probe.focusRow() === 'C'");
    control.settles();
    assert_eq!(stage.bob().list().texts(), ["A", "C", "B"]);
    stage.browser.is_untroubled();
}

#[test]
fn the_menu_of_an_item_opens_works_and_closes_by_keyboard() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    tab_to(&stage, &control, "B");
    for _ in 0..6 {
        if stage.browser.value("__probe.active().includes('More for')") == json!(true) {
            break;
        }
        stage.browser.press(Keys::Tab);
    }
    stage.browser.press(Keys::Enter);
    control.until("__probe.buttons(§).some((name) => name.startsWith('Move up'))");
    stage.browser.press(Keys::Escape);
    control.until("!__probe.buttons(§).some((name) => name.startsWith('Move up'))");
    control.until("__probe.active().includes('More for')");
    stage.browser.press(Keys::Enter);
    control.until("__probe.deepActive()?.getAttribute('role') === 'menuitem'");
    for _ in 0..12 {
        if stage.browser.value("__probe.active().includes('Move up')") == json!(true) {
            break;
        }
        stage.browser.press(Keys::Down);
    }
    assert_eq!(
        stage.browser.value("__probe.active()"),
        json!("button Move up")
    );
    stage.browser.press(Keys::Enter);
    control.shows(&["B", "A", "C"]);
    stage.browser.is_untroubled();
}

#[test]
fn an_item_is_added_by_keyboard() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    for _ in 0..60 {
        if stage
            .browser
            .value("/Add an item|New item/.test(__probe.active())")
            == json!(true)
        {
            break;
        }
        stage.browser.press(Keys::Tab);
    }
    if stage.browser.value("__probe.active().startsWith('button')") == json!(true) {
        stage.browser.press(Keys::Enter);
        control.until("__probe.deepActive()?.matches('input, textarea')");
    }
    stage.browser.keys("D");
    stage.browser.press(Keys::Enter);
    control.shows(&["A", "B", "C", "D"]);
    stage.browser.is_untroubled();
}

#[test]
fn tab_leaves_the_list_again() {
    let stage = stage();
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<button id='before'>before</button><checklist-control id='list' {bound}></checklist-control><button id='after'>after</button>"
    ));
    let control = stage.browser.control("#list");
    control.shows(&["A", "B", "C"]);
    stage
        .browser
        .value("document.querySelector('#before').focus()");
    for _ in 0..60 {
        stage.browser.press(Keys::Tab);
        if stage.browser.value("document.activeElement.id") == json!("after") {
            return;
        }
    }
    panic!(
        "Tab is caught in the list, on {}",
        stage.browser.value("__probe.active()")
    );
}

#[test]
fn typing_in_a_field_triggers_none_of_the_keys() {
    let stage = stage();
    let control = stage.control("");
    control.shows(&["A", "B", "C"]);
    control.open_the_add_field();
    stage.browser.keys("x y");
    stage.browser.press(Keys::Left);
    stage.browser.press(Keys::Delete);
    stage.browser.press(Keys::F2);
    control.shows(&["A", "B", "C"]);
    stage.browser.press(Keys::Enter);
    control.shows(&["A", "B", "C", "x"]);
}
