//! Scrolls during a drag near an edge: the scroll containers around the list, or the page.
//!
//! The innermost container that can still scroll goes first, also across shadow roots, because a list
//! may be in a scroll container of its host.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ShadowRoot};

use crate::browser;

/// CSS pixels from an edge within which it scrolls.
const EDGE: f64 = 56.0;
/// CSS pixels that it scrolls at once, at the very edge.
const SPEED: f64 = 16.0;

/// Scrolls the innermost box around the list that can, else the page, where a pointer at that
/// height is near its edge.
pub fn scroll_near(root: &Element, y: f64) -> bool {
    let mut around = parent_of(root);
    while let Some(element) = around {
        if scrolls(&element) {
            let area = element.get_bounding_client_rect();
            let (top, bottom) = (area.top().max(0.0), area.bottom().min(browser::height()));
            let before = element.scroll_top();
            element.set_scroll_top(before + step(y, top, bottom) as i32);
            if element.scroll_top() != before {
                return true;
            }
        }
        around = parent_of(&element);
    }
    let by = step(y, 0.0, browser::height());
    if by != 0.0 {
        browser::scroll_by(by);
    }
    by != 0.0
}

/// How far it scrolls at once: the nearer to the edge, the faster.
fn step(y: f64, top: f64, bottom: f64) -> f64 {
    let depth = |from_edge: f64| ((EDGE - from_edge) / EDGE).clamp(0.0, 1.0);
    let by = depth(bottom - y) - depth(y - top);
    (by * SPEED).round()
}

fn scrolls(element: &HtmlElement) -> bool {
    let style = web_sys::window().and_then(|window| window.get_computed_style(element).ok()?);
    let overflow = style.and_then(|style| style.get_property_value("overflow-y").ok());
    let can = matches!(overflow.as_deref(), Some("auto" | "scroll"));
    can && element.scroll_height() > element.client_height()
}

/// The element around an element, through shadow roots; not the page itself.
fn parent_of(element: &Element) -> Option<HtmlElement> {
    let parent = match element.parent_element() {
        Some(parent) => parent,
        None => element
            .get_root_node()
            .dyn_into::<ShadowRoot>()
            .ok()?
            .host(),
    };
    let is_page = matches!(parent.local_name().as_str(), "body" | "html");
    parent.dyn_into().ok().filter(|_| !is_page)
}
