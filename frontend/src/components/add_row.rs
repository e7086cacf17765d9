//! The row that adds: a button that becomes a field, and stays one for the next item.
//!
//! The end of the list has one, each section has one in its menu. Called by `control::view`
//! and `list`.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent};

use super::at::At;
use super::editor::typed;
use super::element::{button, el, live, nothing};
use super::icon::{PLUS, icon};
use crate::browser;
use crate::i18n::{fill, plural};
use crate::state::list::text_of;

/// The row for a section, or for the end of the list where the place has no item.
#[must_use]
pub fn add_row(at: At) -> AnyView {
    if !at.mode.add {
        return nothing();
    }
    live(at, |at| {
        if at.screen().adding.get() == Some(at.item) {
            field(at)
        } else if at.item.is_none() {
            opener(at)
        } else {
            nothing()
        }
    })
}

/// Opens the field.
pub fn open(at: At) {
    at.screen().adding.set(Some(at.item));
    at.controller.focus_on(".add input");
}

fn opener(at: At) -> AnyView {
    el("div")
        .class("add")
        .part("add")
        .el(el("button")
            .attr("type", "button")
            .class("button add-button")
            .on("click", at, |at, _| open(at))
            .child(icon(PLUS))
            .el(el("span").text(at.texts().add_item)))
        .el(el("span").class("hint").live_text(at, room))
        .view()
}

/// How much still fits in, once it is little.
fn room(at: At) -> String {
    let room = at.screen().summary.with(|summary| summary.room);
    room.map(|room| plural(at.mode.language, &at.texts().left, room, &[]))
        .unwrap_or_default()
}

fn field(at: At) -> AnyView {
    let texts = at.texts();
    let limit = at.controller.with_state(|state| state.meta.limits.text);
    let section = at.item.and_then(|id| at.controller.item(id));
    let label = match &section {
        Some(section) => fill(texts.add_to, &[("section", text_of(section))]),
        None => texts.new_item.to_owned(),
    };
    el("div")
        .class("add open")
        .part("add")
        .on("keydown", at, on_key)
        .el(el("input")
            .class("input")
            .attr("type", "text")
            .attr("autocomplete", "off")
            .attr("maxlength", limit.to_string())
            .attr("dir", "auto")
            .attr("aria-label", label)
            .attr("placeholder", texts.new_item)
            .attr("value", at.screen().new_text.get_untracked())
            .on("input", at, |at, event| {
                at.screen().new_text.note(|text| *text = typed(event))
            }))
        .el(button("button", texts.add, at, |at, _| store(at)))
        .el(button("button plain", texts.close, at, |at, _| close(at)))
        .view()
}

fn on_key(at: At, event: &Event) {
    let Some(key) = event
        .dyn_ref::<KeyboardEvent>()
        .filter(|key| !key.is_composing())
    else {
        return;
    };
    let in_field = browser::origin(event).is_some_and(|element| element.tag_name() == "INPUT");
    match key.key().as_str() {
        "Enter" if in_field => {
            event.prevent_default();
            store(at);
        }
        "Escape" => {
            event.stop_propagation();
            close(at);
        }
        _ => {}
    }
}

fn store(at: At) {
    at.controller
        .add(&at.screen().new_text.get_untracked(), at.item);
    // The field is emptied by hand: its row is not drawn anew, so that the focus stays.
    let input = at.controller.find(".add input");
    if let Some(input) = input
        .as_ref()
        .and_then(|input| input.dyn_ref::<HtmlInputElement>())
    {
        input.set_value(&at.screen().new_text.get_untracked());
        let _ = input.focus();
    }
}

fn close(at: At) {
    at.screen().adding.set(None);
    at.controller.focus_on(".add-button");
}
