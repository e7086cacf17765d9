//! What an item of a worklist needs beyond a tick, asked for in its row.
//!
//! Invariants: what was typed stays until the server has taken it or somebody lets go of it, whatever
//! becomes of the item meanwhile; and nobody attests another wording than the one they have read. Typing
//! draws nothing.

use checklist_shared::item::{Item, Status};
use leptos::prelude::*;
use web_sys::{Element, Event};

use super::controller::{Row, WorklistController};
use super::focus::{focus_in, focus_soon, keep_in_form};
use super::row::RowState;
use crate::browser;
use crate::components::field::FormKey;
use crate::components::form::{RowForm, form_view};
use crate::components::support::support_fields;
use crate::i18n::Words;
use crate::model::seen::{Demand, SeenItem};
use crate::model::support::{SupportField, SupportForm};

/// The form that is open in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenForm {
    /// What is typed.
    typed: SupportForm,
    /// Whether something missing was complained about.
    is_missing: bool,
    /// The item as the row shows it.
    seen: SeenItem,
}

impl OpenForm {
    /// The text of the item in that language: while the form is open, as it was when it was opened.
    pub(super) fn text_in(&self, language: &str) -> Option<&str> {
        self.seen.text_in(language)
    }
}

/// What the form looks like, besides what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FormShape {
    is_sending: bool,
    is_blocked: bool,
    demand: Demand,
}

impl FormShape {
    pub(super) fn of(state: &RowState) -> Self {
        Self {
            is_sending: state.sending.is_some(),
            is_blocked: state.obstacle().is_some(),
            demand: Demand::of(&Item::from(state.found.item.clone())),
        }
    }
}

fn item_of(row: &Row) -> Item {
    row.state
        .with_untracked(|state| Item::from(state.found.item.clone()))
}

/// The form of a row.
#[derive(Clone)]
struct WorklistForm {
    worklist: WorklistController,
    row: Row,
}

impl RowForm for WorklistForm {
    fn words(&self) -> Words {
        self.worklist.mode().words
    }

    fn dom_id(&self, part: &str) -> String {
        [part, &self.row.id.to_string()].concat()
    }

    fn note(&self, field: SupportField, typed: String) {
        self.row.form.maybe_update(|form| {
            if let Some(form) = form {
                form.typed.note(field, typed);
            }
            false
        });
    }

    fn finish(&self, key: FormKey, event: &Event) {
        let row = browser::origin(event).and_then(|origin| origin.closest(".row").ok().flatten());
        let Some(around) = row else { return };
        match key {
            FormKey::Save => self.worklist.save_form(&self.row, around),
            FormKey::Leave => {
                self.row.form.set(None);
                focus_in(&around, ".box");
            }
        }
    }
}

impl WorklistController {
    /// Asks for what the item needs; `around` is the row's element. What was typed before is still there.
    pub(super) fn open_form(&self, row: &Row, around: Element) {
        let item = item_of(row);
        if row.form.with_untracked(Option::is_none) {
            let mode = self.mode();
            row.form.set(Some(OpenForm {
                typed: SupportForm::of(&item, mode.words),
                is_missing: false,
                seen: SeenItem::of(&item, mode.tag),
            }));
        }
        focus_soon(around, SupportForm::first_field(&item).to_owned());
    }

    /// The form of the row, if it is open. Hidden while its content is on its way.
    pub(super) fn form(&self, row: &Row, shape: FormShape) -> Option<AnyView> {
        let OpenForm {
            typed, is_missing, ..
        } = row.form.get()?;
        if shape.is_sending {
            return None;
        }
        let item = item_of(row);
        keep_in_form(row.id, SupportForm::first_field(&item));
        let texts = self.mode().texts();
        let name = if shape.demand.evidence {
            texts.evidence()
        } else if shape.demand.answer.is_some() {
            texts.answer()
        } else if shape.demand.reason {
            texts.override_signal()
        } else {
            texts.done()
        };
        // Drawn for what it asks for now.
        row.form.maybe_update(|form| {
            if let Some(form) = form {
                form.seen.demand = shape.demand;
            }
            false
        });
        let form = WorklistForm {
            worklist: self.clone(),
            row: row.clone(),
        };
        let fields = support_fields(&form, &item, typed, is_missing);
        // What cannot be ticked any more can still be read, and copied.
        let save = (!shape.is_blocked).then(|| texts.done());
        Some(form_view(&form, save, name.to_owned(), fields))
    }

    /// Shows the item as it is now above its form, if that is open. A notice says what has changed.
    pub(super) fn show_in_form(&self, row: &Row) {
        let seen = SeenItem::of(&item_of(row), self.mode().tag);
        row.form.maybe_update(|form| match form {
            Some(form) => {
                form.seen = seen;
                true
            }
            None => false,
        });
    }

    /// Sends what is typed, unless the item has changed since it was read or something is missing: then
    /// the focus goes there.
    fn save_form(&self, row: &Row, around: Element) {
        let Some(mut form) = row.form.get_untracked() else {
            return;
        };
        let (item, mode) = (item_of(row), self.mode());
        if let Some(notice) = form.seen.change(&item, mode.tag) {
            self.say(self.sentence(&notice));
            row.state.update(|state| state.notice = Some(notice));
            self.show_in_form(row);
            focus_soon(around, SupportForm::first_field(&item).to_owned());
            return;
        }
        match form.typed.given(&item, mode.words) {
            None => {
                form.is_missing = true;
                row.form.set(Some(form));
                focus_soon(around, SupportForm::INVALID.to_owned());
            }
            Some(given) => {
                if self.tick(row, Status::Done, given) {
                    focus_in(&around, ".box");
                }
            }
        }
    }
}
