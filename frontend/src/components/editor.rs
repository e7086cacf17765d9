//! The small forms that open in a row: text, details, reason, evidence and answer,
//! position.
//!
//! None is modal: they open inside the row, Enter saves, Escape cancels. Typing is stored in the row
//! without rendering, so that nothing that arrives meanwhile can discard it.

use checklist_shared::item::{Item, Status};
use checklist_shared::proposal::{Evidence, is_web_address};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::answer;
use super::at::{ViewContext, nothing};
use super::button::Button;
use super::details::details;
use super::field::{Field, Input, input_value};
use super::history::ItemHistory;
use super::menu::{Menu, label_with_text};
use super::suggestions;
use crate::browser;
use crate::i18n::fill;
use crate::model::answer::typed_answer;
use crate::model::list::ListState;
use crate::model::message::UserAction;
use crate::model::view_data::SupportForm;
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
            let area = view! { <Input at rows="1" limit text note label /> };
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
                    <Input at kind="number" text note most=count />
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
        override_label(at)
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
            <Input at text note limit described_by=hint />
        </Field>
        {complaint}
    }
    .into_any()
}

fn override_label(at: ViewContext) -> String {
    let source = at.read(|item| item.signal.as_ref().map(|signal| signal.source.clone()));
    let source = source.flatten().unwrap_or_default();
    fill(at.texts().override_reason(), &[("source", &source)])
}

/// The form for what an item is done with: evidence, the answer, and the reason where it overrides a
/// signal.
fn support(at: ViewContext, item: &Item, typed: SupportForm, missing: bool) -> AnyView {
    let texts = at.texts();
    let SupportForm {
        name,
        url,
        reason,
        answer,
    } = typed;
    let lacks_evidence = missing && (name.trim().is_empty() || !is_web_address(url.trim()));
    let overrides = item.would_override(Status::Done);
    let lacks_reason = missing && overrides && reason.trim().is_empty();
    let hint =
        (item.requires_evidence && (lacks_evidence || lacks_reason)).then(|| at.dom_id("missing"));
    let complaint = hint
        .clone()
        .map(|id| view! { <p class="hint danger" id=id>{texts.evidence_needed()}</p> }.into_any());
    let (name_hint, reason_hint) = (hint.clone(), hint.clone());
    let evidence = item.requires_evidence.then(|| {
        let (name_at, url_at) = (at.number(EVIDENCE_NAME), at.number(EVIDENCE_URL));
        view! {
            <Field label=texts.evidence_name().to_owned()>
                <Input at=name_at text=name note limit=200 described_by=name_hint />
            </Field>
            <Field label=texts.evidence_url().to_owned()>
                <Input at=url_at kind="url" text=url note limit=Evidence::URL described_by=hint />
            </Field>
        }
        .into_any()
    });
    let reason = overrides.then(|| {
        view! {
            <Field label=override_label(at)>
                <Input at=at.number(OVERRIDE) text=reason note described_by=reason_hint />
            </Field>
        }
        .into_any()
    });
    let answer = item.answer_format.as_ref().map(|format| {
        let lacks_answer = missing && typed_answer(format, &answer, at.mode().words).is_none();
        answer::field(at.number(ANSWER), format, answer, lacks_answer, note)
    });
    view! {
        {evidence}
        {reason}
        {complaint}
        {answer}
    }
    .into_any()
}

/// `At::number` of an editor: the field that is typed into.
const TEXT: u32 = 0;
const REASON: u32 = 1;
const POSITION: u32 = 2;
const EVIDENCE_NAME: u32 = 3;
const EVIDENCE_URL: u32 = 4;
const OVERRIDE: u32 = 5;
const ANSWER: u32 = 6;

/// Puts what was typed into what is open, without drawing.
fn note(at: ViewContext, event: &Event) {
    let typed = input_value(event);
    let Some(id) = at.item else { return };
    at.controller
        .note_row(id, |row| match (at.number, &mut row.panel) {
            (TEXT, Panel::Text(text, _))
            | (REASON, Panel::Reason(text, ..))
            | (POSITION, Panel::Position(text)) => *text = typed,
            (EVIDENCE_NAME, Panel::Support(form, _)) => form.name = typed,
            (EVIDENCE_URL, Panel::Support(form, _)) => form.url = typed,
            (OVERRIDE, Panel::Support(form, _)) => form.reason = typed,
            (ANSWER, Panel::Support(form, _)) => form.answer = typed,
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
    // Enter that ends the composition of a character is not Enter to us.
    if key.is_composing() {
        return;
    }
    let in_field = browser::origin(event).is_some_and(|element| element.tag_name() != "BUTTON");
    match key.key().as_str() {
        name if suggestions::on_key(at, event, name) => {}
        "Enter" if in_field && !key.shift_key() => save(at),
        "Escape" => leave(at),
        _ => return,
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
