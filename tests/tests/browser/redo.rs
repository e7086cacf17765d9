//! Redo by the keys of all platforms and by its button, which is there when it can do something.

use checklist_tests::browser::{Keys, Stage};
use checklist_tests::template::item;

#[test]
fn what_was_undone_is_redone_by_keys_and_by_a_button_that_goes_with_its_use() {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build")]);
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    assert!(!control.buttons().contains(&"Redo".to_owned()));
    control.tick("Ask");
    control.settles();
    control.focus_item("Ask");
    stage.browser.press_with(Keys::Control, 'z');
    control.becomes_checked("Ask", false);
    control.settles();
    stage.browser.press_with(Keys::Control, 'y');
    control.becomes_checked("Ask", true);
    control.settles();
    control.click("Undo");
    control.becomes_checked("Ask", false);
    control.settles();
    control.until("!!__probe.root(§).querySelector('.redo')");
    stage.browser.is_accessible("#list", "with a redo");
    control.click("Redo");
    control.becomes_checked("Ask", true);
    control.settles();
    control
        .until("!__probe.root(§).querySelector('.redo') && __probe.deepActive()?.matches('.undo')");
    stage.browser.is_untroubled();
}
