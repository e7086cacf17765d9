//! What an item of a worklist needs beyond a tick, asked for in its row.
//!
//! Invariant: what was typed stays until the server has taken it or somebody lets go of it, whatever
//! becomes of the item meanwhile. Typing draws nothing.

use checklist_shared::answer::AnswerFormat;
use checklist_shared::item::{Item, Status};
use leptos::prelude::*;
use web_sys::{Element, Event};

use super::controller::{Row, WorklistController};
use super::row::RowState;
use super::view::focus_in;
use crate::browser;
use crate::components::at::Listener;
use crate::components::field::{FormKey, form_key, input_value};
use crate::components::support::{Around, support_fields};
use crate::model::support::{SupportField, SupportForm};

/// The form that is open in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OpenForm {
    /// What is typed.
    typed: SupportForm,
    /// Whether something missing was complained about.
    is_missing: bool,
}

/// What the form looks like, besides what is typed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FormShape {
    is_sending: bool,
    is_blocked: bool,
    evidence: bool,
    overrides: bool,
    answer: Option<Box<AnswerFormat>>,
}

impl FormShape {
    pub(super) fn of(state: &RowState) -> Self {
        let item = Item::from(state.found.item.clone());
        Self {
            is_sending: state.sending.is_some(),
            is_blocked: state.obstacle().is_some(),
            evidence: item.requires_evidence,
            overrides: item.would_override(Status::Done),
            answer: item.answer_format,
        }
    }
}

fn item_of(row: &Row) -> Item {
    row.state
        .with_untracked(|state| Item::from(state.found.item.clone()))
}

impl WorklistController {
    /// Asks for what the item needs; `around` is the row's element. What was typed before is still there.
    pub(super) fn open_form(&self, row: &Row, around: Element) {
        let item = item_of(row);
        if row.form.with_untracked(Option::is_none) {
            row.form.set(Some(OpenForm {
                typed: SupportForm::of(&item, self.mode().words),
                is_missing: false,
            }));
        }
        focus_soon(around, SupportForm::first_field(&item));
    }

    /// The form of the row, if it is open. Hidden while its content is on its way.
    pub(super) fn form(&self, row: &Row, shape: FormShape) -> Option<AnyView> {
        let OpenForm { typed, is_missing } = row.form.get()?;
        if shape.is_sending {
            return None;
        }
        let mode = self.mode();
        let texts = mode.texts();
        let note = |field: SupportField| -> Listener<Event> {
            let form = row.form.clone();
            Box::new(move |event| {
                let typed = input_value(&event);
                form.maybe_update(|form| {
                    if let Some(form) = form {
                        form.typed.note(field, typed);
                    }
                    false
                });
            })
        };
        let id = row.id;
        let around = Around {
            words: mode.words,
            dom_id: &|part| [part, &id.to_string()].concat(),
            note: &note,
        };
        let fields = support_fields(&around, &item_of(row), typed, is_missing);
        let name = if shape.evidence {
            texts.evidence()
        } else if shape.answer.is_some() {
            texts.answer()
        } else if shape.overrides {
            texts.override_signal()
        } else {
            texts.done()
        };
        let (worklist, of) = (self.clone(), row.clone());
        let on_key = move |event: Event| {
            let Some(around) = row_of(&event) else { return };
            match form_key(&event) {
                Some(FormKey::Save) => worklist.save_form(&of, around),
                Some(FormKey::Leave) => leave_form(&of, &around),
                None => return,
            }
            event.prevent_default();
            event.stop_propagation();
        };
        // What cannot be ticked any more can still be read, and copied.
        let save = (!shape.is_blocked).then(|| {
            let (worklist, of) = (self.clone(), row.clone());
            let click = move |event: Event| {
                if let Some(around) = row_of(&event) {
                    worklist.save_form(&of, around);
                }
            };
            view! {
                <button type="button" class="button primary" on:click=move |event| click(event.into())>
                    {texts.done()}
                </button>
            }
            .into_any()
        });
        let of = row.clone();
        let cancel = move |event: Event| {
            if let Some(around) = row_of(&event) {
                leave_form(&of, &around);
            }
        };
        let view = view! {
            <div
                class="editor"
                part="editor"
                role="group"
                aria-label=name
                on:keydown=move |event| on_key(event.into())
            >
                {fields}
                <div class="actions">
                    {save}
                    <button
                        type="button"
                        class="button plain"
                        on:click=move |event| cancel(event.into())
                    >
                        {texts.cancel()}
                    </button>
                </div>
            </div>
        };
        Some(view.into_any())
    }

    /// Sends what is typed, unless something is missing: then the focus goes there.
    fn save_form(&self, row: &Row, around: Element) {
        let Some(OpenForm { typed, .. }) = row.form.get_untracked() else {
            return;
        };
        match typed.given(&item_of(row), self.mode().words) {
            None => {
                row.form.set(Some(OpenForm {
                    typed,
                    is_missing: true,
                }));
                focus_soon(around, SupportForm::INVALID);
            }
            Some(given) => {
                if self.tick(row, Status::Done, given) {
                    focus_in(&around, ".box");
                }
            }
        }
    }
}

/// Lets go of what was typed; the focus goes back to the box.
fn leave_form(row: &Row, around: &Element) {
    row.form.set(None);
    focus_in(around, ".box");
}

fn row_of(event: &Event) -> Option<Element> {
    browser::origin(event)?.closest(".row").ok().flatten()
}

/// The form is drawn once this is through.
fn focus_soon(around: Element, selector: &'static str) {
    browser::set_timeout(0, Box::new(move || focus_in(&around, selector)));
}
