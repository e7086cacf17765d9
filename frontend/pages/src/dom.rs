//! The elements of the page: finding them, and giving them the focus.

use leptos::web_sys::{Document, Element, HtmlElement, window};
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
