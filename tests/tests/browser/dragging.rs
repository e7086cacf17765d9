//! Rows are dragged: by a mouse at the handle, by a finger that has rested, in a box that scrolls,
//! in both directions of writing; Escape and Disable Edit leave everything where it is.

use checklist_tests::browser::{Control, Pointer, Spot, Stage};
use checklist_tests::template::{item, section, under};
use serde_json::json;

fn stage(count: usize) -> Stage {
    Stage::with((1..=count).map(|n| item(&format!("k{n}"), &format!("Step {n}"))))
}

fn row(text: &str) -> String {
    format!("__probe.row('#list', '{text}')")
}

fn handle(text: &str) -> String {
    format!("{}.querySelector('.drag')", row(text))
}

/// A place at the upper or lower edge of an element.
fn edge(stage: &Stage, of: &str, is_upper: bool) -> Spot {
    let height = stage
        .browser
        .value(&format!("{of}.getBoundingClientRect().height"));
    let half = height.as_f64().expect("a height") / 2.0 - 4.0;
    let middle = stage.browser.middle_of(of);
    middle.moved(0.0, if is_upper { -half } else { half })
}

fn way(from: Spot, to: Spot) -> [Spot; 4] {
    let part = |n: f64| from.moved((to.x - from.x) * n, (to.y - from.y) * n);
    [from, part(0.4), part(0.8), to]
}

fn drag(stage: &Stage, text: &str, to: Spot) {
    let from = stage.browser.middle_of(&handle(text));
    stage.browser.drag(Pointer::Mouse, &way(from, to));
}

const LINE: &str = "__probe.root(§).querySelector('.drop-line')";

#[track_caller]
fn is_at_rest(control: &Control<'_>) {
    control.until(&format!(
        "{LINE}.hidden && !__probe.root(§).querySelector('.dragging')"
    ));
}

#[test]
fn a_row_is_dragged_by_its_handle_by_one_call_with_one_undo() {
    let stage = stage(4);
    let control = stage.control("");
    control.shows_item("Step 4");
    drag(&stage, "Step 1", edge(&stage, &row("Step 3"), false));
    control.shows(&["Step 2", "Step 3", "Step 1", "Step 4"]);
    is_at_rest(&control);
    control.settles();
    assert_eq!(stage.bob().list().revision(), 1);
    drag(&stage, "Step 4", edge(&stage, &row("Step 2"), true));
    control.shows(&["Step 4", "Step 2", "Step 3", "Step 1"]);
    control.click("Undo");
    control.shows(&["Step 2", "Step 3", "Step 1", "Step 4"]);
    control.settles();
    assert_eq!(
        control.value("__probe.rows(§).filter((row) => row.Checked).length"),
        json!(0)
    );
    stage.browser.is_accessible("#list", "with handles");
    stage.browser.is_untroubled();
}

#[test]
fn a_row_is_dragged_into_another_section() {
    let stage = Stage::with([
        section("first", "First"),
        under("first", item("a", "Ask")),
        section("then", "Then"),
        under("then", item("b", "Build")),
        under("then", item("c", "Close")),
    ]);
    let control = stage.control("");
    control.shows_item("Close");
    drag(&stage, "Close", edge(&stage, &row("Ask"), true));
    control.shows(&["Close", "Ask", "Build"]);
    let heading = "[...__probe.root('#list').querySelectorAll('.section-title')].at(-1)";
    drag(&stage, "Ask", edge(&stage, heading, false));
    control.shows(&["Close", "Ask", "Build"]);
    control.until(&format!("{heading}.textContent.includes('of 2')"));
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn escape_leaves_everything_where_it_is_and_a_line_shows_where_it_would_fall() {
    let stage = stage(4);
    let control = stage.control("");
    control.shows_item("Step 4");
    control.value(&format!(
        "(window.lines = 0, new MutationObserver(() => {{ lines += {LINE}.hidden ? 0 : 1; }}).observe({LINE}, {{ attributes: true }}),\
          addEventListener('pointermove', () => {{ if (lines > 0) dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Escape', cancelable: true }})); }}), true)"
    ));
    drag(&stage, "Step 1", edge(&stage, &row("Step 3"), false));
    control.until("lines > 0");
    is_at_rest(&control);
    control.shows(&["Step 1", "Step 2", "Step 3", "Step 4"]);
    assert_eq!(control.property("pendingCount"), json!(0));
    stage.browser.is_untroubled();
}

#[test]
fn a_finger_that_has_rested_on_a_row_drags_it() {
    let stage = stage(4);
    stage.browser.touch();
    let control = stage.control("");
    control.shows_item("Step 4");
    let text = format!("{}.querySelector('.text')", row("Step 1"));
    let from = stage.browser.middle_of(&text);
    let to = edge(&stage, &row("Step 3"), false);
    stage.browser.press_long(&way(from, to));
    control.shows(&["Step 2", "Step 3", "Step 1", "Step 4"]);
    control.settles();
    assert_eq!(
        control.value("__probe.root(§).querySelector('.selection') === null"),
        json!(true)
    );
    assert_eq!(
        control.value("__probe.rows(§).filter((row) => row.Checked).length"),
        json!(0)
    );
    stage.browser.is_untroubled();
}

#[test]
fn in_a_box_that_scrolls_the_list_follows_the_pointer_also_from_right_to_left() {
    let stage = stage(30);
    let bound = stage.bound_to("1");
    stage.open(&format!(
        "<div id='around' class='around'><checklist-control id='list' lang='ar' {bound}></checklist-control></div>"
    ));
    let control = stage.browser.control("#list");
    control.shows_item("Step 30");
    control.value("((around) => { around.style.overflowY = 'auto'; around.style.height = '300px'; return true; })(document.querySelector('#around'))");
    let from = stage.browser.middle_of(&handle("Step 2"));
    let area = stage.browser.middle_of("document.querySelector('#around')");
    let low = Spot {
        x: area.x,
        y: area.y + 140.0,
    };
    let mut spots = vec![from, low.moved(0.0, -40.0)];
    // It scrolls for as long as the pointer stays near the edge.
    spots.extend((0..60).map(|n| low.moved(f64::from(n % 2), 0.0)));
    stage.browser.drag(Pointer::Mouse, &spots);
    control.until("document.querySelector('#around').scrollTop > 100");
    control.until("__probe.rows(§).findIndex((row) => row.Text === 'Step 2') > 5");
    control.settles();
    stage.browser.is_untroubled();
}

#[test]
fn nothing_is_dragged_where_nothing_may_be_moved() {
    let stage = stage(3);
    let control = stage.control("disable-edit");
    control.shows_item("Step 3");
    assert_eq!(
        control.value("__probe.root(§).querySelector('.drag') === null"),
        json!(true)
    );
    stage.browser.is_untroubled();
}
