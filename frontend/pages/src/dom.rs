//! The elements of the page: finding them, and giving them the focus.

use leptos::web_sys::{Document, Element, HtmlElement, NodeList, window};
use wasm_bindgen::JsCast;

/// The document.
#[must_use]
pub fn document() -> Option<Document> {
    window()?.document()
}

/// The element with an id.
#[must_use]
pub fn element(id: &str) -> Option<Element> {
    document()?.get_element_by_id(id)
}

/// The first element that a selector matches.
#[must_use]
pub fn find(selector: &str) -> Option<Element> {
    document()?.query_selector(selector).ok()?
}

/// Gives an element the focus; a fold that it is in is opened.
pub fn focus(element: &Element) {
    if let Ok(Some(fold)) = element.closest("details:not([open])") {
        let _ = fold.set_attribute("open", "");
    }
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Gives an element the focus once it is on the page: `use:focus_when_mounted`.
pub fn focus_when_mounted(element: Element) {
    later(move || focus(&element));
}

/// Gives the title of the page the focus once it is drawn.
pub fn focus_title() {
    later(|| focus_found("main h1"));
}

/// Before something is drawn anew: the title of the page gets the focus if what has it is gone then, and
/// nothing else was given it.
pub fn keep_focus() {
    let focused = || document().and_then(|document| document.active_element());
    let before = focused();
    later(move || {
        let is_gone = before.is_some_and(|before| !before.is_connected());
        if is_gone && focused().is_none_or(|now| now.local_name() == "body") {
            focus_found("main h1");
        }
    });
}

/// Before rows are drawn anew of which some may go: the row that takes the place of the one with the focus
/// gets it then, at the same control, or else the last row.
pub fn keep_place() {
    let focused = || document().and_then(|document| document.active_element());
    let Some(before) = focused() else { return };
    let place = before.closest("tbody tr").ok().flatten().map(|row| {
        let controls = row.query_selector_all(CONTROLS).ok();
        let controls = (0..controls.as_ref().map_or(0, NodeList::length))
            .filter_map(|at| controls.as_ref()?.item(at));
        let control = controls.take_while(|control| !before.is_same_node(Some(control)));
        (rows_before(&row), control.count() as u32)
    });
    later(move || {
        if before.is_connected() || focused().is_some_and(|now| now.local_name() != "body") {
            return;
        }
        let found = place.and_then(|(row, control)| {
            let rows = document()?.query_selector_all("main tbody tr").ok()?;
            let row = rows.item(row.min(rows.length().checked_sub(1)?))?;
            let controls = (row.dyn_ref::<Element>()?.query_selector_all(CONTROLS)).ok()?;
            let found = controls.item(control).or_else(|| controls.item(0))?;
            found.dyn_into::<Element>().ok()
        });
        match found {
            Some(found) => focus(&found),
            None => focus_found("main h1"),
        }
    });
}

/// What of a row can have the focus.
const CONTROLS: &str = "a, button";

fn rows_before(row: &Element) -> u32 {
    std::iter::successors(
        row.previous_element_sibling(),
        Element::previous_element_sibling,
    )
    .count() as u32
}

/// Gives the first field with an error the focus, once the error is drawn.
pub fn focus_first_error() {
    later(|| focus_found("[aria-invalid=true]"));
}

/// Gives the first field of a page that is nothing but a form the focus, once it is drawn.
pub fn focus_first_field() {
    later(|| focus_found("main input"));
}

/// Does something once everything changed so far is drawn.
pub fn later(act: impl FnOnce() + 'static) {
    checklist_control::browser::set_timeout(0, Box::new(act));
}

fn focus_found(selector: &str) {
    if let Some(element) = find(selector) {
        focus(&element);
    }
}
