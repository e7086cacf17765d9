//! Keeps the focus when rows disappear, appear or move.
//!
//! A row is found by its `data-id`. The focus is set after rendering, because the row may be
//! another element by then.

use checklist_shared::ItemId;
use wasm_bindgen::JsCast;
use web_sys::{
    DocumentFragment, Event, HtmlElement, HtmlTextAreaElement, ScrollIntoViewOptions,
    ScrollLogicalPosition,
};

use super::controller::Controller;
use crate::browser;
use crate::drawing::draw_due;

/// What of a row takes the focus: the box, else its first button, else an open field.
const IN_ROW: &str = ".box, .actions button, input, textarea";

impl Controller {
    /// The first element inside the control that fits.
    pub(crate) fn find(&self, selector: &str) -> Option<HtmlElement> {
        let root = self.root()?;
        root.query_selector(selector)
            .ok()
            .flatten()?
            .dyn_into()
            .ok()
    }

    /// The row's element. Found by an id inside it: a selector would have the browser look through
    /// every row of a long list.
    pub(crate) fn row_element(&self, id: ItemId) -> Option<HtmlElement> {
        let root = self.root()?;
        let top = root.get_root_node();
        let id = id.to_text();
        // What a shadow root and a document have alike.
        let inside = top
            .unchecked_ref::<DocumentFragment>()
            .get_element_by_id(&["m-", &id].concat())
            .filter(|inside| root.contains(Some(inside)));
        match inside {
            Some(inside) => inside.closest("[data-id]").ok().flatten()?.dyn_into().ok(),
            // A section, or the same list twice on a page.
            None => self.find(&["[data-id=\"", &id, "\"]"].concat()),
        }
    }

    /// The item of the row that an event came from.
    #[must_use]
    pub(crate) fn row_of_event(&self, event: &Event) -> Option<ItemId> {
        let element = browser::origin(event)?
            .closest("[data-id]")
            .ok()
            .flatten()?;
        let id = element.get_attribute("data-id")?.parse().ok()?;
        self.row(id, |_| id)
    }

    /// Focuses a row, once it is drawn.
    pub(crate) fn focus_row(&self, id: ItemId) {
        self.focus_in_row(id, IN_ROW);
    }

    /// Focuses a row at once, if it is rendered: holding a key down must not lose a press.
    pub(crate) fn focus_row_now(&self, id: ItemId) {
        draw_due();
        let row = self.row_element(id);
        let target = row.and_then(|row| row.query_selector(IN_ROW).ok().flatten());
        match target {
            Some(target) => focus(target.dyn_into().ok()),
            None => self.focus_row(id),
        }
    }

    /// Focuses something in a row, once it is drawn; else the row's usual place.
    pub(crate) fn focus_in_row(&self, id: ItemId, selector: &'static str) {
        self.reveal(id);
        self.reach(id);
        let controller = *self;
        let act = move || {
            let Some(row) = controller.row_element(id) else {
                return;
            };
            let target = row.query_selector(selector).ok().flatten();
            let target = target.or_else(|| row.query_selector(IN_ROW).ok().flatten());
            focus(target.and_then(|target| target.dyn_into().ok()));
        };
        browser::set_timeout(0, Box::new(act));
    }

    /// Scrolls a row clear of sticky bars over the list, once they are rendered.
    pub(crate) fn keep_in_sight(&self, id: ItemId) {
        let controller = *self;
        let act = move || {
            draw_due();
            let bar = controller.find(".selection");
            let (Some(row), Some(bar)) = (controller.row_element(id), bar) else {
                return;
            };
            let (area, over) = (
                row.get_bounding_client_rect(),
                bar.get_bounding_client_rect(),
            );
            if area.bottom() > over.top() && area.top() < over.bottom() {
                let options = ScrollIntoViewOptions::new();
                options.set_block(ScrollLogicalPosition::Nearest);
                row.scroll_into_view_with_scroll_into_view_options(&options);
            }
        };
        browser::set_timeout(0, Box::new(act));
    }

    /// Focuses what fits first, once it is drawn.
    pub(crate) fn focus_on(&self, selector: &'static str) {
        // At once where it is there already: whoever types on must not lose a letter.
        draw_due();
        if let Some(element) = self.find(selector) {
            focus(Some(element));
            return;
        }
        let controller = *self;
        browser::set_timeout(0, Box::new(move || focus(controller.find(selector))));
    }

    /// Closes a compact control's list and goes back to its line; `false` where none is open.
    pub(crate) fn close_line(&self) -> bool {
        let open = self.mode().compact && self.card(|card| card.opened);
        if open {
            self.show(|card| card.opened = false);
            self.focus_on(".compact");
        }
        open
    }

    /// Focuses the first item that is still open, else the first thing that can be focused.
    pub fn focus_first_open(&self) {
        if self.mode().compact && !self.card(|card| card.opened) {
            self.show(|card| card.opened = true);
        }
        match self.first_open() {
            Some(id) => self.focus_row(id),
            None => self.focus_on("button, input, textarea"),
        }
    }

    /// Draws the first item that is still open at once, if it is not drawn yet: a form is about to
    /// point at it.
    pub fn reach_first_open(&self) {
        if let Some(id) = self.first_open() {
            self.reveal(id);
            self.reach(id);
            draw_due();
        }
    }

    fn first_open(&self) -> Option<ItemId> {
        self.with_state(|state| state.blockers().first().map(|(id, _)| *id))
    }
}

fn focus(element: Option<HtmlElement>) {
    let Some(element) = element else { return };
    let _ = element.focus();
    // Whoever goes on writing goes on at the end.
    if let Some(area) = element.dyn_ref::<HtmlTextAreaElement>() {
        let end = area.text_length();
        let _ = area.set_selection_range(end, end);
    }
}
