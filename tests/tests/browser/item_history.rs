//! The history of an item, behind its menu: who, when, and from what to what.

use checklist_tests::browser::{Keys, Stage};
use checklist_tests::template::item;

const PANEL: &str = "__probe.root(§).querySelector('.history')";

#[test]
fn the_menu_tells_what_was_done_to_an_item_and_by_whom() {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build")]);
    let anna = stage.server.as_editor("Anna Berg").on(&stage.place());
    anna.reword("Ask", "Ask the owner");
    anna.tick("Ask the owner");
    let control = stage.control("");
    control.shows_item("Ask the owner");
    control.choose("Ask the owner", "History");
    control.until(&format!(
        "{PANEL}?.textContent.includes('Anna Berg checked this')"
    ));
    control.until(&format!(
        "{PANEL}.textContent.includes('“Ask” becomes “Ask the owner”')"
    ));
    control.until(&format!("{PANEL}.contains(__probe.deepActive())"));
    stage.browser.is_accessible("#list", "with a history");
    stage.browser.press(Keys::Escape);
    control.until(&format!(
        "!{PANEL} && !!__probe.deepActive()?.closest('.row')"
    ));

    control.choose("Build", "History");
    control.says("Nobody has changed this item yet.");
    control.click_of("Build", "Close");
    stage.browser.cut_off(&["*/GetItemHistory"]);
    control.choose("Build", "History");
    control.says("The history could not be loaded.");
    stage.browser.cut_off(&[]);
    control.click_of("Build", "Try again");
    control.says("Nobody has changed this item yet.");
}
