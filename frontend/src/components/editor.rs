//! The small forms that open in a row: text, details, reason, position.
//!
//! None is modal: they stand where the row is, Enter stores, Escape leaves. What is typed is
//! noted in the row without drawing, so that nothing that arrives meanwhile can take it. Called
//! by `row`.

use checklist_shared::Due;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::at::At;
use super::element::{El, View, button, el, nothing};
use super::menu;
use crate::browser;
use crate::control::screen::Panel;
use crate::i18n::fill;
use crate::state::notice::Details;

/// Whatever is open in a row.
#[must_use]
pub fn opened(at: At, panel: &Panel) -> View {
    let texts = at.texts();
    match panel {
        Panel::Closed => nothing(),
        Panel::Menu(up) => menu::menu(at, *up),
        Panel::Text(text, _) => {
            let limit = at.controller.with_state(|state| state.meta.limits.text);
            let area = area(at.number(TEXT), "1", limit, text).class("input");
            let area = area.fixed("aria-label", texts.text_label());
            form(at, texts.save(), vec![area.view()])
        }
        Panel::Details(details, _) => form(at, texts.save(), fields(at, details)),
        Panel::Reason(text, missing) => {
            form(at, texts.not_applicable(), reason(at, text, *missing))
        }
        Panel::Position(text) => {
            let count = at.controller.siblings(at.item).len();
            let number = |n| at.mode.words.number(n);
            let (first, last) = (number(1), number(count as u32));
            let label = fill(
                texts.position_label(),
                &[("first", &first), ("count", &last)],
            );
            let input = line(at.number(POSITION), "number", text)
                .fixed("min", "1")
                .attr("max", count.to_string())
                .fixed("inputmode", "numeric");
            form(at, texts.move_it(), vec![field(label, input)])
        }
    }
}

/// Note, assignee and due date.
fn fields(at: At, details: &Details) -> Vec<View> {
    let texts = at.texts();
    let limit = at.controller.with_state(|state| state.meta.limits.note);
    let note = details.note.as_deref().unwrap_or_default();
    let assignee = details.assignee.as_deref().unwrap_or_default();
    let assignee = line(at.number(ASSIGNEE), "text", assignee).fixed("maxlength", "200");
    let due = details.due.flatten();
    let kind = match due {
        Some(Due::Day(_)) => "date",
        _ => "datetime-local",
    };
    let due = due.map(browser::local_input).unwrap_or_default();
    let due = line(at.number(DUE), kind, &due);
    let note = area(at.number(NOTE), "2", limit, note);
    vec![
        field(texts.note().to_owned(), note),
        el("div|class=fields")
            .child(field(texts.assignee().to_owned(), assignee))
            .child(field(texts.due_date().to_owned(), due))
            .view(),
    ]
}

/// Why it does not apply.
fn reason(at: At, text: &str, missing: bool) -> Vec<View> {
    let texts = at.texts();
    let label = if at.read(|item| item.not_applicable_needs_reason) == Some(true) {
        texts.reason_label()
    } else {
        texts.reason_optional()
    };
    let limit = at.controller.with_state(|state| state.meta.limits.note);
    let input = line(at.number(REASON), "text", text).attr("maxlength", limit.to_string());
    if !missing {
        return vec![field(label.to_owned(), input)];
    }
    let hint = at.dom_id("missing");
    let input = input
        .fixed("aria-invalid", "true")
        .attr("aria-describedby", hint.clone());
    let missing = el("p|class=hint danger")
        .attr("id", hint)
        .text(texts.reason_needed());
    vec![field(label.to_owned(), input), missing.view()]
}

/// Which field it is that is typed into.
const TEXT: u32 = 0;
const NOTE: u32 = 1;
const ASSIGNEE: u32 = 2;
const DUE: u32 = 3;
const REASON: u32 = 4;
const POSITION: u32 = 5;

/// Puts what was typed into what is open, without drawing.
fn note(at: At, event: &Event) {
    let typed = typed(event);
    let Some(row) = at.item.and_then(|id| at.controller.screen().row(id)) else {
        return;
    };
    row.note(|row| match (at.number, &mut row.panel) {
        (TEXT, Panel::Text(text, _))
        | (REASON, Panel::Reason(text, _))
        | (POSITION, Panel::Position(text)) => *text = typed,
        (NOTE, Panel::Details(details, _)) => details.note = Some(typed),
        (ASSIGNEE, Panel::Details(details, _)) => details.assignee = Some(typed),
        (DUE, Panel::Details(details, _)) => details.due = Some(browser::parse_due(&typed)),
        _ => {}
    });
}

/// A field of one line.
fn line(at: At, kind: &'static str, text: &str) -> El {
    el("input|autocomplete=off|dir=auto")
        .fixed("type", kind)
        .attr("value", text.to_owned())
        .on("input", at, note)
}

/// A field of several lines.
fn area(at: At, rows: &'static str, limit: usize, text: &str) -> El {
    el("textarea|dir=auto")
        .fixed("rows", rows)
        .attr("maxlength", limit.to_string())
        // A text area's first line break belongs to the markup of a page, not to the text.
        .text(text.to_owned())
        .on("input", at, note)
}

/// A field inside its label: many rows may have one open, and so no id has to be unique.
fn field(label: String, input: El) -> View {
    el("label|class=field")
        .el(el("span|class=label").text(label))
        .el(input.class("input"))
        .view()
}

/// Fields with a button that stores and one that leaves. Enter stores, also from a text area;
/// Escape leaves.
fn form(at: At, label: &'static str, fields: Vec<View>) -> View {
    el("div|editor|role=group")
        .fixed("aria-label", label)
        .on("keydown", at, on_key)
        .children(fields)
        .el(el("div|class=actions")
            .el(button("button primary", label, at, |at, _| save(at)))
            .el(button("button plain", at.texts().cancel(), at, |at, _| {
                leave(at)
            })))
        .view()
}

fn on_key(at: At, event: &Event) {
    let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
        return;
    };
    // Enter that ends the composition of a character is not Enter to us.
    if key.is_composing() {
        return;
    }
    let in_field = browser::origin(event).is_some_and(|element| element.tag_name() != "BUTTON");
    match key.key().as_str() {
        "Enter" if in_field && !key.shift_key() => save(at),
        "Escape" => leave(at),
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}

fn save(at: At) {
    if let (Some(id), Some(panel)) = (at.item, at.row(|row| row.panel.clone())) {
        at.controller.save(id, panel);
    }
}

fn leave(at: At) {
    at.act(|controller, id| controller.close(id));
}

/// What the field that an event came from holds.
pub(super) fn typed(event: &Event) -> String {
    let Some(origin) = browser::origin(event) else {
        return String::new();
    };
    match origin.dyn_ref::<HtmlInputElement>() {
        Some(input) => input.value(),
        None => origin
            .dyn_ref::<HtmlTextAreaElement>()
            .map(HtmlTextAreaElement::value)
            .unwrap_or_default(),
    }
}
