//! The focus inside a menu: arrow keys move between entries, and from the last to the first.

use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement};

use crate::browser;

/// Moves the focus among the menu's items, round and round.
pub(super) fn rove(event: &Event, next: fn(u32, u32) -> u32) {
    let Some(menu) = event
        .current_target()
        .and_then(|menu| menu.dyn_into::<Element>().ok())
    else {
        return;
    };
    let items = menu.children();
    let origin = browser::origin(event);
    let focused = (0..items.length()).find(|at| {
        items
            .item(*at)
            .is_some_and(|item| item.is_same_node(origin.as_ref().map(AsRef::as_ref)))
    });
    let item = focused.and_then(|at| items.item(next(at, items.length())));
    if let Some(item) = item.and_then(|item| item.dyn_into::<HtmlElement>().ok()) {
        let _ = item.focus();
    }
}
