//! What others do is drawn calmly: a few times a second, with a sign for a moment at each row that
//! they have changed, and without moving what the person is at.
//!
//! The row under the pointer, else the one with the focus, stays where it is on the screen when
//! rows above it grow, come or go. Called by the element's handle, and by `live`.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement};

use super::Controller;
use super::screen::Fresh;
use crate::browser;
use crate::drawing::draw_due;
use crate::state::served::ServedItem;
use checklist_shared::item::{ActorKind, Status};

/// Milliseconds between two drawings of what others do.
const FRAME: i64 = 250;

/// Milliseconds for which a row shows what somebody has just done; the style sheet fades it.
const SHOWN: u32 = 5_000;

/// What is older by the clock of this machine is not called "just now", in milliseconds.
const RECENT: i64 = 120_000;

impl Controller {
    /// Takes in a change of the list that the stream has told, at once or with those that come
    /// right behind the last one.
    pub fn heard(&self, change: &JsValue) {
        let inner = self.inner();
        let waiting = inner.heard.borrow().len();
        inner.heard.borrow_mut().push(change.clone());
        if waiting > 0 {
            return;
        }
        let since = browser::now() - inner.drawn_at.get();
        // A clock that was put back says nothing.
        if (0..FRAME).contains(&since) {
            let controller = *self;
            let act = move || controller.take_heard();
            browser::later((FRAME - since) as u32, Box::new(act));
        } else {
            self.take_heard();
        }
    }

    fn take_heard(&self) {
        let inner = self.inner();
        let heard = inner.heard.take();
        if heard.is_empty() {
            return;
        }
        inner.drawn_at.set(browser::now());
        let held = self.held_still();
        for change in &heard {
            self.take_change(change);
        }
        if let Some((element, top)) = held {
            draw_due();
            let moved = top_of(&element) - top;
            if element.is_connected() && moved.abs() >= 1.0 {
                browser::scroll_by(moved);
            }
        }
    }

    /// The row that the person is at, and where it is on the screen.
    fn held_still(&self) -> Option<(HtmlElement, f64)> {
        let row = self
            .row_that(":hover")
            .or_else(|| self.row_that(":focus-within"))?;
        let top = top_of(&row);
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

    /// Notes at each row who else has just changed it.
    pub(super) fn mark_fresh(&self, items: &[ServedItem]) {
        let inner = self.inner();
        let news = inner.news.get().wrapping_add(1);
        inner.news.set(news);
        let (me, edited) = (
            self.with_state(|state| state.me.clone()),
            self.screen().edited(),
        );
        let mut marked = Vec::new();
        for item in items.iter().map(|served| &served.item) {
            let by = &item.modified_by;
            let others =
                by.kind == ActorKind::Person && !by.is_same(&me) && !edited.contains(&item.id);
            if !others || browser::now() - item.modified_at.as_millis() > RECENT {
                continue;
            }
            let fresh = Fresh {
                who: by.name.clone(),
                checked: item.status == Status::Done && item.status_at == Some(item.modified_at),
                news,
            };
            // Drawn with the change itself.
            if let Some(row) = self.screen().row(item.id) {
                row.update_untracked(|row| row.fresh = Some(fresh));
                marked.push(item.id);
            }
        }
        if marked.is_empty() {
            return;
        }
        let controller = *self;
        let over = move || {
            for id in marked {
                let mine = |fresh: &Fresh| fresh.news == news;
                if controller.row(id, |row| row.fresh.as_ref().is_some_and(mine)) == Some(true) {
                    controller.show_row(id, |row| row.fresh = None);
                }
            }
        };
        browser::later(SHOWN, Box::new(over));
    }
}

fn top_of(element: &Element) -> f64 {
    element.get_bounding_client_rect().top()
}
