//! The small forms that open in a row: text, details, reason, position.
//!
//! None is modal: they stand where the row is, Enter stores, Escape leaves. What is typed is
//! kept in the row's signal without drawing, so that nothing that arrives meanwhile can take
//! it. Called by `row`.

use checklist_shared::ItemId;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::element::{El, button, el};
use crate::browser;
use crate::control::actions::due_of;
use crate::control::mode::Mode;
use crate::control::screen::{Face, Panel, Row, note_typed};
use crate::control::Controller;
use crate::i18n::fill;
use crate::state::moves;
use crate::state::notice::Details;

/// The form for the item's text.
#[must_use]
pub fn text(controller: &Controller, row: &Row, mode: &Mode, text: &str) -> AnyView {
    let id = row.id;
    let typing = row.face.clone();
    let limit = controller.with_state(|state| state.meta.limits.text);
    let field = el("textarea")
        .class("input")
        .attr("rows", "1")
        .attr("maxlength", limit.to_string())
        .attr("dir", "auto")
        .attr("aria-label", mode.texts().text_label)
        .value(text.to_owned())
        .on("input", move |event| {
            let typed = typed(&event);
            note_typed(&typing, |face| {
                if let Panel::Text(text, _) = &mut face.panel {
                    *text = typed;
                }
            });
        });
    let (saving, face) = (controller.clone(), row.face.clone());
    let save = move || {
        if let Some((text, base)) = panel_text(&face) {
            saving.save_text(id, &text, base);
        }
    };
    form(controller, id, mode, mode.texts().save, vec![field.view()], save)
}

fn panel_text(face: &ArcRwSignal<Face>) -> Option<(String, u64)> {
    face.with_untracked(|face| match &face.panel {
        Panel::Text(text, base) => Some((text.clone(), *base)),
        _ => None,
    })
}

/// The form for note, assignee and due date.
#[must_use]
pub fn details(controller: &Controller, row: &Row, mode: &Mode, details: &Details) -> AnyView {
    let texts = mode.texts();
    let id = row.id;
    let limit = controller.with_state(|state| state.meta.limits.note);
    let note = el("textarea")
        .attr("rows", "2")
        .attr("maxlength", limit.to_string())
        .value(details.note.clone().unwrap_or_default())
        .on("input", on_detail(row, |details, value| details.note = Some(value)));
    let assignee = el("input")
        .attr("type", "text")
        .attr("autocomplete", "off")
        .attr("maxlength", "200")
        .value(details.assignee.clone().unwrap_or_default())
        .on("input", on_detail(row, |details, value| details.assignee = Some(value)));
    let due = el("input")
        .attr("type", "datetime-local")
        .value(details.due.flatten().map(browser::local_input).unwrap_or_default())
        .on("input", on_detail(row, |details, value| details.due = Some(due_of(&value))));
    let fields = vec![
        field("note", texts.note, note.attr("dir", "auto")),
        el("div")
            .class("fields")
            .child(field("assignee", texts.assignee, assignee.attr("dir", "auto")))
            .child(field("due", texts.due_date, due))
            .view(),
    ];
    let (saving, face) = (controller.clone(), row.face.clone());
    let save = move || {
        let typed = face.with_untracked(|face| match &face.panel {
            Panel::Details(details, base, _) => Some((details.clone(), *base)),
            _ => None,
        });
        if let Some((details, base)) = typed {
            saving.save_details(id, &details, base);
        }
    };
    form(controller, id, mode, texts.save, fields, save)
}

fn on_detail(row: &Row, set: fn(&mut Details, String)) -> impl FnMut(Event) + 'static {
    let face = row.face.clone();
    move |event| {
        let value = typed(&event);
        note_typed(&face, |face| {
            if let Panel::Details(details, ..) = &mut face.panel {
                set(details, value);
            }
        });
    }
}

