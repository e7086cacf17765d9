//! Several rows at once: selected by the mouse, by keys and by a finger, then changed by one call
//! with one undo; and the box of a section, which checks all of it.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::item;
use serde_json::{Value, json};

const CALLS: &str = "window.calls = []; { const real = fetch; window.fetch = (address, init) => {\
    calls.push((address.url ?? String(address)).split('?')[0].split('/').pop()); return real(address, init); }; }";
const WRITES: &str = "calls.filter((call) => ['UpdateItems', 'DeleteItems'].includes(call)).length";
const SELECTED: &str = "[...__probe.root(§).querySelectorAll('.row.selected bdi:first-child')].map((one) => one.textContent)";
const BAR: &str = "__probe.root(§).querySelector('.selection')";
const HEADING: &str = "__probe.root(§).querySelector('.section-box')";

fn stage(count: usize) -> Stage {
    Stage::with((1..=count).map(|n| item(&format!("k{n}"), &format!("Step {n}"))))
}

fn control(stage: &Stage) -> Control<'_> {
    let control = stage.control_after(CALLS);
    control.shows_item("Step 1");
    control
}

fn text_of(text: &str) -> String {
    format!("__probe.row('#list', '{text}').querySelector('.text')")
}

#[track_caller]
fn selects(control: &Control<'_>, texts: &[&str]) {
    control.until(&format!(
        "JSON.stringify({SELECTED}) === JSON.stringify({})",
        json!(texts)
    ));
}

fn checked(control: &Control<'_>) -> Value {
    control.value("__probe.rows(§).filter((row) => row.Checked).length")
}

#[test]
fn rows_are_selected_by_the_mouse_and_checked_by_one_call_with_one_undo() {
    let stage = stage(6);
    let control = control(&stage);
    let browser = &stage.browser;
    browser.click_with(Keys::Control, browser.middle_of(&text_of("Step 2")));
    selects(&control, &["Step 2"]);
    browser.click_with(Keys::Shift, browser.middle_of(&text_of("Step 5")));
    selects(&control, &["Step 2", "Step 3", "Step 4", "Step 5"]);
    assert_eq!(control.value("getSelection().toString()"), json!(""));
    browser.click_with(Keys::Control, browser.middle_of(&text_of("Step 3")));
    selects(&control, &["Step 2", "Step 4", "Step 5"]);
    assert_eq!(checked(&control), json!(0), "nothing is ticked by that");
    control.says("3 selected");
    browser.is_accessible("#list", "with selected rows");
    control.click("Check");
    for text in ["Step 2", "Step 4", "Step 5"] {
        control.becomes_checked(text, true);
    }
    control.settles();
    assert_eq!(checked(&control), json!(3));
    assert_eq!(control.value(WRITES), json!(1));
    control.click("Undo");
    control.becomes_checked("Step 4", false);
    control.settles();
    assert_eq!(checked(&control), json!(0));
    control.click("Clear selection");
    control.until(&format!(
        "!{BAR} && __probe.deepActive()?.matches('.row .box')"
    ));
    browser.is_untroubled();
}

#[test]
fn everything_goes_by_the_keyboard_alone() {
    let stage = stage(5);
    let control = control(&stage);
    let browser = &stage.browser;
    control.focus_item("Step 2");
    browser.press_with(Keys::Shift, Keys::Down);
    selects(&control, &["Step 2", "Step 3"]);
    control.until("__probe.deepActive() === __probe.checkbox(§, 'Step 3')");
    browser.press_with(Keys::Shift, Keys::Down);
    browser.press_with(Keys::Shift, Keys::Up);
    selects(&control, &["Step 2", "Step 3"]);
    browser.press(Keys::F6);
    control.until(&format!("{BAR}.contains(__probe.deepActive())"));
    browser.press(Keys::Enter);
    control.becomes_checked("Step 2", true);
    control.becomes_checked("Step 3", true);
    browser.press(Keys::Escape);
    control.until(&format!(
        "!{BAR} && __probe.deepActive()?.matches('.row .box')"
    ));
    browser.press_with(Keys::Control, 'a');
    selects(
        &control,
        &["Step 1", "Step 2", "Step 3", "Step 4", "Step 5"],
    );
    control.settles();
    browser.press(Keys::Delete);
    control.says("5 items were deleted.");
    control.settles();
    assert_eq!(control.value(WRITES), json!(2));
    control.click("Undo");
    control.shows(&["Step 1", "Step 2", "Step 3", "Step 4", "Step 5"]);
    control.settles();
    browser.is_untroubled();
}

