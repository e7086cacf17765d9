//! The small forms that open in a row: text, details, reason, evidence and answer,
//! position.
//!
//! None is modal: they open inside the row, Enter saves, Escape cancels. Typing is stored in the row
//! without rendering, so that nothing that arrives meanwhile can discard it.

use checklist_shared::item::{Item, Status};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::at::{Listener, ViewContext, nothing};
use super::button::Button;
use super::details::details;
use super::field::{Field, FormKey, Input, form_key, input_value};
use super::history::ItemHistory;
use super::menu::{Menu, label_with_text};
use super::suggestions;
use super::support::{Around, override_label, support_fields};
use crate::i18n::fill;
use crate::model::list::ListState;
use crate::model::message::UserAction;
use crate::model::support::{SupportField, SupportForm};
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
            let fields = item.map(|item| support(at, &item, *typed, missing));
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

/// The form for what an item is done with.
fn support(at: ViewContext, item: &Item, typed: SupportForm, missing: bool) -> AnyView {
    let note = |field: SupportField| -> Listener<Event> {
        Box::new(move |event| {
            let typed = input_value(&event);
            at.act(|controller, id| {
                controller.note_row(id, |row| {
                    if let Panel::Support(form, _) = &mut row.panel {
                        form.note(field, typed);
                    }
                });
            });
        })
    };
    let around = Around {
        words: at.mode().words,
        dom_id: &|part| at.dom_id(part),
        note: &note,
    };
    support_fields(&around, item, typed, missing)
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

/// Fields under a name, with a button that stores and one that leaves. Enter stores, also from a text area;
/// Escape leaves.
fn form(at: ViewContext, label: &'static str, name: String, fields: AnyView) -> AnyView {
    view! {
        <div class="editor" part="editor" role="group" aria-label=name on:keydown=at.on(on_key)>
            {fields}
            <div class="actions">
                <Button class="button primary" label at act=|at, _| save(at) />
                <Button
                    class="button plain"
                    label=at.texts().cancel()
                    at
                    act=|at, _| leave(at)
                />
            </div>
        </div>
    }
    .into_any()
}

fn on_key(at: ViewContext, event: &Event) {
    let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    let is_taken = !key.is_composing() && suggestions::on_key(at, event, &key.key());
    match form_key(event) {
        _ if is_taken => {}
        Some(FormKey::Save) => save(at),
        Some(FormKey::Leave) => leave(at),
        None => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

fn save(at: ViewContext) {
    if let (Some(id), Some(panel)) = (at.item, at.row(|row| row.panel.clone())) {
        at.controller.does(UserAction::Save(id, panel));
    }
}

fn leave(at: ViewContext) {
    at.does(UserAction::Close);
}
