//! The row that adds: a button that becomes a field, and stays one for the next item.
//!
//! The end of the list has one, each section has one in its menu. Called by `control::view`
//! and `list`.

use checklist_shared::ItemId;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

use super::editor::typed;
use super::element::{button, el, live, nothing};
use super::icon::{PLUS, icon};
use crate::control::Controller;
use crate::control::mode::Mode;
use crate::i18n::fill;
use crate::state::list::text_of;

/// The row for a section, or for the end of the list.
#[must_use]
pub fn add_row(controller: &Controller, mode: &Mode, section: Option<ItemId>) -> AnyView {
    if !mode.add {
        return nothing();
    }
    let open = controller.screen().adding.clone();
    let (controller, mode) = (controller.clone(), mode.clone());
    live(move || {
        if open.get() == Some(section) {
            field(&controller, &mode, section)
        } else if section.is_none() {
            opener(&controller, &mode)
        } else {
            nothing()
        }
    })
}

/// Opens the field.
pub fn open(controller: &Controller, section: Option<ItemId>) {
    controller.screen().adding.set(Some(section));
    controller.focus_on(".add input");
}

fn opener(controller: &Controller, mode: &Mode) -> AnyView {
    let opening = controller.clone();
    let room = room(controller, mode);
    el("div")
        .class("add")
        .part("add")
        .el(el("button")
            .attr("type", "button")
            .class("button add-button")
            .on("click", move |_| open(&opening, None))
            .child(icon(PLUS))
            .el(el("span").text(mode.texts().add_item)))
        .child(room)
        .view()
}

/// How much still fits in, once it is little.
fn room(controller: &Controller, mode: &Mode) -> AnyView {
    let summary = controller.screen().summary.clone();
    let language = mode.language;
    live(move || match summary.with(|summary| summary.room) {
        Some(room) => {
            let text = crate::i18n::plural(language, &language.texts().left, room, &[]);
            el("span").class("hint").text(text).view()
        }
        None => nothing(),
    })
}

fn field(controller: &Controller, mode: &Mode, section: Option<ItemId>) -> AnyView {
    let texts = mode.texts();
    let typing = controller.screen().new_text.clone();
    let limit = controller.with_state(|state| state.meta.limits.text);
    let label = section
        .and_then(|id| controller.item(id))
        .map_or(texts.new_item.to_owned(), |item| fill(texts.add_to, &[("section", text_of(&item))]));
    let kept = typing.get_untracked();
    let (keys, clicking, closing) = (controller.clone(), controller.clone(), controller.clone());
    el("div")
        .class("add open")
        .part("add")
        .on("keydown", move |event| {
            let Some(key) = event.dyn_ref::<KeyboardEvent>().filter(|key| !key.is_composing()) else { return };
            let in_field = crate::browser::origin(&event).is_some_and(|element| element.tag_name() == "INPUT");
            match key.key().as_str() {
                "Enter" if in_field => {
                    event.prevent_default();
                    store(&keys, section);
                }
                "Escape" => {
                    event.stop_propagation();
                    close(&keys);
                }
                _ => {}
            }
        })
        .el(el("input")
            .class("input")
            .attr("type", "text")
            .attr("autocomplete", "off")
            .attr("maxlength", limit.to_string())
            .attr("dir", "auto")
            .attr("aria-label", label)
            .attr("placeholder", texts.new_item)
            .value(kept)
            .on("input", move |event| {
                let text = typed(&event);
                typing.note(|noted| *noted = text);
            }))
        .el(button("button", texts.add, move |_| store(&clicking, section)))
        .el(button("button plain", texts.close, move |_| close(&closing)))
        .view()
}

fn store(controller: &Controller, section: Option<ItemId>) {
    let text = controller.screen().new_text.get_untracked();
    controller.add(&text, section);
    // The field is emptied by hand: its row is not drawn anew, so that the focus stays.
    let left = controller.screen().new_text.get_untracked();
    let input = controller.find(".add input");
    if let Some(input) = input.as_ref().and_then(|input| input.dyn_ref::<web_sys::HtmlInputElement>()) {
        input.set_value(&left);
        let _ = input.focus();
    }
}

fn close(controller: &Controller) {
    controller.screen().adding.set(None);
    controller.focus_on(".add-button");
}
