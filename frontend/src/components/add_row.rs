//! The row that adds items: a button that becomes a field, and remains one for the next item.
//!
//! There is one at the end of the list; each section offers it in its menu.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, MouseEvent};

use super::at::{ViewContext, nothing};
use super::button::Button;
use super::field::input_value;
use super::icon::{Icon, PLUS};
use super::late::late;
use crate::STILL;
use crate::browser;
use crate::i18n::{fill, plural};
use crate::model::list::text_of;
use crate::model::message::UserAction;

/// The row for a section, or for the end of the list where the place has no item.
#[component]
pub fn AddRow(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(add_row)
}

fn add_row(at: ViewContext) -> AnyView {
    at.follow_card();
    if !at.mode().add {
        return nothing();
    }
    let (adding, text, room) =
        at.card(|card| (card.adding, card.new_text.clone(), card.summary.room));
    if adding == Some(at.item) {
        late(|views| (views.field)(at, text))
    } else if at.item.is_none() {
        opener(at, room)
    } else {
        nothing()
    }
}

/// Replaces the button by the field and focuses it.
pub fn open(at: ViewContext) {
    at.controller.press(Box::new(move || {
        at.show(|card| card.adding = Some(at.item));
        at.controller.focus_on(".add input");
    }));
}

/// The button, with the remaining capacity once it is low.
fn opener(at: ViewContext, room: Option<u32>) -> AnyView {
    let texts = at.texts();
    let room = room.map(|room| plural(at.mode().words, texts.left(), room, &[]));
    let act = at.on::<MouseEvent>(|at, _| open(at));
    if STILL {
        return view! {
            <div class="add" part="add">
                <span class="button add-button room">
                    <Icon path=PLUS />
                    <span>{texts.add_item()}</span>
                </span>
            </div>
        }
        .into_any();
    }
    view! {
        <div class="add" part="add">
            <button type="button" class="button add-button" on:click=act>
                <Icon path=PLUS />
                <span>{texts.add_item()}</span>
            </button>
            <span class="hint">{room}</span>
        </div>
    }
    .into_any()
}

pub(super) fn field(at: ViewContext, text: String) -> AnyView {
    let texts = at.texts();
    let limit = at.controller.with_state(|state| state.meta.limits.text);
    let label = at.read(|section| fill(texts.add_to(), &[("section", text_of(section))]));
    // What is typed is noted without drawing, so that what was drawn last says nothing.
    let there = at.controller.find(".add input");
    if let Some(there) = there.and_then(|there| there.dyn_into::<HtmlInputElement>().ok())
        && there.value() != text
    {
        there.set_value(&text);
    }
    let note = at.on::<Event>(|at, event| {
        let typed = input_value(event);
        at.controller.note(|card| card.new_text = typed);
    });
    view! {
        <div class="add open" part="add" on:keydown=at.on(on_key)>
            <input
                class="input"
                type="text"
                autocomplete="off"
                dir="auto"
                maxlength=limit.to_string()
                aria-label=label.unwrap_or_else(|| texts.new_item().to_owned())
                placeholder=texts.new_item()
                value=text
                on:input=note
            />
            <Button class="button" label=texts.add() at act=|at, _| store(at) />
            <Button class="button plain" label=texts.close() at act=|at, _| close(at) />
        </div>
    }
    .into_any()
}

fn on_key(at: ViewContext, event: &Event) {
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
            // A dialog around the list stays.
            event.prevent_default();
            event.stop_propagation();
            close(at);
        }
        _ => {}
    }
}

fn store(at: ViewContext) {
    let text = at.card(|card| card.new_text.clone());
    at.controller.does(UserAction::Add(text, at.item));
    at.controller.focus_on(".add input");
}

fn close(at: ViewContext) {
    at.show(|card| card.adding = None);
    at.controller.focus_on(".add-button");
}
