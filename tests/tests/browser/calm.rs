//! What others do is drawn calmly: a sign at the row for a moment, few drawings a second, and
//! nothing that moves under the pointer.
//! Part of the program `browser`; a colleague works through the API beside the page.

use checklist_tests::browser::{Control, Stage};
use checklist_tests::template::item;
use serde_json::json;

fn long() -> Stage {
    Stage::with((0..40).map(|n| item(&format!("k{n}"), &format!("Item {n}"))))
}

fn shown(stage: &Stage) -> Control<'_> {
    let control = stage.control("");
    control.shows_item("Item 39");
    // What others do is told from here on.
    stage.bob().tick("Item 39");
    control.becomes_checked("Item 39", true);
    control
}

/// What a row says of somebody else, and whether that can be seen.
fn just(text: &str) -> String {
    format!(
        "(() => {{ const just = __probe.row(§, {})?.querySelector('[part=just]');\
         return just && __probe.seen(just) ? just.textContent : ''; }})()",
        json!(text)
    )
}

#[test]
fn a_row_that_somebody_else_has_just_ticked_says_who_for_a_moment() {
    let stage = long();
    let control = shown(&stage);
    stage.bob().tick("Item 1");
    control.until(&format!(
        "{} === 'Bob Backoffice checked this just now'",
        just("Item 1")
    ));
    stage.bob().reword("Item 2", "Item two");
    control.until(&format!(
        "{} === 'Bob Backoffice changed this just now'",
        just("Item two")
    ));
    assert_eq!(
        control.value("__probe.row(§, 'Item 1').querySelector('[part=just]')?.getAttribute('aria-hidden') ?? 'true'"),
        json!("true"),
        "who listens is told once, in order"
    );
    control.until(&format!("{} === ''", just("Item 1")));
    control.until("!__probe.root(§).querySelector('[part=just], .fresh')");
    control.tick("Item 3");
    control.settles();
    assert_eq!(
        control.value(&just("Item 3")),
        json!(""),
        "that was this person"
    );
    stage.browser.is_untroubled();
}

#[test]
fn whoever_wants_no_motion_reads_the_same_and_sees_none() {
    let stage = long();
    stage.browser.prefer_reduced_motion();
    let control = shown(&stage);
    stage.bob().tick("Item 1");
    control.becomes_checked("Item 1", true);
    control.until("__probe.row(§, 'Item 1').matches('.fresh')");
    assert_eq!(
        control.value(&just("Item 1")),
        json!("Bob Backoffice checked this just now")
    );
    let motion = control.value(
        "[__probe.row(§, 'Item 1'), __probe.row(§, 'Item 1').querySelector('[part=just]')].map((one) => getComputedStyle(one).animationName)",
    );
    assert_eq!(motion, json!(["none", "none"]));
}

#[test]
fn the_row_under_the_pointer_stays_where_it_is_while_rows_above_it_grow_and_come() {
    let stage = long();
    let control = shown(&stage);
    // Somewhere in the middle of the page, so that there is room to both sides.
    stage.browser.value("scrollTo(0, 600)");
    stage
        .browser
        .point_at("__probe.checkbox('#list', 'Item 20')");
    let row = "__probe.row(§, 'Item 20')";
    control.until(&format!("{row}.matches(':hover')"));
    let top = format!("Math.round({row}.getBoundingClientRect().top)");
    let before = control.value(&top);
    let bob = stage.bob();
    let ids: Vec<String> = (0..10).map(|n| bob.id(&format!("Item {n}"))).collect();
    let all: Vec<_> = ids
        .iter()
        .map(|id| json!({ "Id": id, "Status": "Done", "Note": "so that the row grows" }))
        .collect();
    bob.update(json!(all));
    control.becomes_checked("Item 9", true);
    assert_eq!(control.value(&top), before);
    bob.add_items(json!([{ "Text": "In front", "BeforeId": ids[0] }]));
    control.shows_item("In front");
    assert_eq!(control.value(&top), before);
    stage.browser.is_untroubled();
}

#[test]
fn a_storm_of_changes_is_drawn_a_few_times_a_second() {
    let stage = long();
    let control = shown(&stage);
    control.value(
        "(() => { window.__drawn = []; const list = __probe.root(§).querySelector('.groups');\
         new MutationObserver(() => __drawn.push(performance.now())).observe(list, { subtree: true, childList: true, attributes: true, characterData: true });\
         return true; })()",
    );
    let bob = stage.bob();
    let ids: Vec<String> = (0..30).map(|n| bob.id(&format!("Item {n}"))).collect();
    for round in 0..6 {
        let status = if round % 2 == 0 { "Done" } else { "Open" };
        for id in &ids {
            bob.update(json!([{ "Id": id, "Status": status }]));
        }
    }
    bob.tick("Item 30");
    control.becomes_checked("Item 30", true);
    // Marks that fade come and go between; what is counted is drawings in a short time.
    let drawn = control.value("__drawn");
    let moments: Vec<f64> = drawn
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_f64)
        .collect();
    let length = moments.last().unwrap_or(&0.0) - moments.first().unwrap_or(&0.0);
    let most = length / 250.0 * 2.0 + 4.0;
    assert!(
        (moments.len() as f64) <= most,
        "{} drawings in {length} ms",
        moments.len()
    );
}
