//! The search bar of a long list: the field, the number of matches, a button that clears it.
//!
//! It is sticky. Escape clears the field; arrow down and Enter go to the first match. The model
//! decides which rows are shown; `filtered` hides the others.

use checklist_shared::ItemId;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent, MouseEvent};

use super::at::{ViewContext, nothing};
use super::field::input_value;
use super::icon::{CROSS, Icon};
use crate::STILL;
use crate::i18n::fill;
use crate::model::message::UserAction;

/// The selector of the search field.
const FIELD: &str = ".search > input";

/// The bar; nothing in a short list.
#[component]
pub fn SearchBar(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(bar)
}

fn bar(at: ViewContext) -> AnyView {
    at.follow_card();
    at.follow_mode();
    let search = at.card(|card| card.search.clone());
    if !search.is_offered {
        return nothing();
    }
    let texts = at.texts();
    if STILL {
        // Reserves the space of the field, which could not work yet.
        return view! {
            <div class="search room">
                <span class="input">{texts.search_items()}</span>
            </div>
        }
        .into_any();
    }
    let number = |n| at.mode().words.number(n);
    let found = match (&search.filter, search.found) {
        (None, _) => String::new(),
        (_, 0) => texts.no_matches().to_owned(),
        (_, found) => {
            let (found, total) = (number(found), number(search.total));
            fill(texts.count_of(), &[("done", &found), ("total", &total)])
        }
    };
    let note =
        at.on::<Event>(|at, event| at.controller.does(UserAction::Search(input_value(event))));
    let clear = at.on::<MouseEvent>(|at, _| empty(at));
    let is_empty = search.text.is_empty();
    view! {
        <div class="search" part="search">
            <input
                class="input"
                type="search"
                autocomplete="off"
                dir="auto"
                enterkeyhint="search"
                aria-label=texts.search_items()
                placeholder=texts.search_items()
                value=search.text
                on:input=note
                on:keydown=at.on(on_key)
            />
            <p class="found" part="found">
                {found}
            </p>
            <button
                type="button"
                class="button icon plain"
                title=texts.clear_search()
                aria-label=texts.clear_search()
                aria-disabled=is_empty.then_some("true")
                on:click=clear
            >
                <Icon path=CROSS />
            </button>
        </div>
    }
    .into_any()
}

fn on_key(at: ViewContext, event: &Event) {
    let key = event
        .dyn_ref::<KeyboardEvent>()
        .filter(|key| !key.is_composing());
    let Some(key) = key.map(KeyboardEvent::key) else {
        return;
    };
    match key.as_str() {
        "Escape" if !at.card(|card| card.search.text.is_empty()) => {
            event.prevent_default();
            event.stop_propagation();
            empty(at);
        }
        // Enter sends no form.
        "Enter" => go_to_first(at),
        "ArrowDown" => go_to_first(at),
        _ => return,
    }
    event.prevent_default();
}

fn go_to_first(at: ViewContext) {
    if let Some(first) = first(at) {
        at.controller.focus_row(first);
    }
}

/// The first row that is shown.
fn first(at: ViewContext) -> Option<ItemId> {
    let screen = at.controller.screen();
    screen.groups.with_untracked(|groups| {
        let mut rows = groups.iter().flat_map(|(_, rows)| rows);
        let is_shown = |id: &ItemId| !at.card(|card| card.search.hides(*id));
        rows.find(|id| is_shown(id)).copied()
    })
}

fn empty(at: ViewContext) {
    let field = at.controller.find(FIELD);
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok()) {
        field.set_value("");
    }
    at.controller.does(UserAction::Search(String::new()));
    at.controller.focus_on(FIELD);
}

/// Whether something is searched for that a row does not have; drawn again when that changes.
pub(super) fn filter_of(at: ViewContext) -> Filtering {
    let card = at.controller.screen();
    card.card.with(|card| card.search.filter.clone())
}

/// The rows that are shown; `None`: all.
pub(super) type Filtering = Option<std::sync::Arc<crate::model::search::Filter>>;
