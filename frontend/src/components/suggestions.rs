//! Suggests people below the field for an assignee or a mention: a combobox with a listbox.
//!
//! The focus stays in the field. Arrow keys move through the people, Enter takes one, Escape closes
//! only the list. It takes space below the field instead of overlaying it, so that nothing clips it.

use checklist_shared::assignee::{Assignee, ambiguous_names};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlTextAreaElement};

use super::at::ViewContext;
use super::avatar::{Avatar, initials};
use super::field::Choices;
use crate::browser;
use crate::model::item_fields::{DetailField, Details};
use crate::model::message::UserAction;
use crate::model::suggestions::{Answer, Suggestions, mention};
use crate::port::Person;
use crate::screen::Panel;

/// The suggestions in the row, or in the bar of a selection.
fn offered_people(at: ViewContext) -> Option<Suggestions> {
    if at.item.is_none() {
        return at.card(|card| card.selected.suggestions.clone());
    }
    let panel = at.row(|row| row.panel.clone())?;
    match panel {
        Panel::Details(form) => form.suggestions,
        _ => None,
    }
}

/// What a field that offers people says of them; `None` where the host has none.
pub(super) fn choices(
    at: ViewContext,
    field: DetailField,
    suggestions: Option<&Suggestions>,
) -> Option<Choices> {
    if !at.controller.has_people() {
        return None;
    }
    let offers = suggestions.filter(|it| it.field == field);
    let is_open =
        offers.is_some_and(|it| matches!(&it.answer, Answer::People(people) if !people.is_empty()));
    let active = offers.and_then(|it| it.active);
    Some(Choices {
        list: at.dom_id("people"),
        is_open,
        active: active.map(|number| option_id(at, number)),
    })
}

fn option_id(at: ViewContext, number: usize) -> String {
    at.dom_id(&["person-", &number.to_string()].concat())
}

/// The list below a field, or a sentence in its place.
pub(super) fn list(
    at: ViewContext,
    field: DetailField,
    suggestions: Option<&Suggestions>,
) -> Option<AnyView> {
    let offers = suggestions.filter(|it| it.field == field)?;
    let texts = at.texts();
    let hint = |text: &'static str| view! { <p class="hint">{text}</p> }.into_any();
    let people = match &offers.answer {
        Answer::Awaited => return None,
        Answer::Loading => return Some(hint(texts.people_loading())),
        Answer::Failed => return Some(hint(texts.people_failed())),
        Answer::People(people) if people.is_empty() => return Some(hint(texts.no_matches())),
        Answer::People(people) => people,
    };
    let assignees: Vec<_> = people.iter().map(Person::assignee).collect();
    let ambiguous = ambiguous_names(assignees.iter());
    let options: Vec<_> = people
        .iter()
        .zip(&assignees)
        .enumerate()
        .map(|(number, (person, who))| {
            let id = who.distinction(&ambiguous).unwrap_or_default();
            let detail = [person.detail.as_str(), id];
            let detail = detail.into_iter().find(|text| !text.is_empty());
            option(
                at,
                number,
                &person.name,
                detail,
                offers.active == Some(number),
            )
        })
        .collect();
    let view = view! {
        <ul
            class="suggestions"
            part="suggestions"
            role="listbox"
            id=at.dom_id("people")
            aria-label=texts.people_offered()
        >
            {options}
        </ul>
    };
    Some(view.into_any())
}

fn option(
    at: ViewContext,
    number: usize,
    name: &str,
    detail: Option<&str>,
    is_active: bool,
) -> AnyView {
    let detail = detail.map(|text| view! { <bdi class="hint">{text.to_owned()}</bdi> }.into_any());
    let at = at.number(number as u32);
    // The focus stays in the field.
    let press = at.on::<web_sys::MouseEvent>(|_, event| event.prevent_default());
    let choose = at.on::<web_sys::MouseEvent>(|at, event| choose(at, event, at.number as usize));
    view! {
        <li
            class="suggestion"
            role="option"
            id=option_id(at, number)
            aria-selected=if is_active { "true" } else { "false" }
            on:mousedown=press
            on:click=choose
        >
            <Avatar letters=initials(name) />
            <bdi>{name.to_owned()}</bdi>
            {detail}
        </li>
    }
    .into_any()
}

/// An assignee is being typed.
pub(super) fn on_assignee(at: ViewContext, text: &str) {
    let text = text.trim();
    ask(
        at,
        DetailField::Assignee,
        (!text.is_empty()).then_some(text),
    );
}

