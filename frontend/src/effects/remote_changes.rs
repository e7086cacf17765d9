//! Renders other people's changes without disturbing the person: a few times a second, with a mark for
//! a moment at each changed row.
//!
//! The row under the pointer, else the one with the focus, keeps its position on the screen when
//! rows above it grow, appear or disappear (scroll anchoring).

use checklist_shared::ItemId;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, ShadowRoot};

use super::controller::Controller;
use super::deferred::DeferredCall;
use crate::browser;
use crate::drawing::draw_due;
use crate::lazy;
use crate::model::list::DirtyRows;

/// Milliseconds between two drawings of what others do.
const FRAME: i64 = 250;

impl Controller {
    /// Applies a change from the live stream, at once or together with those that follow the last
    /// one closely.
    pub fn receive_change(&self, change: &JsValue) {
        let runtime = self.runtime();
        let waiting = runtime.received_changes.borrow().len();
        runtime.received_changes.borrow_mut().push(change.clone());
        if waiting > 0 {
            return;
        }
        let since = browser::now() - runtime.drawn_at.get();
        // A clock that was put back says nothing.
        if (0..FRAME).contains(&since) {
            let controller = *self;
            let act = move || controller.do_late(DeferredCall::Heard);
            browser::set_timeout((FRAME - since) as u32, Box::new(act));
        } else {
            self.do_late(DeferredCall::Heard);
        }
        // What others do waits for no idle moment.
        lazy::fetch();
    }

    pub(super) fn take_heard(&self) {
        let runtime = self.runtime();
        let received_changes = runtime.received_changes.take();
        if received_changes.is_empty() {
            return;
        }
        runtime.drawn_at.set(browser::now());
        let held = self.anchor_row();
        for change in &received_changes {
            self.take_change(change);
        }
        if let Some((element, top)) = held {
            draw_due();
            let moved = top_edge(&element) - top;
            if element.is_connected() && moved.abs() >= 1.0 {
                browser::scroll_by(moved);
            }
        }
    }

    /// The row that the person is at, and where it is on the screen.
    fn anchor_row(&self) -> Option<(HtmlElement, f64)> {
        let row = self
            .row_that(":hover")
            .or_else(|| self.row_that(":focus-within"))?;
        let top = top_edge(&row);
        (top >= 0.0 && top < browser::height()).then_some((row, top))
    }

    /// The row that is in such a state, which all elements around it share. Looked for from the
    /// outside in: a selector would have the browser look through every row of a long list.
    fn row_that(&self, state: &str) -> Option<HtmlElement> {
        // Never beside the root: another control may stand there.
        let mut here = self.root()?.first_element_child();
        while let Some(element) = here {
            if element.matches(state) != Ok(true) {
                here = element.next_element_sibling();
            } else if element.class_list().contains("row") {
                return element.dyn_into().ok();
            } else {
                here = element.first_element_child();
            }
        }
        None
    }

    /// Renders other people's changes without moving the focused row.
    pub(crate) fn draw_calmly(&self, affected: &DirtyRows) {
        let focused = self.focused_element().map(|element| {
            let row = element.closest("[data-id]").ok().flatten();
            let row: Option<ItemId> =
                row.and_then(|row| row.get_attribute("data-id")?.parse().ok());
            (element, row, row.and_then(|row| self.neighbor_drawn(row)))
        });
        self.draw(affected);
        if let Some((element, row, next)) = focused {
            let controller = *self;
            let act = move || controller.keep_focus(&element, row, next);
            browser::set_timeout(0, Box::new(act));
        }
    }

    /// The row after a row that is on the screen, else the one before.
    fn neighbor_drawn(&self, id: ItemId) -> Option<ItemId> {
        self.screen().groups.with_untracked(|groups| {
            let rows: Vec<ItemId> = groups.iter().flat_map(|(_, rows)| rows).copied().collect();
            let at = rows.iter().position(|row| *row == id)?;
            let before = || rows.get(at.checked_sub(1)?);
            rows.get(at + 1).or_else(before).copied()
        })
    }

    /// The row that has the focus.
    pub(crate) fn focused_row(&self) -> Option<ItemId> {
        let row = self
            .focused_element()?
            .closest(".row[data-id]")
            .ok()
            .flatten()?;
        row.get_attribute("data-id")?.parse().ok()
    }

    /// The focused element inside the control.
    pub(super) fn focused_element(&self) -> Option<HtmlElement> {
        let root = self.root()?;
        let active = match root.get_root_node().dyn_into::<ShadowRoot>() {
            Ok(shadow) => shadow.active_element(),
            Err(_) => active_element(),
        };
        let inside = active.filter(|active| root.contains(Some(active)))?;
        inside.dyn_into().ok()
    }

    /// Moving an element takes its focus, deleting it does too.
    fn keep_focus(&self, element: &HtmlElement, row: Option<ItemId>, next: Option<ItemId>) {
        if self.focused_element().is_some() || is_focus_elsewhere() {
            return;
        }
        if element.is_connected() {
            let _ = element.focus();
        } else if let Some(row) = row.filter(|row| self.screen().row(*row).is_some()) {
            self.focus_row(row);
        } else if let Some(next) = next {
            self.focus_row(next);
        }
    }
}

/// Whether the person has gone elsewhere on the page meanwhile.
pub(super) fn is_focus_elsewhere() -> bool {
    active_element().is_some_and(|active| active.local_name() != "body")
}

fn active_element() -> Option<Element> {
    web_sys::window()?.document()?.active_element()
}

fn top_edge(element: &Element) -> f64 {
    element.get_bounding_client_rect().top()
}
