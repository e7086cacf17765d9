//! The row that adds: a button that becomes a field, and stays one for the next item.
//!
//! The end of the list has one, each section has one in its menu. Called by `control::view`
//! and `list`.

use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::at::At;
use super::editor::typed;
use super::element::{View, button, el, nothing};
use super::icon::{PLUS, icon};
use crate::browser;
use crate::control::screen::Face;
use crate::i18n::{fill, plural};
use crate::state::list::text_of;

/// The row for a section, or for the end of the list where the place has no item.
#[must_use]
pub fn add_row(at: At, face: &Face) -> View {
    if !at.mode.add {
        nothing()
    } else if face.adding == Some(at.item) {
        field(at, &face.new_text)
    } else if at.item.is_none() {
        opener(at, face.summary.room)
    } else {
        nothing()
    }
}

/// Opens the field.
pub fn open(at: At) {
    at.show(|face| face.adding = Some(at.item));
    at.controller.focus_on(".add input");
}

/// The button; beside it how much still fits in, once it is little.
fn opener(at: At, room: Option<u32>) -> View {
    let texts = at.texts();
    let room = room.map(|room| plural(at.mode.words, texts.left(), room, &[]));
    el("div|add")
        .el(el("button|type=button|class=button add-button")
            .on("click", at, |at, _| open(at))
            .child(icon(PLUS))
            .el(el("span").text(texts.add_item())))
        .el(el("span|class=hint").text(room.unwrap_or_default()))
        .view()
}

fn field(at: At, text: &str) -> View {
    let texts = at.texts();
    let limit = at.controller.with_state(|state| state.meta.limits.text);
    let label = at.read(|section| fill(texts.add_to(), &[("section", text_of(section))]));
    el("div|class=add open|part=add")
        .on("keydown", at, on_key)
        .el(el("input|class=input|type=text|autocomplete=off|dir=auto")
            .attr("maxlength", limit.to_string())
            .attr(
                "aria-label",
                label.unwrap_or_else(|| texts.new_item().to_owned()),
            )
            .fixed("placeholder", texts.new_item())
            .attr("typed", text.to_owned())
            .on("input", at, |at, event| {
                let typed = typed(event);
                at.controller
                    .screen()
                    .face
                    .note(|face| face.new_text = typed);
            }))
        .el(button("button", texts.add(), at, |at, _| store(at)))
        .el(button("button plain", texts.close(), at, |at, _| close(at)))
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
    let text = at.face(|face| face.new_text.clone());
    at.controller.add(&text, at.item);
    at.controller.focus_on(".add input");
}

fn close(at: At) {
    at.show(|face| face.adding = None);
    at.controller.focus_on(".add-button");
}
