//! No item is ticked by accident: by a finger that scrolls, a pointer that is dragged, a text that
//! is selected. What is meant as a tick is one.
//!
//! Real touches and a real mouse, at the places where the boxes and texts are.

use checklist_tests::browser::{Control, Engine, Pointer, Stage};
use checklist_tests::template::item;
use serde_json::json;

fn stage() -> Stage {
    Stage::with((0..30).map(|n| item(&format!("k{n}"), &format!("Item number {n}"))))
}

fn box_of(text: &str) -> String {
    format!("__probe.checkbox('#list', '{text}')")
}

fn label_of(text: &str) -> String {
    format!("__probe.row('#list', '{text}').querySelector('label')")
}

#[track_caller]
fn nothing_is_ticked(stage: &Stage, control: &Control<'_>) {
    assert_eq!(
        control.value("__probe.rows(§).filter((row) => row.Checked).length"),
        json!(0)
    );
    assert_eq!(control.property("pendingCount"), json!(0));
    assert_eq!(stage.bob().list().revision(), 0);
}

#[test]
fn a_finger_that_scrolls_over_boxes_and_texts_ticks_nothing_and_one_that_taps_does() {
    let stage = stage();
    if stage.browser.engine() == Engine::Chromium {
        stage.browser.touch();
    }
    stage.browser.resize(500, 500);
    let control = stage.control("");
    control.shows_item("Item number 29");
    stage.browser.value(
        "(window.moves = 0, ['pointermove', 'touchmove'].forEach((type) => addEventListener(type, () => { window.moves += 1; }, true)),\
          window.ends = 0, ['pointerup', 'pointercancel'].forEach((type) => addEventListener(type, () => { window.ends += 1; }, true)))",
    );
    for (round, from) in [box_of("Item number 5"), label_of("Item number 6")]
        .iter()
        .enumerate()
    {
        stage.browser.value("(scrollTo(0, 0), true)");
        let start = stage.browser.middle_of(from);
        let way: Vec<_> = (0..12)
            .map(|step| start.moved(0.0, -15.0 * f64::from(step)))
            .collect();
        stage.browser.drag(Pointer::Finger, &way);
        stage.browser.until(&format!("moves > 0 && ends > {round}"));
        if stage.browser.engine() == Engine::Chromium {
            stage.browser.until("scrollY > 0");
        }
        nothing_is_ticked(&stage, &control);
    }
    // A page that still glides stops at the first touch, which then is no tap.
    stage.browser.value(
        "(window.moved = performance.now(), addEventListener('scroll', () => { window.moved = performance.now(); }, true), true)",
    );
    stage.browser.until("performance.now() - moved > 400");
    // Where the page has come to, because a browser that scrolls on another thread may stay there.
    let in_sight = control.value(
        "__probe.rows(§).map((row) => row.Text).filter((text) => { \
           const { top, bottom } = __probe.row(§, text).getBoundingClientRect(); \
           return top > 40 && bottom < innerHeight - 40; })",
    );
    let text = |number: usize| {
        in_sight[number]
            .as_str()
            .expect("a row in sight")
            .to_owned()
    };
    stage
        .browser
        .tap(stage.browser.middle_of(&box_of(&text(0))));
    control.becomes_checked(&text(0), true);
    stage
        .browser
        .tap(stage.browser.middle_of(&label_of(&text(1))));
    control.becomes_checked(&text(1), true);
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn a_mouse_that_is_let_go_elsewhere_ticks_nothing() {
    let stage = stage();
    let control = stage.control("");
    control.shows_item("Item number 29");
    for (from, to) in [
        (box_of("Item number 1"), box_of("Item number 3")),
        (box_of("Item number 1"), label_of("Item number 1")),
        (label_of("Item number 2"), label_of("Item number 4")),
        (
            label_of("Item number 2"),
            "document.querySelector('h1')".to_owned(),
        ),
    ] {
        let start = stage.browser.middle_of(&from);
        let end = stage.browser.middle_of(&to);
        let half = start.moved((end.x - start.x) / 2.0, (end.y - start.y) / 2.0);
        stage.browser.drag(Pointer::Mouse, &[start, half, end]);
        nothing_is_ticked(&stage, &control);
        stage
            .browser
            .value("(getSelection().removeAllRanges(), true)");
    }
    control.tick("Item number 1");
    control.becomes_checked("Item number 1", true);
    stage.browser.is_untroubled();
}

#[test]
fn a_text_that_is_selected_with_the_mouse_is_not_ticked() {
    let stage = stage();
    let control = stage.control("");
    control.shows_item("Item number 29");
    let (left, right) = {
        let text = "__probe.row('#list', 'Item number 2').querySelector('bdi')";
        let middle = stage.browser.middle_of(text);
        let width = stage
            .browser
            .value(&format!("{text}.getBoundingClientRect().width"));
        let half = width.as_f64().expect("a width") / 2.0;
        (middle.moved(2.0 - half, 0.0), middle.moved(half - 2.0, 0.0))
    };
    stage
        .browser
        .drag(Pointer::Mouse, &[left, left.moved(20.0, 0.0), right]);
    // WebKit selects no text of a label, and would take the drag for a click on it.
    if stage.browser.engine() != Engine::WebKit {
        stage.browser.until(
            "(__probe.root('#list').getSelection?.() ?? getSelection()).toString().length > 5",
        );
    }
    nothing_is_ticked(&stage, &control);
    // A click on a text is a tick, as on any label.
    stage.browser.click(&label_of("Item number 4"));
    control.becomes_checked("Item number 4", true);
    control.settles();
    stage.browser.is_untroubled();
}
