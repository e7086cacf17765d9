//! The gate that explains itself: a form that is refused because of a list says what is still
//! open, takes the person to the first of it, and says the same to those who listen.
//! Part of the program `browser`; `docs/BROWSERS.md` names the demands that it holds.

use checklist_tests::browser::{Control, Keys, Stage};
use checklist_tests::template::item;
use serde_json::json;

/// Counts what is submitted, and lays a bar over the head of the page that stays when it is scrolled.
const PAGE: &str = "window.sent = 0; addEventListener('submit', (event) => { event.preventDefault(); sent += 1; });\
    addEventListener('DOMContentLoaded', () => { const bar = document.querySelector('#bar'); if (bar) Object.assign(bar.style,\
      { position: 'fixed', insetInline: 0, insetBlockStart: 0, blockSize: '64px', background: 'silver', zIndex: 1 }); });";

/// As pages are whose browser always has something else to do: rows far down are not drawn.
const BUSY: &str = "window.requestIdleCallback = () => 0;";

fn items(count: usize) -> Stage {
    Stage::with((1..=count).map(|n| item(&format!("k{n}"), &format!("Item {n}"))))
}

/// A form with a required list and a button.
fn form<'a>(stage: &'a Stage, attributes: &str, script: &str) -> Control<'a> {
    let bound = stage.bound_to("1");
    stage.open_with_script(
        &format!(
            "<div id='bar'></div><form id='form'><checklist-control id='list' name='list' required {bound} {attributes}>\
             </checklist-control><button id='send'>Send</button></form>"
        ),
        &[PAGE, script].concat(),
    );
    let control = stage.browser.control("#list");
    control.until("document.querySelector(§).state === 'Open'");
    control
}

fn submit(stage: &Stage) {
    stage.browser.click("document.querySelector('#send')");
}

/// What is read out after the name of whatever has the focus.
const DESCRIPTION: &str = "(() => { const at = __probe.deepActive(); return (at.getAttribute('aria-describedby') ?? '')\
    .split(' ').map((id) => at.getRootNode().getElementById(id)?.textContent.trim()).join('|'); })()";

/// Whether nothing lies over whatever has the focus.
const SEEN: &str = "(() => { const at = __probe.deepActive(); const box = at.getBoundingClientRect();\
    const hit = at.getRootNode().elementFromPoint(box.left + box.width / 2, box.top + Math.min(12, box.height / 2));\
    return at === hit || at.contains(hit); })()";

#[test]
fn the_message_names_the_first_three_and_how_many_more() {
    let stage = items(7);
    let control = form(&stage, "", "");
    control.shows_item("Item 7");
    let message = "7 items still open: Item 1; Item 2; Item 3 and 4 more";
    assert_eq!(control.property("validationMessage"), json!(message));
    control.says(message);
    let blockers = control.property("blockers.map(({ Text }) => Text)");
    assert_eq!(blockers.as_array().map(Vec::len), Some(7));
    assert_eq!(blockers[0], "Item 1");
    control.tick("Item 1");
    control.until("document.querySelector(§).validationMessage.startsWith('6 items still open: Item 2; Item 3; Item 4 and 3')");
}

#[test]
fn a_refused_form_takes_the_keyboard_to_the_first_open_item_and_says_why_there() {
    let stage = items(3);
    stage.bob().tick("Item 1");
    let control = form(&stage, "", "");
    control.shows_item("Item 3");
    stage
        .browser
        .value("document.querySelector('#send').focus()");
    stage.browser.press(Keys::Enter);
    control.becomes("user-invalid");
    stage.browser.until("__probe.focusRow() === 'Item 2'");
    let why = "2 items still open: Item 2; Item 3";
    stage
        .browser
        .until(&format!("{DESCRIPTION}.endsWith({})", json!(why)));
    let at = "__probe.deepActive()";
    assert_eq!(
        stage
            .browser
            .value(&format!("{at}.getAttribute('aria-invalid')")),
        json!("true")
    );
    assert_eq!(
        stage.browser.value(&format!(
            "{at}.getRootNode().getElementById({at}.getAttribute('aria-errormessage')).textContent"
        )),
        json!(why)
    );
    stage
        .browser
        .is_accessible("#list", "a form that was refused");
    stage.browser.press(Keys::Space);
    control.becomes_checked("Item 2", true);
    control.until("__probe.checkbox(§, 'Item 3').getAttribute('aria-invalid') === 'true'");
    control.until("!__probe.checkbox(§, 'Item 2').hasAttribute('aria-invalid')");
    assert_eq!(
        control.value(
            "__probe.checkbox(§, 'Item 2').getAttribute('aria-describedby').split(' ').length"
        ),
        json!(1),
        "what is done needs no explanation any more"
    );
    control.tick("Item 3");
    control.becomes_completed();
    control.until("!__probe.root(§).querySelector('[aria-invalid], [aria-errormessage]')");
    submit(&stage);
    stage.browser.until("sent === 1");
    stage.browser.is_untroubled();
}