/// A note is being typed, in which somebody may be mentioned.
pub(super) fn on_note(at: ViewContext, event: &Event) {
    let found = area(event).and_then(|area| mention_before_caret(&area));
    let prefix = found.as_ref().map(|(_, prefix)| prefix.as_str());
    ask(at, DetailField::Note, prefix);
}

fn ask(at: ViewContext, field: DetailField, prefix: Option<&str>) {
    let is_closed = offered_people(at).is_none();
    if !at.controller.has_people() || (prefix.is_none() && is_closed) {
        return;
    }
    let prefix = prefix.map(str::to_owned);
    at.controller
        .does(UserAction::Suggest(at.item, field, prefix));
}

fn close(at: ViewContext, field: DetailField) {
    at.controller
        .does(UserAction::Suggest(at.item, field, None));
}

/// Does what a key means for the people that are offered; whether that was all it means.
pub(super) fn on_key(at: ViewContext, event: &Event, key: &str) -> bool {
    let (controller, owner) = (at.controller, at.item);
    let Some(offers) = offered_people(at) else {
        let field = input(event).filter(|input| input.type_() == "text");
        return match field {
            Some(field) if key == "ArrowDown" && controller.has_people() => {
                controller.does(UserAction::Suggest(
                    owner,
                    DetailField::Assignee,
                    Some(field.value()),
                ));
                true
            }
            _ => false,
        };
    };
    let is_list = matches!(&offers.answer, Answer::People(people) if !people.is_empty());
    match (key, offers.active) {
        ("ArrowDown" | "ArrowUp", _) if is_list => {
            controller.does(UserAction::StepSuggestion(owner, key == "ArrowUp"));
            true
        }
        ("Enter", Some(number)) => {
            choose(at, event, number);
            true
        }
        ("Escape", _) if offers.answer != Answer::Awaited => {
            close(at, offers.field);
            true
        }
        ("Tab" | "Escape", _) => {
            close(at, offers.field);
            false
        }
        _ => false,
    }
}

/// Takes a person over into the field.
fn choose(at: ViewContext, event: &Event, number: usize) {
    let Some(offers) = offered_people(at) else {
        return;
    };
    let Answer::People(people) = &offers.answer else {
        return;
    };
    let Some(person) = people.get(number) else {
        return;
    };
    let editor = browser::origin(event)
        .and_then(|origin| origin.closest(".editor, .selection").ok().flatten());
    let Some(editor) = editor else { return };
    let find = |selector: &str| editor.query_selector(selector).ok().flatten();
    let name = person.name.as_str();
    if offers.field == DetailField::Assignee {
        let field = find("input[type=text]").and_then(|it| it.dyn_into().ok());
        if let Some(field) = field {
            let field: HtmlInputElement = field;
            field.set_value(name);
        }
        take_assignee(at, person.assignee());
    } else if let Some(area) = find("textarea").and_then(|it| it.dyn_into().ok()) {
        let area: HtmlTextAreaElement = area;
        insert(&area, name);
        note_details(at, |details| details.note = Some(area.value()));
    }
    close(at, offers.field);
}

/// Notes who was picked, for a row or for all that is selected.
fn take_assignee(at: ViewContext, who: Assignee) {
    if at.item.is_none() {
        at.controller
            .note(|card| card.selected.assignee = Some(who));
    } else {
        note_details(at, |details| details.assignee = Some(who));
    }
}

fn note_details(at: ViewContext, change: impl FnOnce(&mut Details)) {
    let Some(id) = at.item else { return };
    at.controller.note_row(id, |row| {
        if let Panel::Details(form) = &mut row.panel {
            change(&mut form.details);
        }
    });
}

/// Puts a name into the place of what was typed behind the `@`.
fn insert(area: &HtmlTextAreaElement, name: &str) {
    let Some((begin, prefix)) = mention_before_caret(area) else {
        return;
    };
    let end = begin + 1 + prefix.encode_utf16().count() as u32;
    let inserted = ["@", name, " "].concat();
    let _ = area.set_range_text_with_start_and_end(&inserted, begin, end);
    let caret = begin + inserted.encode_utf16().count() as u32;
    let _ = area.set_selection_range(caret, caret);
}

fn mention_before_caret(area: &HtmlTextAreaElement) -> Option<(u32, String)> {
    let caret = area.selection_start().ok().flatten()?;
    mention(&area.value(), caret)
}

fn area(event: &Event) -> Option<HtmlTextAreaElement> {
    browser::origin(event)?.dyn_into().ok()
}

fn input(event: &Event) -> Option<HtmlInputElement> {
    browser::origin(event)?.dyn_into().ok()
}
