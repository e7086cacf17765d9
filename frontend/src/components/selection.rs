//! The selection bar: how many rows are selected, and what can be done with all of them.
//!
//! It is sticky at the bottom of the list; rows that get the focus are scrolled clear of it
//! (`style/selection.css`).

use checklist_shared::assignee::Assignee;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent};

use super::at::{ViewContext, nothing};
use super::button::Button;
use super::field::{Input, input_value};
use super::late::late;
use super::suggestions::{self, choices, list};
use crate::i18n::plural;
use crate::model::bulk::{Bulk, SkipReason};
use crate::model::item_fields::DetailField;
use crate::model::message::UserAction;
use crate::model::selecting::SelectionChange;
use crate::model::suggestions::Suggestions;

/// The bar; nothing while nothing is selected.
#[component]
pub fn SelectionBar(
    /// The control, and its row if there is one.
    at: ViewContext,
) -> impl IntoView {
    at.live(|at| {
        at.follow_card();
        if at.card(|card| card.selected.count == 0) {
            return nothing();
        }
        late(|views| (views.selection)(at))
    })
}

pub(super) fn selection_bar(at: ViewContext) -> AnyView {
    at.follow_mode();
    let selected = at.card(|card| card.selected.clone());
    let words = at.mode().words;
    let title = at.controller.dom_id("selected");
    let named = title.clone();
    let most = at.controller.with_state(|state| state.meta.limits.batch);
    let hint = selected.too_many.then(|| {
        let most = SkipReason::AtOnce(u32::try_from(most).unwrap_or(u32::MAX));
        view! { <p class="hint danger">{most.sentence(words)}</p> }.into_any()
    });
    let content = match selected.assignee {
        Some(who) => assign_form(at, who.name, selected.suggestions.as_ref()),
        None => actions(at),
    };
    view! {
        <div class="selection" part="selection" role="group" aria-labelledby=named>
            <p class="selection-count" id=title>
                {plural(words, words.texts.selected_count(), selected.count, &[])}
            </p>
            {hint}
            {content}
        </div>
    }
    .into_any()
}

fn actions(at: ViewContext) -> AnyView {
    let mode = at.mode();
    let texts = mode.texts();
    let button = |is_there: bool, class, label, act: fn(ViewContext, &Event)| {
        is_there.then(|| view! { <Button class label at act /> }.into_any())
    };
    view! {
        <div class="actions">
            {button(mode.check, "button", texts.check(), |at, _| change(at, Bulk::Check(true)))}
            {button(mode.check, "button", texts.uncheck(), |at, _| change(at, Bulk::Check(false)))}
            {button(mode.edit, "button assign", texts.assign(), |at, _| open(at))}
            {button(mode.delete, "button danger", texts.delete(), |at, _| change(at, Bulk::Delete))}
            {button(
                true,
                "button plain",
                texts.clear_selection(),
                |at, _| at.controller.does(UserAction::Pick(SelectionChange::Leave)),
            )}
        </div>
    }
    .into_any()
}

fn change(at: ViewContext, bulk: Bulk) {
    at.controller.does(UserAction::Bulk(bulk));
}

fn open(at: ViewContext) {
    at.show(|card| card.selected.assignee = Some(Assignee::default()));
    at.controller.focus_on(".selection input");
}

fn close(at: ViewContext) {
    at.show(|card| {
        card.selected.assignee = None;
        card.selected.suggestions = None;
    });
    at.controller.focus_on(".selection .assign");
}

fn assign_form(at: ViewContext, name: String, offered: Option<&Suggestions>) -> AnyView {
    let texts = at.texts();
    view! {
        <div class="actions" on:keydown=at.on(on_key)>
            <Input
                text=name
                on_input=at.on(note_assignee)
                limit=200
                label=texts.assignee()
                choices=choices(at, DetailField::Assignee, offered)
            />
            <Button class="button primary" label=texts.save() at act=|at, _| assign(at) />
            <Button class="button plain" label=texts.cancel() at act=|at, _| close(at) />
            {list(at, DetailField::Assignee, offered)}
        </div>
    }
    .into_any()
}

fn note_assignee(at: ViewContext, event: &Event) {
    let typed = input_value(event);
    let text = Assignee::from(typed.as_str());
    at.controller
        .note(|card| card.selected.assignee = Some(text));
    suggestions::on_assignee(at, &typed);
}

fn assign(at: ViewContext) {
    let who = at.card(|card| card.selected.assignee.clone());
    change(at, Bulk::Assign(who.unwrap_or_default()));
}

fn on_key(at: ViewContext, event: &Event) {
    let key = event.dyn_ref::<KeyboardEvent>();
    let Some(key) = key.filter(|key| !key.is_composing()) else {
        return;
    };
    let in_field = crate::browser::origin(event).is_some_and(|it| it.tag_name() == "INPUT");
    match key.key().as_str() {
        name if in_field && suggestions::on_key(at, event, name) => {}
        "Enter" if in_field => assign(at),
        "Escape" => close(at),
        _ => return,
    }
    event.prevent_default();
    event.stop_propagation();
}
