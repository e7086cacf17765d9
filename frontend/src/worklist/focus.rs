//! Where the focus goes in a worklist.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::browser;

/// Gives the focus to what that selector finds inside of an element.
pub(super) fn focus_in(element: &Element, selector: &str) {
    let found = element.query_selector(selector).ok().flatten();
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        let _ = found.focus();
    }
}

/// The same, once what is being drawn is there.
pub(super) fn focus_soon(element: Element, selector: String) {
    browser::set_timeout(0, Box::new(move || focus_in(&element, &selector)));
}

/// A form that has the focus while it is drawn anew has it afterwards too: in that field, if nothing else
/// takes it to another one. `row` is the number of its row.
pub(super) fn keep_in_form(row: u32, selector: &'static str) {
    let editor = focused().and_then(|one| one.closest(".editor").ok().flatten());
    let of_row = ["#c", &row.to_string()].concat();
    let around = editor.and_then(|editor| editor.parent_element());
    let around = around.filter(|around| matches!(around.query_selector(&of_row), Ok(Some(_))));
    let Some(around) = around else { return };
    let focus = move || {
        if focused().is_none_or(|now| !around.contains(Some(&now))) {
            focus_in(&around, selector);
        }
    };
    browser::set_timeout(0, Box::new(focus));
}

/// The element that has the focus, also inside of shadow roots.
fn focused() -> Option<Element> {
    let mut found = web_sys::window()?.document()?.active_element()?;
    while let Some(inner) = found.shadow_root().and_then(|root| root.active_element()) {
        found = inner;
    }
    Some(found)
}
