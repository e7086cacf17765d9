//! Keeps what somebody is typing when a page replaces the element: many pages write parts of themselves
//! anew after every save.
//!
//! In memory and once: the next control of the page that shows the same list to the same person takes it.

use std::cell::RefCell;

use checklist_shared::ItemId;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};

use super::controller::Controller;
use super::remote_changes::is_focus_elsewhere;
use crate::browser;
use crate::screen::Row;

/// The most lists whose text is kept; a page replaces few lists at once. The oldest is forgotten.
const MOST: usize = 20;

thread_local! {
    /// By the key of person and list.
    static KEPT: RefCell<Vec<(String, TypedText)>> = const { RefCell::new(Vec::new()) };
}

/// What is open and typed in a control.
struct TypedText {
    /// Where the field for new items is open.
    adding: Option<Option<ItemId>>,
    /// What it has.
    new_text: String,
    /// The rows in which editors are open, with what these have.
    editors: Vec<(ItemId, Row)>,
}

impl Controller {
    /// Keeps it for the control that comes next; for a control that ends.
    pub(super) fn keep_typed_text(&self) {
        let Some(key) = self.key_of("") else { return };
        let typed = {
            let runtime = self.runtime();
            let model = runtime.model.borrow();
            let rows = model.rows.edited_rows().into_iter();
            TypedText {
                adding: model.card.adding,
                new_text: model.card.new_text.clone(),
                editors: rows
                    .filter_map(|id| Some((id, model.rows.get(id)?.clone())))
                    .collect(),
            }
        };
        let is_typing = typed.adding.is_some() || !typed.editors.is_empty();
        KEPT.with_borrow_mut(|kept| {
            kept.retain(|(other, _)| *other != key);
            if is_typing {
                kept.push((key, typed));
            }
            if kept.len() > MOST {
                kept.remove(0);
            }
        });
    }

    /// Opens again what the control before this one has kept. The focus goes there if nothing else of the
    /// page has it.
    pub(super) fn restore_typed_text(&self) {
        let Some(key) = self.key_of("") else { return };
        let kept = KEPT.with_borrow_mut(|kept| {
            let at = kept.iter().position(|(other, _)| *other == key)?;
            Some(kept.swap_remove(at).1)
        });
        let Some(typed) = kept else { return };
        let takes_focus = !is_focus_elsewhere();
        let (adding, new_text) = (typed.adding, typed.new_text);
        if adding.is_some() && self.mode().add {
            self.show(|card| {
                card.adding = adding;
                card.new_text = new_text;
            });
            if takes_focus {
                self.focus_on(".add input");
            }
        }
        for (id, kept) in typed.editors {
            let shown = self.show_row(id, |row| {
                row.panel = kept.panel;
                row.seen = kept.seen;
            });
            if takes_focus && shown.is_some() {
                self.focus_in_row(id, ".editor textarea, .editor input");
            }
        }
        if takes_focus {
            // Once the field has the focus: whoever types goes on behind the last letter.
            let controller = *self;
            browser::set_timeout(0, Box::new(move || controller.put_caret_at_end()));
        }
    }

    fn put_caret_at_end(&self) {
        const END: u32 = u32::MAX;
        let Some(field) = self.focused_element() else {
            return;
        };
        // A field whose value was set by its attribute alone loses the caret when it is drawn again.
        if let Some(field) = field.dyn_ref::<HtmlInputElement>() {
            field.set_value(&field.value());
            // Fields for dates have no caret.
            let _ = field.set_selection_range(END, END);
        } else if let Some(field) = field.dyn_ref::<HtmlTextAreaElement>() {
            field.set_value(&field.value());
            let _ = field.set_selection_range(END, END);
        }
    }
}
