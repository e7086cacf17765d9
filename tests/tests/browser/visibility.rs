//! What a viewer does not want to see: what is done, and the rows of sections, both remembered.

use checklist_tests::browser::{Keys, Stage};
use serde_json::json;

const SAYS: &str = "(__probe.root(§).querySelector('.done-items')?.textContent ?? '')";
const TOGGLE: &str = "__probe.root(§).querySelector('.section-toggle')";

#[test]
fn what_is_done_is_hidden_and_sections_collapse_and_both_are_remembered() {
    let stage = Stage::with_a_section();
    let control = stage.control("");
    control.shows_item("Close");
    assert_eq!(control.value(SAYS), json!(""), "nothing is done yet");
    control.tick("Ask");
    control.settles();
    control.click("Hide done");
    control.until(&format!("{SAYS}.includes('1 done hidden')"));
    control.shows(&["Build", "Close"]);
    control.until("__probe.root(§).activeElement?.textContent === 'Show done'");
    control.tick("Build");
    control.settles();
    control.shows(&["Build", "Close"]);
    stage.browser.is_accessible("#list", "with hidden items");

    control.value(&format!("{TOGGLE}.focus()"));
    stage.browser.press(Keys::Enter);
    control.shows(&["Close"]);
    control.until(&format!(
        "{TOGGLE}.ariaExpanded === 'false' && __probe.root(§).activeElement === {TOGGLE}"
    ));
    stage
        .browser
        .is_accessible("#list", "with a collapsed section");

    stage.browser.reload();
    control.until(&format!(
        "{SAYS}.includes('2 done hidden') && {TOGGLE}?.ariaExpanded === 'false'"
    ));
    control.shows(&["Close"]);
    control.click("Show done");
    control.click("First");
    control.shows(&["Ask", "Build", "Close"]);
    stage.browser.is_untroubled();
}

#[test]
fn a_browser_that_keeps_nothing_hides_all_the_same() {
    let stage = Stage::ask_and_build();
    let control = stage.control_after("Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden'); } });");
    control.shows(&["Ask", "Build"]);
    control.tick("Ask");
    control.settles();
    control.click("Hide done");
    control.shows(&["Build"]);
    control.click("Show done");
    control.shows(&["Ask", "Build"]);
    stage.browser.is_untroubled();
}