#[test]
fn nothing_is_called_wrong_before_somebody_has_tried_to_submit() {
    let stage = items(2);
    let control = form(&stage, "", "");
    control.shows_item("Item 2");
    assert!(!control.is("user-invalid"));
    assert_eq!(
        control.value("__probe.root(§).querySelectorAll('[aria-invalid]').length"),
        json!(0)
    );
}

#[test]
fn an_open_item_far_down_a_long_list_is_drawn_and_clear_of_a_bar_over_the_page() {
    let stage =
        Stage::with_a_long_list((0..300).map(|n| item(&format!("k{n}"), &format!("Item {n}"))));
    let bob = stage.bob();
    let ids: Vec<String> = bob.list().ids().iter().map(|&id| id.to_owned()).collect();
    let done: Vec<_> = ids[..200]
        .iter()
        .map(|id| json!({ "Id": id, "Status": "Done" }))
        .collect();
    bob.update(json!(done));
    let control = form(&stage, "", BUSY);
    control.shows_item("Item 0");
    assert_eq!(
        control.value("!!__probe.row(§, 'Item 200')"),
        json!(false),
        "the row is drawn already, so this proves nothing"
    );
    // By the page's own script: nothing is drawn in between by itself.
    stage
        .browser
        .value("document.querySelector('#form').requestSubmit()");
    stage.browser.until("__probe.focusRow() === 'Item 200'");
    stage.browser.until(SEEN);
    assert_eq!(stage.browser.value("sent"), json!(0));
    // From below, the item would come to rest right under the bar.
    stage.browser.value(
        "(document.querySelector('#send').focus(), scrollTo(0, document.body.scrollHeight))",
    );
    stage.browser.press(Keys::Enter);
    stage.browser.until("__probe.focusRow() === 'Item 200'");
    stage.browser.until(SEEN);
    stage.browser.is_untroubled();
}

#[test]
fn without_boxes_the_way_leads_to_the_row_and_the_sentence_is_read_there() {
    let stage = items(3);
    stage.bob().tick("Item 1");
    for attributes in ["disable-check", "disable-check disable-edit"] {
        let control = form(&stage, attributes, "");
        control.shows_item("Item 3");
        submit(&stage);
        control.becomes("user-invalid");
        stage.browser.until("__probe.focusRow() === 'Item 2'");
        stage.browser.until(SEEN);
        stage.browser.until(&format!(
            "{DESCRIPTION}.endsWith('2 items still open: Item 2; Item 3')"
        ));
        assert_eq!(stage.browser.value("sent"), json!(0));
        stage.browser.is_accessible("#list", attributes);
        stage.browser.is_untroubled();
    }
}

#[test]
fn a_read_only_list_hinders_no_form_but_goes_on_saying_what_is_open() {
    let stage = items(2);
    let control = form(&stage, "readonly", "");
    control.says("2 items still open: Item 1; Item 2");
    assert_eq!(control.property("willValidate"), json!(false));
    control.click("Show first open item");
    stage.browser.until("__probe.focusRow() === 'Item 1'");
    submit(&stage);
    stage.browser.until("sent === 1");
    stage.browser.is_untroubled();
}
