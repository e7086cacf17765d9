//! The form for note, assignee and due date: one menu entry, one save, days without a time, drafts.

use checklist_tests::browser::{Control, Keys, Stage};
use serde_json::{Value, json};

/// Sets a date or a time as a picker does.
fn set(control: &Control<'_>, kind: &str, value: &str) {
    control.value(&format!(
        "(() => {{ const field = __probe.root(§).querySelector('.editor input[type={kind}]'); \
          field.value = '{value}'; \
          field.dispatchEvent(new InputEvent('input', {{ bubbles: true, composed: true }})); }})()"
    ));
}

fn field(control: &Control<'_>, selector: &str) -> Value {
    control.value(&format!(
        "__probe.root(§).querySelector('.editor {selector}')?.value ?? null"
    ))
}

/// The requests that changed something.
const WRITES: &str = "performance.getEntriesByType('resource').filter((one) => one.name.endsWith('/UpdateItems')).length";

#[test]
fn one_form_stores_note_assignee_and_a_day_by_one_request() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.click_of("Ask", "More for");
    stage
        .browser
        .is_accessible("#list", "a menu with icons and keys");
    control.until(
        "[...__probe.root(§).querySelectorAll('[role=menuitem]')].every((one) => one.querySelector('svg'))",
    );
    assert_eq!(
        control.value("[...__probe.root(§).querySelectorAll('[role=menuitem]')].find((one) => one.textContent.startsWith('Edit details')).ariaKeyShortcuts ?? __probe.root(§).querySelector('[aria-keyshortcuts=\"Alt+Enter\"]').getAttribute('aria-keyshortcuts')"),
        json!("Alt+Enter")
    );
    control.click("Edit details");
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    stage.browser.keys("by phone");
    control.fill("Assignee", "Carla");
    set(&control, "date", "2031-02-03");
    stage.browser.is_accessible("#list", "the form of details");
    control.click("Save");
    control.says("by phone");
    control.settles();
    assert_eq!(control.value(WRITES), json!(1));
    let list = stage.bob().list();
    let stored = list.item("Ask");
    assert_eq!(
        (&stored["Note"], &stored["Assignee"]["Name"], &stored["Due"]),
        (&json!("by phone"), &json!("Carla"), &json!("2031-02-03"))
    );

    // With a time it is a moment where the reader is; without one, a day again.
    control.choose("Ask", "Edit details");
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    assert_eq!(field(&control, "input[type=date]"), json!("2031-02-03"));
    set(&control, "time", "16:05");
    control.click("Save");
    control.settles();
    let due = stage.bob().list().item("Ask")["Due"].clone();
    assert!(
        due.as_str().is_some_and(|due| due.contains(":05:00")),
        "{due}"
    );
    control.choose("Ask", "Edit details");
    assert_eq!(field(&control, "input[type=time]"), json!("16:05"));
    control.click("Clear due date");
    control.click("Clear assignee");
    control.until("__probe.deepActive()?.matches('.editor input[type=text]')");
    control.click("Save");
    control.settles();
    let list = stage.bob().list();
    let stored = list.item("Ask");
    assert_eq!(
        (&stored["Due"], &stored["Assignee"], &stored["Note"]),
        (&json!(null), &json!(null), &json!("by phone"))
    );
    stage.browser.is_untroubled();
}

#[test]
fn the_form_is_opened_and_left_by_keys_and_keeps_what_was_changed() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.focus_item("Build");
    stage.browser.press_with(Keys::Alt, Keys::Enter);
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    // Nothing was changed, so nothing is said and nothing is kept.
    stage.browser.press(Keys::Escape);
    control.until("__probe.focusRow() === 'Build' && !__probe.root(§).querySelector('.editor')");
    stage.browser.press_with(Keys::Alt, Keys::Enter);
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    assert!(!control.tells("not saved yet"));
    stage.browser.keys("half a thought");
    stage.browser.press(Keys::Escape);
    control.until("__probe.focusRow() === 'Build' && !__probe.root(§).querySelector('.editor')");
    assert_eq!(stage.bob().list().revision(), 0);
    stage.browser.press_with(Keys::Alt, Keys::Enter);
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    control.says("These changes are not saved yet.");
    assert_eq!(field(&control, "textarea"), json!("half a thought"));
    stage.browser.is_accessible("#list", "a form with a draft");
    control.click("Discard changes");
    control.until("!__probe.root(§).querySelector('.editor')");
    stage.browser.press_with(Keys::Alt, Keys::Enter);
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    assert_eq!(field(&control, "textarea"), json!(""));
    stage.browser.keys("whole");
    stage.browser.press(Keys::Enter);
    control.says("whole");
    control.settles();
    assert_eq!(stage.bob().list().item("Build")["Note"], "whole");
    stage.browser.is_untroubled();
}

#[test]
fn a_time_without_a_date_is_complained_about_at_the_date() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.shows_item("Ask");
    control.choose("Ask", "Edit details");
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    stage.browser.keys("kept");
    set(&control, "time", "10:00");
    control.click("Save");
    control.until(
        "(() => { const field = __probe.deepActive(); return field?.type === 'date' && field.ariaInvalid === 'true' \
          && __probe.root(§).getElementById(field.getAttribute('aria-describedby'))?.textContent === 'Enter a complete date.'; })()",
    );
    stage.browser.is_accessible("#list", "a form with a fault");
    assert_eq!(
        stage.bob().list().revision(),
        0,
        "nothing is said to be saved"
    );
    set(&control, "date", "2031-02-03");
    control.click("Save");
    control.says("kept");
    control.settles();
    assert!(stage.bob().list().item("Ask")["Due"].is_string());
    stage.browser.is_untroubled();
}

#[test]
fn the_form_fits_into_320_pixels() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    stage.browser.resize(320, 700);
    control.choose("Ask", "Edit details");
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    control.until(
        "[...__probe.root(§).querySelectorAll('.editor :is(input, textarea, button)')].every((one) => { \
          const box = one.getBoundingClientRect(); return box.left >= 0 && box.right <= innerWidth && box.height >= 24; })",
    );
    assert_eq!(
        stage
            .browser
            .value("document.documentElement.scrollWidth <= innerWidth"),
        json!(true)
    );
    stage.browser.is_untroubled();
}

#[test]
fn half_a_date_stays_while_somebody_else_changes_the_item() {
    let stage = Stage::ask_and_build();
    let control = stage.control("");
    control.choose("Ask", "Edit details");
    control.until("__probe.deepActive()?.matches('.editor textarea')");
    control.value("__probe.root(§).querySelector('.editor input[type=date]').focus()");
    stage.browser.keys("02");
    stage.bob().tick("Ask");
    control.says("1 of 2 done");
    stage.browser.keys("022031");
    control.click("Save");
    control.settles();
    assert_eq!(stage.bob().list().item("Ask")["Due"], "2031-02-02");
    stage.browser.is_untroubled();
}