#[test]
fn several_are_assigned_and_what_is_gone_is_named() {
    let stage = stage(3);
    let control = stage.control_that_hears_nothing();
    control.shows_item("Step 3");
    control.choose("Step 1", "Select");
    selects(&control, &["Step 1"]);
    control.focus_item("Step 1");
    stage.browser.press_with(Keys::Control, 'a');
    let bob = stage.bob();
    bob.delete("Step 2");
    control.click("Assign");
    control.until(&format!(
        "{BAR}.querySelector('input') === __probe.deepActive()"
    ));
    stage.browser.keys("Ann");
    stage.browser.press(Keys::Enter);
    control.says("1 item was not changed: Step 2");
    control.settles();
    control.shows(&["Step 1", "Step 3"]);
    let assignees =
        control.value("document.querySelector(§).items.map((item) => item.Assignee.Name)");
    assert_eq!(assignees, json!(["Ann", "Ann"]));
    stage.browser.is_untroubled();
}

#[test]
fn a_finger_that_rests_on_a_row_selects_it_and_taps_select_more() {
    let stage = stage(4);
    stage.browser.touch();
    let control = control(&stage);
    let browser = &stage.browser;
    browser.press_long(&[browser.middle_of(&text_of("Step 2"))]);
    selects(&control, &["Step 2"]);
    browser.tap(browser.middle_of(&text_of("Step 4")));
    selects(&control, &["Step 2", "Step 4"]);
    assert_eq!(checked(&control), json!(0));
    let check = format!("{BAR}.querySelector('button')").replace('§', "'#list'");
    browser.tap(browser.middle_of(&check));
    control.becomes_checked("Step 4", true);
    control.settles();
    assert_eq!(checked(&control), json!(2));
    browser.is_untroubled();
}

#[test]
fn the_bar_never_lies_over_the_row_with_the_focus() {
    let stage = stage(40);
    for width in [900, 320] {
        stage.browser.resize(width, 420);
        let control = control(&stage);
        control.focus_item("Step 1");
        for _ in 0..25 {
            stage.browser.press_with(Keys::Shift, Keys::Down);
        }
        control.says("26 selected");
        control.until("__probe.deepActive() === __probe.checkbox(§, 'Step 26')");
        control.until(&format!(
            "(() => {{ const row = __probe.row(§, 'Step 26').getBoundingClientRect(); const bar = {BAR}.getBoundingClientRect();\
               return row.bottom <= bar.top + 1 && bar.bottom <= innerHeight + 1; }})()"
        ));
        control.until("document.documentElement.scrollWidth <= innerWidth");
    }
    stage.browser.is_untroubled();
}

#[test]
fn a_section_is_checked_by_its_box_in_three_states() {
    let stage = Stage::with_a_section();
    let control = stage.control("");
    control.shows_item("Close");
    let state = |state: &str| {
        control.until(&format!(
            "(({{ checked, indeterminate }}) => `${{checked}} ${{indeterminate}}`)({HEADING}) === '{state}'"
        ));
    };
    state("false false");
    assert_eq!(
        control.value(&format!("{HEADING}.ariaLabel")),
        json!("Check all in “First”")
    );
    control.tick("Ask");
    state("false true");
    stage
        .browser
        .is_accessible("#list", "with a section in part");
    stage.browser.click(&HEADING.replace('§', "'#list'"));
    control.becomes_checked("Build", true);
    state("true false");
    control.settles();
    assert!(!control.checked("Close"));
    control.until(&format!("__probe.deepActive() === {HEADING}"));
    stage.browser.press_with(Keys::Control, 'z');
    control.becomes_checked("Build", false);
    assert!(control.checked("Ask"), "one undo is one step");
    state("false true");
    control.settles();
    stage.browser.press(Keys::Space);
    state("true false");
    stage.browser.press(Keys::Space);
    state("false false");
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn a_host_is_asked_about_each_and_told_once() {
    let stage = stage(3);
    let control = control(&stage);
    control.value(
        "(window.told = [], window.asked = 0, document.querySelector(§).addEventListener('before-checklist-check', (event) => {\
           if (asked++ === 1) event.preventDefault(); }),\
          document.querySelector(§).addEventListener('checklist-change', (event) => told.push(event.detail)), true)",
    );
    control.focus_item("Step 1");
    stage.browser.press_with(Keys::Control, 'a');
    control.click("Check");
    control.becomes_checked("Step 3", true);
    control.settles();
    assert!(!control.checked("Step 2"), "the host has stopped it");
    assert_eq!(
        control.value("told.map(({ what, itemIds }) => [what, itemIds.length])"),
        json!([["check", 2]])
    );
    stage.browser.is_untroubled();
}

#[test]
fn nothing_can_be_selected_where_nothing_can_be_changed() {
    let stage = stage(2);
    let control = stage.control("readonly");
    control.shows_item("Step 2");
    control.focus_item("Step 1");
    stage.browser.press_with(Keys::Shift, Keys::Down);
    let spot = stage.browser.middle_of(&text_of("Step 2"));
    stage.browser.click_with(Keys::Control, spot);
    assert_eq!(control.value(&format!("{BAR} === null")), json!(true));
    stage.browser.is_untroubled();
}