/// The form for the reason of "not applicable".
#[must_use]
pub fn reason(controller: &Controller, row: &Row, mode: &Mode, text: &str, missing: bool) -> AnyView {
    let texts = mode.texts();
    let id = row.id;
    let item = row.item.get_untracked();
    let label = if item.not_applicable_needs_reason { texts.reason_label } else { texts.reason_optional };
    let limit = controller.with_state(|state| state.meta.limits.note);
    let face = row.face.clone();
    let mut input = el("input")
        .attr("type", "text")
        .attr("autocomplete", "off")
        .attr("maxlength", limit.to_string())
        .attr("dir", "auto")
        .value(text.to_owned())
        .on("input", move |event| {
            let typed = typed(&event);
            note_typed(&face, |face| {
                if let Panel::Reason(text, _) = &mut face.panel {
                    *text = typed;
                }
            });
        });
    if missing {
        input = input.attr("aria-invalid", "true").attr("aria-describedby", "reason-missing");
    }
    let mut fields = vec![field("reason", label, input)];
    if missing {
        let hint = el("p").class("hint danger").attr("id", "reason-missing").text(texts.reason_needed);
        fields.push(hint.view());
    }
    let (saving, face) = (controller.clone(), row.face.clone());
    let save = move || {
        let reason = face.with_untracked(|face| match &face.panel {
            Panel::Reason(text, _) => Some(text.clone()),
            _ => None,
        });
        if let Some(reason) = reason {
            saving.give_reason(id, &reason);
        }
    };
    form(controller, id, mode, texts.not_applicable, fields, save)
}

/// The form for a position.
#[must_use]
pub fn position(controller: &Controller, row: &Row, mode: &Mode, text: &str) -> AnyView {
    let texts = mode.texts();
    let id = row.id;
    let item = row.item.get_untracked();
    let count = controller.with_state(|state| moves::siblings(state, item.parent_id).len()).to_string();
    let label = fill(texts.position_label, &[("count", &count)]);
    let face = row.face.clone();
    let input = el("input")
        .attr("type", "number")
        .attr("min", "1")
        .attr("max", count)
        .attr("inputmode", "numeric")
        .value(text.to_owned())
        .on("input", move |event| {
            let typed = typed(&event);
            note_typed(&face, |face| {
                if let Panel::Position(text) = &mut face.panel {
                    *text = typed;
                }
            });
        });
    let (moving, face) = (controller.clone(), row.face.clone());
    let save = move || {
        let typed = face.with_untracked(|face| match &face.panel {
            Panel::Position(text) => text.trim().parse().ok(),
            _ => None,
        });
        match typed {
            Some(position) => moving.move_to(id, position),
            None => moving.close(id),
        }
    };
    form(controller, id, mode, texts.move_it, vec![field("position", label, input)], save)
}

fn field(id: &'static str, label: impl Into<std::borrow::Cow<'static, str>>, input: El) -> AnyView {
    // Only one form of a kind is open at a row, but many rows may have one: the label holds its
    // field, so that no id has to be unique.
    let label = el("span").class("label").text(label);
    el("label").class("field").attr("data-field", id).el(label).el(input.class("input")).view()
}

/// Fields with a button that stores and one that leaves. Enter stores, also from a text area;
/// Escape leaves.
fn form(
    controller: &Controller,
    id: ItemId,
    mode: &Mode,
    label: &'static str,
    fields: Vec<AnyView>,
    save: impl Fn() + Clone + 'static,
) -> AnyView {
    let texts = mode.texts();
    let (leaving, cancelling) = (controller.clone(), controller.clone());
    let on_key = save.clone();
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
                "Enter" if in_field && !key.shift_key() => {
                    event.prevent_default();
                    event.stop_propagation();
                    on_key();
                }
                "Escape" => {
                    event.prevent_default();
                    event.stop_propagation();
                    leaving.close(id);
                }
                _ => {}
            }
        })
        .children(fields)
        .el(el("div")
            .class("actions")
            .el(button("button primary", label, move |_| save()))
            .el(button("button plain", texts.cancel, move |_| cancelling.close(id))))
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
