//! Searching a long list, and dense rows.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::{item, section, under};
use serde_json::{Value, json};

fn long(items: usize) -> Stage {
    Stage::with_a_long_list((0..items).map(|n| item(&format!("k{n}"), &format!("Item {n}"))))
}

/// The texts of the rows that can be seen.
const SEEN: &str = "[...__probe.root(§).querySelectorAll('.row')].filter((row) => row.checkVisibility())\
    .map((row) => row.querySelector('.text').textContent)";
const FIELD: &str = "__probe.root(§).querySelector('.search > input')";

fn search(control: &Control<'_>, stage: &Stage, text: &str) {
    control.value(&format!("{FIELD}.focus()"));
    stage.browser.press_with(Keys::Control, 'a');
    stage.browser.keys(text);
}

fn sees(control: &Control<'_>, texts: &[&str]) {
    control.until(&format!(
        "JSON.stringify({SEEN}) === {}",
        json!(json!(texts).to_string())
    ));
}

#[test]
fn a_search_leaves_the_rows_that_match_marks_them_and_escape_brings_the_others_back() {
    let stage = long(120);
    let control = stage.control("");
    control.shows_item("Item 119");
    control.until(&format!("{FIELD} !== null"));
    search(&control, &stage, "ITEM 11");
    let found: Vec<String> = [11]
        .into_iter()
        .chain(110..120)
        .map(|n| format!("Item {n}"))
        .collect();
    sees(
        &control,
        &found.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    control.says("11 of 120");
    assert_eq!(
        control.property("counts.Total"),
        json!(120),
        "all of them count"
    );
    let marked = "(() => { const marks = CSS.highlights.get('checklist-search'); return [...marks].map((range) => range.toString()).join(); })()";
    control.until(&format!("{marked}.startsWith('Item,11,')"));
    stage.browser.is_accessible("#list", "a search");
    // From the field to the rows, and from row to row over those that were not found.
    stage.browser.press(Keys::Down);
    control.until("__probe.focusRow() === 'Item 11'");
    stage.browser.press(Keys::Down);
    control.until("__probe.focusRow() === 'Item 110'");
    stage.browser.press(Keys::Space);
    control.becomes_checked("Item 110", true);
    control.settles();
    control.says("11 of 120");
    search(&control, &stage, "nothing of that");
    sees(&control, &[]);
    control.says("No matches");
    stage.browser.is_accessible("#list", "a search in vain");
    stage.browser.press(Keys::Escape);
    control.until(&format!("{SEEN}.length === 120"));
    control.until(&format!(
        "{FIELD}.value === '' && __probe.deepActive() === {FIELD}"
    ));
    assert_eq!(control.value(marked), json!(""));
    stage.browser.is_untroubled();
}

#[test]
fn sections_without_matches_go_with_their_headings_and_what_is_added_is_seen() {
    let mut items = vec![section("one", "Network"), section("two", "Kitchen")];
    items.extend((0..20).map(|n| under("one", item(&format!("a{n}"), &format!("Cable {n}")))));
    items.extend((0..20).map(|n| under("two", item(&format!("b{n}"), &format!("Plate {n}")))));
    let stage = Stage::with_a_long_list(items);
    let control = stage.control("");
    control.shows_item("Plate 19");
    search(&control, &stage, "plate 19");
    sees(&control, &["Plate 19"]);
    let headings: Value = control.value(
        "[...__probe.root(§).querySelectorAll('.section-text')].filter((one) => one.checkVisibility()).map((one) => one.textContent)",
    );
    assert_eq!(headings, json!(["Kitchen"]));
    // The heading counts, too.
    search(&control, &stage, "network");
    control.until(&format!("{SEEN}.length === 20"));
    search(&control, &stage, "plate 19");
    sees(&control, &["Plate 19"]);
    stage.bob().add("Fork");
    stage.bob().add("Plate 191");
    control.until(&format!(
        "{SEEN}.includes('Plate 191') && !{SEEN}.includes('Fork')"
    ));
    control.add("Spoon");
    control.until(&format!("{SEEN}.includes('Spoon')"));
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn the_bar_stays_in_sight_and_never_lies_over_the_row_with_the_focus() {
    let stage = long(60);
    let control = stage.control("");
    control.shows_item("Item 59");
    stage.browser.resize(800, 500);
    control.focus_item("Item 59");
    let bar = "__probe.root(§).querySelector('.search').getBoundingClientRect()";
    control.until(&format!("{bar}.top >= 0 && {bar}.top < 4"));
    for item in (29..59).rev() {
        stage.browser.press(Keys::Up);
        control.until(&format!("__probe.focusRow() === 'Item {item}'"));
        let clear = control.value(&format!(
            "__probe.deepActive().getBoundingClientRect().top >= {bar}.bottom"
        ));
        assert_eq!(clear, json!(true));
    }
    stage.browser.is_untroubled();
}

#[test]
fn ten_thousand_items_are_searched_without_a_long_task() {
    let stage = long(10_000);
    let control = stage.control("");
    // They come in idle moments, of which a busy machine has few: each quarter is waited for.
    for rows in [2_500, 5_000, 7_500, 10_000] {
        control.until(&format!(
            "__probe.root(§).querySelectorAll('.row').length >= {rows}"
        ));
    }
    search(&control, &stage, "item 999");
    // 999, 1999 to 8999, 9990 to 9999.
    control.until(&format!("{SEEN}.length === 19"));
    control.says("19 of 10,000");
    stage.browser.press(Keys::Escape);
    // What can be seen is there at once, the others come in idle moments.
    control.until(&format!("{SEEN}.length >= 100"));
    control.until("__probe.root(§).querySelectorAll('.row[hidden], .block[hidden]').length === 0");
    stage.browser.is_untroubled();
}

#[test]
fn a_short_list_has_no_search() {
    let stage = long(29);
    let control = stage.control("");
    control.shows_item("Item 28");
    assert_eq!(control.value(FIELD), json!(null));
}

#[test]
fn dense_rows_are_32_pixels_high_but_not_under_a_finger() {
    let stage = long(5);
    let control = stage.control("density='compact'");
    control.shows_item("Item 4");
    let height = "__probe.row(§, 'Item 2').getBoundingClientRect().height";
    control.until(&format!("{height} === 32"));
    control.until(
        "__probe.row(§, 'Item 2').querySelector('.box').getBoundingClientRect().height >= 24",
    );
    control.tick("Item 2");
    control.settles();
    assert_eq!(control.value(height), json!(32), "a tick changes no height");
    stage.browser.is_accessible("#list", "dense rows");
    control.value("document.querySelector(§).density = ''");
    control.until(&format!("{height} === 40"));
    control.value("document.querySelector(§).style.setProperty('--checklist-row', '28px')");
    control.until(&format!("{height} === 28"));
    control.value("document.querySelector(§).style.setProperty('--checklist-row', '60px')");
    control.until(&format!("{height} === 60"));
    stage.browser.is_untroubled();
}

#[test]
fn under_a_finger_dense_rows_keep_their_height() {
    let stage = long(5);
    stage.browser.touch();
    let control = stage.control("density='compact'");
    control.shows_item("Item 4");
    control.until("__probe.row(§, 'Item 2').getBoundingClientRect().height >= 44");
}
