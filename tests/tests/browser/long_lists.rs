//! Lists of hundreds and of ten thousand items: the first rows come at once, the others in idle
//! moments, and nothing that a person, a printer or a screen reader does can tell.
//!
//! The times are in `docs/SPEED.md`.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::item;
use serde_json::json;

/// A page whose browser always has something else to do, until the test says otherwise.
const BUSY: &str = "window.__idle = [];\
    window.requestIdleCallback = (act) => window.__idle.push(act);\
    window.__rest = () => { const acts = window.__idle.splice(0); acts.forEach((act) => act()); return acts.length; };";

fn rows(control: &Control<'_>) -> u64 {
    let rows = control.value("__probe.root(§).querySelectorAll('.row').length");
    rows.as_u64().expect("a count is a number")
}

fn long(items: usize) -> Stage {
    Stage::with_a_long_list((0..items).map(|n| item(&format!("k{n}"), &format!("Item {n}"))))
}

/// A list of three hundred items of which only the first are drawn.
fn busy(stage: &Stage) -> Control<'_> {
    let control = stage.control_after(BUSY);
    control.shows_item("Item 0");
    let drawn = rows(&control);
    assert!((50..300).contains(&drawn), "{drawn} rows were drawn");
    control
}

#[test]
fn every_one_of_ten_thousand_items_is_on_the_page_after_a_moment_and_the_last_can_be_ticked() {
    let stage = long(10_000);
    let control = stage.control("");
    control.shows_item("Item 0");
    // Bit by bit, each bit in good time.
    for count in (1..=10).map(|thousands| thousands * 1_000) {
        control.until(&format!(
            "__probe.root(§).querySelectorAll('.row').length >= {count}"
        ));
    }
    assert_eq!(rows(&control), 10_000);
    assert_eq!(
        control.value("__probe.root(§).querySelectorAll('.rest').length"),
        json!(0),
        "nothing is held free for rows that are there"
    );
    control.tick("Item 9999");
    control.becomes_checked("Item 9999", true);
    control.settles();
    assert_eq!(control.property("counts.Done"), json!(1));
    assert_eq!(stage.bob().list().status("Item 9999"), "Done");
    stage.browser.is_untroubled();
}

#[test]
fn a_search_in_the_page_finds_a_row_that_is_far_out_of_sight() {
    let stage = long(500);
    let control = stage.control("");
    control.shows_item("Item 499");
    let seen = "(() => { const box = __probe.row(§, 'Item 499').getBoundingClientRect(); return box.top < innerHeight && box.bottom > 0; })()";
    assert_eq!(control.value(seen), json!(false));
    assert_eq!(stage.browser.value("window.find('Item 499')"), json!(true));
    control.until(seen);
    stage.browser.is_untroubled();
}

#[test]
fn what_others_do_to_rows_that_are_not_drawn_yet_is_there_when_they_are() {
    let stage = long(300);
    let control = busy(&stage);
    let bob = stage.bob();
    bob.tick("Item 250");
    bob.delete("Item 260");
    control.until("document.querySelector(§).counts.Done === 1 && document.querySelector(§).counts.Total === 299");
    assert!(rows(&control) < 299, "the browser is still busy");
    control.until("(__rest(), __probe.root(§).querySelectorAll('.row').length === 299)");
    assert!(control.checked("Item 250"));
    assert_eq!(control.value("__probe.row(§, 'Item 260')"), json!(null));
    stage.browser.is_untroubled();
}

#[test]
fn the_focus_goes_on_to_rows_that_are_not_drawn_yet_and_takes_a_row_along() {
    let stage = long(300);
    let control = busy(&stage);
    let last = rows(&control) - 1;
    control.focus_item(&format!("Item {last}"));
    stage.browser.press(Keys::Down);
    control.until(&format!("__probe.focusRow() === 'Item {}'", last + 1));
    stage.browser.press_with(Keys::Alt, Keys::Down);
    control.until(&format!(
        "__probe.focusRow() === 'Item {}' && __probe.rows(§).findIndex((row) => row.Text === 'Item {}') === {}",
        last + 1,
        last + 1,
        last + 2
    ));
    stage.browser.press_with(Keys::Control, 'z');
    control.until(&format!(
        "__probe.rows(§).findIndex((row) => row.Text === 'Item {}') === {}",
        last + 1,
        last + 1
    ));
    control.settles();
    let texts: Vec<String> = (0..300).map(|n| format!("Item {n}")).collect();
    assert_eq!(stage.bob().list().texts(), texts);
    stage.browser.is_untroubled();
}

#[test]
fn a_print_has_every_row_though_the_browser_had_no_time_for_them() {
    let stage = long(300);
    let control = busy(&stage);
    let printed = stage.browser.command("Page.printToPDF", json!({}));
    assert!(printed["data"].as_str().is_some_and(|pdf| !pdf.is_empty()));
    assert_eq!(rows(&control), 300);
    let hidden = "[...__probe.root(§).querySelectorAll('.row')].filter((row) => !row.checkVisibility()).length";
    assert_eq!(control.value(hidden), json!(0));
    stage.browser.is_untroubled();
}

#[test]
fn a_long_list_is_one_list_to_assistive_technology() {
    let stage = long(300);
    let control = stage.control("");
    control.shows_item("Item 299");
    assert_eq!(
        control.value("__probe.root(§).querySelectorAll('[role=list]').length"),
        json!(1)
    );
    let tree = stage
        .browser
        .command("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().expect("a tree has nodes");
    let of_role = |role: &str| {
        let of_role = nodes
            .iter()
            .filter(|node| node["role"]["value"] == role && node["ignored"] != true);
        of_role.collect::<Vec<_>>()
    };
    assert_eq!(of_role("listitem").len(), 300);
    assert_eq!(of_role("checkbox").len(), 300, "those out of sight too");
    stage
        .browser
        .is_accessible("#list", "with three hundred items");
    stage.browser.is_untroubled();
}

#[test]
fn a_menu_stands_out_of_its_block_and_a_list_that_shrinks_is_short_again() {
    let stage = long(101);
    let control = stage.control("");
    control.shows_item("Item 100");
    // The last row of a block.
    control.click_of("Item 49", "More for");
    control.until(
        "(() => { const menu = __probe.root(§).querySelector('.menu'); if (!menu) return false;\
           const box = menu.getBoundingClientRect();\
           return menu.contains(__probe.root(§).elementFromPoint(box.left + box.width / 2, box.bottom - 8)); })()",
    );
    stage.browser.press(Keys::Escape);
    control.tick("Item 49");
    stage.bob().delete("Item 0");
    control.until("__probe.root(§).querySelectorAll('.row').length === 100");
    assert!(control.checked("Item 49"));
    control.tick("Item 100");
    control.becomes_checked("Item 100", true);
    control.settles();
    stage.browser.is_untroubled();
}
