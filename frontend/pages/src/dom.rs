//! The elements of the page: finding them, and giving them the focus.

use leptos::web_sys::{Document, Element, HtmlElement, Node, NodeList, window};
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

/// Before rows are drawn anew or more are added: if what has the focus is gone then, and nothing else was
/// given it, the row in its place gets it at the same control (for a button below the rows: the first that
/// was added), or else the last row, or else the title of the page.
pub fn keep_focus() {
    let focused = || document().and_then(|document| document.active_element());
    let Some(before) = focused() else { return };
    let place = place_of(&before);
    later(move || {
        if before.is_connected() || focused().is_some_and(|now| now.local_name() != "body") {
            return;
        }
        let found = place.and_then(|(row, control)| {
            let rows = elements(document()?.query_selector_all(ROWS).ok());
            let row = rows.get(row.min(rows.len().checked_sub(1)?))?;
            let controls = elements(row.query_selector_all(CONTROLS).ok());
            controls.get(control).or_else(|| controls.first()).cloned()
        });
        match found {
            Some(found) => focus(&found),
            None => focus_found("main h1"),
        }
    });
}

/// The rows of the page.
const ROWS: &str = "main tbody tr";
/// What of a row can have the focus.
const CONTROLS: &str = "a, button";

/// How many rows are before an element in a row or below rows, and how many controls of its row.
fn place_of(element: &Element) -> Option<(usize, usize)> {
    element.closest("tbody tr, .more").ok()??;
    let is_before = |other: &Element| {
        // What contains the element comes before it, too.
        element.compare_document_position(other) == Node::DOCUMENT_POSITION_PRECEDING
    };
    let count = |all: Vec<Element>| all.iter().filter(|other| is_before(other)).count();
    let rows = elements(document()?.query_selector_all(ROWS).ok());
    let row = element.closest("tbody tr").ok().flatten();
    let controls = row.and_then(|row| row.query_selector_all(CONTROLS).ok());
    Some((count(rows), count(elements(controls))))
}

fn elements(found: Option<NodeList>) -> Vec<Element> {
    let found = found.iter();
    let nodes = found.flat_map(|found| (0..found.length()).filter_map(|at| found.item(at)));
    nodes.filter_map(|node| node.dyn_into().ok()).collect()
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
