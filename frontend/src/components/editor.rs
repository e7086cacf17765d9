//! The small forms that open in a row: text, details, reason, position.
//!
//! None is modal: they stand where the row is, Enter stores, Escape leaves. What is typed is
//! noted in the row without drawing, so that nothing that arrives meanwhile can take it. Called
//! by `row`.

use std::borrow::Cow;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::at::At;
use super::element::{El, button, el, nothing};
use super::menu;
use crate::browser;
use crate::control::screen::Panel;
use crate::i18n::fill;
use crate::state::notice::Details;

/// Whatever is open in a row.
#[must_use]
pub fn opened(at: At, panel: &Panel) -> AnyView {
    let texts = at.texts();
    match panel {
        Panel::Closed => nothing(),
        Panel::Menu(up) => menu::menu(at, *up),
        Panel::Text(text, _) => {
            let limit = at.controller.with_state(|state| state.meta.limits.text);
            let field = area(at, "1", limit, text, |panel, typed| {
                if let Panel::Text(text, _) = panel {
                    *text = typed;
                }
            });
            form(
                at,
                texts.save,
                vec![
                    field
                        .class("input")
                        .attr("aria-label", texts.text_label)
                        .view(),
                ],
            )
        }
        Panel::Details(details, _) => form(at, texts.save, fields(at, details)),
        Panel::Reason(text, missing) => form(at, texts.not_applicable, reason(at, text, *missing)),
        Panel::Position(text) => {
            let count = at.controller.siblings(at.item).len().to_string();
            let label = fill(texts.position_label, &[("count", &count)]);
            let input = line(at, "number", text, |panel, typed| {
                if let Panel::Position(text) = panel {
                    *text = typed;
                }
            });
            let input = input
                .attr("min", "1")
                .attr("max", count)
                .attr("inputmode", "numeric");
            form(at, texts.move_it, vec![field(label.into(), input)])
        }
    }
}

/// Note, assignee and due date.
fn fields(at: At, details: &Details) -> Vec<AnyView> {
    let texts = at.texts();
    let limit = at.controller.with_state(|state| state.meta.limits.note);
    let note = area(
        at,
        "2",
        limit,
        details.note.as_deref().unwrap_or_default(),
        |panel, typed| {
            if let Panel::Details(details, _) = panel {
                details.note = Some(typed);
            }
        },
    );
    let assignee = line(
        at,
        "text",
        details.assignee.as_deref().unwrap_or_default(),
        |panel, typed| {
            if let Panel::Details(details, _) = panel {
                details.assignee = Some(typed);
            }
        },
    );
    let due = details
        .due
        .flatten()
        .map(browser::local_input)
        .unwrap_or_default();
    let due = line(at, "datetime-local", &due, |panel, typed| {
        if let Panel::Details(details, _) = panel {
            details.due = Some(browser::parse_time(&typed));
        }
    });
    vec![
        field(texts.note.into(), note),
        el("div")
            .class("fields")
            .child(field(
                texts.assignee.into(),
                assignee.attr("maxlength", "200"),
            ))
            .child(field(texts.due_date.into(), due))
            .view(),
    ]
}

/// Why it does not apply.
fn reason(at: At, text: &str, missing: bool) -> Vec<AnyView> {
    let texts = at.texts();
    let needed = at.row().is_some_and(|row| {
        row.item
            .with_untracked(|item| item.not_applicable_needs_reason)
    });
    let label = if needed {
        texts.reason_label
    } else {
        texts.reason_optional
    };
    let limit = at.controller.with_state(|state| state.meta.limits.note);
    let mut input = line(at, "text", text, |panel, typed| {
        if let Panel::Reason(text, _) = panel {
            *text = typed;
        }
    });
    let mut fields = Vec::new();
    input = input.attr("maxlength", limit.to_string());
    if missing {
        let hint = at.dom_id("missing");
        input = input
            .attr("aria-invalid", "true")
            .attr("aria-describedby", hint.clone());
        fields.push(
            el("p")
                .class("hint danger")
                .attr("id", hint)
                .text(texts.reason_needed)
                .view(),
        );
    }
    fields.insert(0, field(label.into(), input));
    fields
}

/// Puts what was typed into what is open.
type Note = fn(&mut Panel, String);

/// A field of one line.
fn line(at: At, kind: &'static str, text: &str, note: Note) -> El {
    noting(
        at,
        el("input")
            .attr("type", kind)
            .attr("autocomplete", "off")
            .attr("value", text.to_owned()),
        note,
    )
}

/// A field of several lines.
fn area(at: At, rows: &'static str, limit: usize, text: &str, note: Note) -> El {
    let area = el("textarea")
        .attr("rows", rows)
        .attr("maxlength", limit.to_string());
    // A text area's first line break belongs to the markup of a page, not to the text.
    noting(at, area.text(text.to_owned()), note)
}

fn noting(at: At, field: El, note: Note) -> El {
    field
        .attr("dir", "auto")
        .on("input", (at, note), |(at, note), event| {
            if let Some(row) = at.row() {
                row.panel.note(|panel| note(panel, typed(event)));
            }
        })
}

/// A field inside its label: many rows may have one open, and so no id has to be unique.
fn field(label: Cow<'static, str>, input: El) -> AnyView {
    el("label")
        .class("field")
        .el(el("span").class("label").text(label))
        .el(input.class("input"))
        .view()
}

/// Fields with a button that stores and one that leaves. Enter stores, also from a text area;
/// Escape leaves.
fn form(at: At, label: &'static str, fields: Vec<AnyView>) -> AnyView {
    el("div")
        .class("editor")
        .part("editor")
        .attr("role", "group")
        .attr("aria-label", label)
        .on("keydown", at, on_key)
        .children(fields)
        .el(el("div")
            .class("actions")
            .el(button("button primary", label, at, |at, _| save(at)))
            .el(button("button plain", at.texts().cancel, at, |at, _| {
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
    if let (Some(id), Some(row)) = (at.item, at.row()) {
        at.controller.save(id, row.panel.get_untracked());
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
