//! Many items, page by page, by the keyboard alone.

use checklist_tests::browser::Keys;
use serde_json::json;

use super::*;

const COUNT: &str = "__probe.rows(§).length";

/// 300 items of three lists, due one after the other, in turns.
fn three_hundred(stage: &Stage) -> Person {
    let text = |n: usize| format!("Item {n:03}");
    let day = |n: usize| format!("2031-{:02}-{:02}", 1 + n / 28, 1 + n % 28);
    let lists: Vec<Person> = (0..3)
        .map(|list| {
            let items: Vec<Value> = (1..=300)
                .filter(|n| n % 3 == list)
                .map(|n| due(&text(n), &day(n)))
                .collect();
            anna(stage, &list.to_string(), json!(items))
        })
        .collect();
    lists.into_iter().next().expect("the first list")
}

/// Goes down from the row that has the focus to the last one, and from there to the button below.
fn press_load_more(stage: &Stage, work: &Control<'_>, rows: usize) {
    for _ in 1..rows {
        stage.browser.press(Keys::Down);
    }
    stage.browser.press(Keys::Tab);
    stage.browser.press(Keys::Tab);
    work.until("__probe.active() === 'button Load more'");
    stage.browser.press(Keys::Enter);
}

fn focus_is_at(work: &Control<'_>, text: &str) {
    work.until(&format!("__probe.focusRow() === '{text}'"));
    work.until("__probe.deepActive().className === 'box'");
}

#[test]
fn three_hundred_items_are_reached_by_the_keyboard_and_none_is_there_twice() {
    let stage = stage();
    let first = three_hundred(&stage);
    let work = worklist(&stage, "limit='100'");
    work.until(&format!("{COUNT} === 100"));
    stage.browser.press(Keys::Tab);
    focus_is_at(&work, "Item 001");
    press_load_more(&stage, &work, 100);
    work.until(&format!("{COUNT} === 200"));
    focus_is_at(&work, "Item 101");
    // It moves behind all others, where it is found again.
    first.change("Item 051", json!({ "Due": "2031-12-28" }));
    press_load_more(&stage, &work, 100);
    work.until(&format!("{COUNT} === 300"));
    focus_is_at(&work, "Item 201");
    press_load_more(&stage, &work, 100);
    // Nothing is new on the last page: the focus stays at the end of the list.
    work.until("!__probe.buttons(§).includes('Load more')");
    focus_is_at(&work, "Item 300");
    let texts = work.value("new Set(__probe.rows(§).map((row) => row.Text)).size");
    assert_eq!((texts, work.value(COUNT)), (json!(300), json!(300)));
    stage.browser.press(Keys::Space);
    work.until("__probe.said(§).includes('Checked.')");
    focus_is_at(&work, "Item 300");
    assert_eq!(first.list().status("Item 300"), "Done");
    stage.browser.is_untroubled();
}
