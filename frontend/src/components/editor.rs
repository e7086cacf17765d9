//! The small forms that open in a row: text, details, reason, position.
//!
//! None is modal: they stand where the row is, Enter stores, Escape leaves. What is typed is
//! noted in the row without drawing, so that nothing that arrives meanwhile can take it. Called
//! by `row`.

use std::borrow::Cow;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::element::{El, button, el, nothing};
use super::menu;
use crate::browser;
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::control::screen::{Panel, Row};
use crate::i18n::fill;
use crate::state::moves;
use crate::state::notice::Details;

/// Whatever is open in a row.
#[must_use]
pub fn opened(controller: &Controller, row: &Row, mode: &Mode, panel: &Panel) -> AnyView {
    let texts = mode.texts();
    match panel {
        Panel::Closed => nothing(),
        Panel::Menu(up) => menu::menu(controller, row, mode, *up),
        Panel::Text(text, _) => {
            let limit = controller.with_state(|state| state.meta.limits.text);
            let field = area(row, "1", limit, text, |panel, typed| {
                if let Panel::Text(text, _) = panel {
                    *text = typed;
                }
            });
            let field = field.class("input").attr("aria-label", texts.text_label);
            form(controller, row, mode, texts.save, vec![field.view()])
        }
        Panel::Details(details, _) => form(controller, row, mode, texts.save, fields(controller, row, mode, details)),
        Panel::Reason(text, missing) => {
            let mut fields = Vec::new();
            reason(controller, row, mode, text, *missing, &mut fields);
            form(controller, row, mode, texts.not_applicable, fields)
        }
        Panel::Position(text) => {
            let item = row.item.get_untracked();
            let count = controller.with_state(|state| moves::siblings(state, item.parent_id).len()).to_string();
            let label = fill(texts.position_label, &[("count", &count)]);
            let input = line(row, "number", text, |panel, typed| {
                if let Panel::Position(text) = panel {
                    *text = typed;
                }
            });
            let input = input.attr("min", "1").attr("max", count).attr("inputmode", "numeric");
            form(controller, row, mode, texts.move_it, vec![field(label.into(), input)])
        }
    }
}

/// Note, assignee and due date.
fn fields(controller: &Controller, row: &Row, mode: &Mode, details: &Details) -> Vec<AnyView> {
    let texts = mode.texts();
    let limit = controller.with_state(|state| state.meta.limits.note);
    let note = area(row, "2", limit, details.note.as_deref().unwrap_or_default(), |panel, typed| {
        if let Panel::Details(details, _) = panel {
            details.note = Some(typed);
        }
    });
    let assignee = line(row, "text", details.assignee.as_deref().unwrap_or_default(), |panel, typed| {
        if let Panel::Details(details, _) = panel {
            details.assignee = Some(typed);
        }
    });
    let due = details.due.flatten().map(browser::local_input).unwrap_or_default();
    let due = line(row, "datetime-local", &due, |panel, typed| {
        if let Panel::Details(details, _) = panel {
            details.due = Some(browser::parse_time(&typed));
        }
    });
    vec![
        field(texts.note.into(), note),
        el("div")
            .class("fields")
            .child(field(texts.assignee.into(), assignee.attr("maxlength", "200")))
            .child(field(texts.due_date.into(), due))
            .view(),
    ]
}

/// Why it does not apply.
fn reason(
    controller: &Controller,
    row: &Row,
    mode: &Mode,
    text: &str,
    missing: bool,
    fields: &mut Vec<AnyView>,
) {
    let texts = mode.texts();
    let needed = row.item.with_untracked(|item| item.not_applicable_needs_reason);
    let label = if needed { texts.reason_label } else { texts.reason_optional };
    let limit = controller.with_state(|state| state.meta.limits.note);
    let input = line(row, "text", text, |panel, typed| {
        if let Panel::Reason(text, _) = panel {
            *text = typed;
        }
    });
    let input = input.attr("maxlength", limit.to_string());
    if missing {
        let hint = controller.dom_id("missing");
        let input = input.attr("aria-invalid", "true").attr("aria-describedby", hint.clone());
        fields.push(field(label.into(), input));
        fields.push(el("p").class("hint danger").attr("id", hint).text(texts.reason_needed).view());
    } else {
        fields.push(field(label.into(), input));
    }
}

/// A field of one line. `note` puts what was typed into the panel.
fn line(row: &Row, kind: &'static str, text: &str, note: fn(&mut Panel, String)) -> El {
    noting(row, el("input").attr("type", kind).attr("autocomplete", "off"), text, note)
}

/// A field of several lines.
fn area(row: &Row, rows: &'static str, limit: usize, text: &str, note: fn(&mut Panel, String)) -> El {
    noting(row, el("textarea").attr("rows", rows).attr("maxlength", limit.to_string()), text, note)
}

fn noting(row: &Row, field: El, text: &str, note: fn(&mut Panel, String)) -> El {
    let panel = row.panel.clone();
    field.attr("dir", "auto").value(text.to_owned()).on("input", move |event| {
        let typed = typed(&event);
        panel.note(|panel| note(panel, typed));
    })
}

/// A field inside its label: many rows may have one open, and so no id has to be unique.
fn field(label: Cow<'static, str>, input: El) -> AnyView {
    el("label").class("field").el(el("span").class("label").text(label)).el(input.class("input")).view()
}

/// Fields with a button that stores and one that leaves. Enter stores, also from a text area;
/// Escape leaves.
fn form(controller: &Controller, row: &Row, mode: &Mode, label: &'static str, fields: Vec<AnyView>) -> AnyView {
    let id = row.id;
    let (keys, typed) = (controller.clone(), row.panel.clone());
    let (saving, panel) = (controller.clone(), row.panel.clone());
    let cancelling = controller.clone();
    el("div")
        .class("editor")
        .part("editor")
        .attr("role", "group")
        .attr("aria-label", label)
        .on("keydown", move |event| {
            let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
            // Enter that ends the composition of a character is not Enter to us.
            if key.is_composing() {
                return;
            }
            let in_field = browser::origin(&event).is_some_and(|element| element.tag_name() != "BUTTON");
            match key.key().as_str() {
                "Enter" if in_field && !key.shift_key() => keys.save(id, typed.get_untracked()),
                "Escape" => keys.close(id),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        })
        .children(fields)
        .el(el("div")
            .class("actions")
            .el(button("button primary", label, move |_| saving.save(id, panel.get_untracked())))
            .el(button("button plain", mode.texts().cancel, move |_| cancelling.close(id))))
        .view()
}

/// What the field that an event came from holds.
pub(super) fn typed(event: &Event) -> String {
    let Some(origin) = browser::origin(event) else { return String::new() };
    match origin.dyn_ref::<HtmlInputElement>() {
        Some(input) => input.value(),
        None => origin.dyn_ref::<HtmlTextAreaElement>().map(HtmlTextAreaElement::value).unwrap_or_default(),
    }
}
