//! What opens in a row of a list: the forms for text, details, reason, evidence and answer, and position;
//! the menu and the history.

use checklist_shared::item::Status;
use leptos::prelude::*;
use web_sys::{Event, KeyboardEvent};

use super::at::{ViewContext, nothing};
use super::details::details;
use super::field::{Field, FormKey, Input, input_value};
use super::form::{RowForm, form_view};
use super::history::ItemHistory;
use super::menu::{Menu, label_with_text};
use super::suggestions;
use super::support::{override_label, support_fields};
use crate::i18n::{Words, fill};
use crate::model::list::ListState;
use crate::model::message::UserAction;
use crate::model::support::SupportField;
use crate::screen::Panel;

/// Whatever is open in a row.
pub(super) fn panel_view(at: ViewContext, panel: Panel) -> AnyView {
    let texts = at.texts();
    let state = |read: fn(&ListState) -> usize| at.controller.with_state(read);
    match panel {
        Panel::Closed => nothing(),
        Panel::History(history) => view! { <ItemHistory at history /> }.into_any(),
        Panel::Menu(up) => view! { <Menu at up /> }.into_any(),
        Panel::Text(text, _) => {
            let limit = state(|state| state.meta.limits.text);
            let at = at.number(TEXT);
            let label = texts.text_label();
            let area = view! { <Input rows="1" limit text on_input=at.on(note) label /> };
            form(at, texts.save(), label.to_owned(), area.into_any())
        }
        Panel::Details(filled) => {
            let name = label_with_text(at, texts.edit_named());
            form(at, texts.save(), name, details(at, *filled))
        }
        Panel::Reason(text, status, missing) => {
            let limit = state(|state| state.meta.limits.note);
            let label = if status == Status::NotApplicable {
                texts.not_applicable()
            } else {
                texts.override_signal()
            };
            form(
                at,
                label,
                label.to_owned(),
                reason(at, text, status, missing, limit),
            )
        }
        Panel::Support(typed, missing) => {
            let item = at.item.and_then(|id| at.controller.item(id));
            let name = match &item {
                Some(item) if item.requires_evidence => texts.evidence(),
                _ => texts.answer(),
            };
            let fields = item.map(|item| support_fields(&at, &item, *typed, missing));
            form(
                at,
                texts.done(),
                name.to_owned(),
                fields.unwrap_or_else(nothing),
            )
        }
        Panel::Position(text) => {
            let count = at.controller.siblings(at.item).len();
            let number = |n| at.mode().words.number(n);
            let (first, last) = (number(1), number(count as u32));
            let label = fill(
                texts.position_label(),
                &[("first", &first), ("count", &last)],
            );
            let at = at.number(POSITION);
            let field = view! {
                <Field label>
                    <Input kind="number" text on_input=at.on(note) most=count />
                </Field>
            };
            let label = texts.move_it();
            form(at, label, label.to_owned(), field.into_any())
        }
    }
}

/// The form for the reason why an item does not apply, or its signal is overridden.
fn reason(at: ViewContext, text: String, status: Status, missing: bool, limit: usize) -> AnyView {
    let texts = at.texts();
    let label = if status != Status::NotApplicable {
        at.read(|item| override_label(item, texts))
            .unwrap_or_default()
    } else if at.read(|item| item.not_applicable_needs_reason || item.would_override(status))
        == Some(true)
    {
        texts.reason_label().to_owned()
    } else {
        texts.reason_optional().to_owned()
    };
    let at = at.number(REASON);
    let hint = missing.then(|| at.dom_id("missing"));
    let complaint = hint
        .clone()
        .map(|id| view! { <p class="hint danger" id=id>{texts.reason_needed()}</p> }.into_any());
    view! {
        <Field label>
            <Input text on_input=at.on(note) limit described_by=hint />
        </Field>
        {complaint}
    }
    .into_any()
}

/// `At::number` of an editor: the field that is typed into.
const TEXT: u32 = 0;
const REASON: u32 = 1;
const POSITION: u32 = 2;

/// Puts what was typed into what is open, without drawing.
fn note(at: ViewContext, event: &Event) {
    let typed = input_value(event);
    let Some(id) = at.item else { return };
    at.controller
        .note_row(id, |row| match (at.number, &mut row.panel) {
            (TEXT, Panel::Text(text, _))
            | (REASON, Panel::Reason(text, ..))
            | (POSITION, Panel::Position(text)) => *text = typed,
            _ => {}
        });
}

/// A form that can be stored.
fn form(at: ViewContext, label: &'static str, name: String, fields: AnyView) -> AnyView {
    form_view(&at, Some(label), name, fields)
}

impl RowForm for ViewContext {
    fn words(&self) -> Words {
        self.mode().words
    }

    fn dom_id(&self, part: &str) -> String {
        Self::dom_id(*self, part)
    }

    fn note(&self, field: SupportField, typed: String) {
        self.act(|controller, id| {
            controller.note_row(id, |row| {
                if let Panel::Support(form, _) = &mut row.panel {
                    form.note(field, typed);
                }
            });
        });
    }

    fn finish(&self, key: FormKey, _: &Event) {
        match key {
            FormKey::Save => save(*self),
            FormKey::Leave => self.does(UserAction::Close),
        }
    }

    fn takes_key(&self, event: &KeyboardEvent) -> bool {
        !event.is_composing() && suggestions::on_key(*self, event, &event.key())
    }
}

fn save(at: ViewContext) {
    if let (Some(id), Some(panel)) = (at.item, at.row(|row| row.panel.clone())) {
        at.controller.does(UserAction::Save(id, panel));
    }
}
