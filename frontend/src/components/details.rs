//! The form of details in the item's row: note, assignee and due date of items, and what of their
//! definition the person may change.
//!
//! A due date is a day with an optional time. Typing is stored without rendering; a field error is
//! shown below its field.

use checklist_shared::assignee::Assignee;
use checklist_shared::definition::DefinitionField;
use checklist_shared::item::Kind;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, MouseEvent};

use super::at::{ViewContext, nothing};
use super::button::Button;
use super::field::{Field, Input, input_value};
use super::icon::{CROSS, Icon};
use super::suggestions::{self, choices, list};
use crate::browser;
use crate::kept::Kept;
use crate::model::details::DetailsForm;
use crate::model::item_fields::DetailField;
use crate::model::item_fields::Details;
use crate::model::message::UserAction;
use crate::screen::Panel;

/// The fields of the form.
pub(super) fn details(at: ViewContext, form: DetailsForm) -> AnyView {
    let texts = at.texts();
    let shown = at.controller.with_state(|state| {
        let item = state.live(at.item?)?;
        let limits = (state.meta.limits.note, state.meta.limits.help);
        Some((item.kind == Kind::Item, state.changeable(item), limits))
    });
    let Some((is_item, changeable, (limit, help_limit))) = shown else {
        return nothing();
    };
    let DetailsForm {
        details,
        fault,
        is_draft,
        suggestions,
        ..
    } = form;
    let offers = suggestions.as_ref();
    let offered = |field| (choices(at, field, offers), list(at, field, offers));
    let (note_choices, note_list) = offered(DetailField::Note);
    let (assignee_choices, assignee_list) = offered(DetailField::Assignee);
    let draft = is_draft.then(|| draft(at));
    // The id of what is wrong with a field, and the sentence.
    let wrong = |field: DetailField| {
        let fault = fault.as_ref().filter(|(at, _)| *at == field)?;
        let id = at.dom_id("fault");
        let sentence = fault.1.sentence(texts).to_owned();
        let view = view! { <p class="hint danger" id=id.clone()>{sentence}</p> }.into_any();
        Some((id, view))
    };
    let (note_id, note_fault) = wrong(DetailField::Note).unzip();
    let (assignee_id, assignee_fault) = wrong(DetailField::Assignee).unzip();
    let (due_id, due_fault) = wrong(DetailField::Due).unzip();
    let due = details.due.flatten().map(browser::local_input);
    let due = due.unwrap_or_default();
    let (day, time) = due.split_once('T').unwrap_or((&due, ""));
    let (day, time) = (day.to_owned(), time.to_owned());
    let (help_id, help_fault) = wrong(DetailField::Help).unzip();
    let help = changeable.contains(DefinitionField::Help).then(|| {
        let text = details.help.clone().unwrap_or_default();
        let field = view! {
            <Field label=texts.help_field().to_owned()>
                <Input
                    rows="4"
                    limit=help_limit
                    text
                    on_input=at.on(note_help)
                    described_by=help_id
                />
            </Field>
            {help_fault}
        };
        field.into_any()
    });
    let required = (changeable.contains(DefinitionField::Required)).then(|| {
        switch(
            at,
            texts.required(),
            details.required == Some(true),
            note_required,
        )
    });
    let info = (changeable.contains(DefinitionField::Kind)).then(|| {
        let is_info = details.kind == Some(Kind::Info);
        switch(at, texts.for_information(), is_info, note_kind)
    });
    let definition = view! {
        {help}
        {required}
        {info}
    };
    if !is_item {
        return view! {
            {draft}
            {definition}
        }
        .into_any();
    }
    view! {
        {draft}
        <Field label=texts.note().to_owned()>
            <Input
                rows="2"
                limit
                text=details.note.unwrap_or_default()
                on_input=at.on(note_note)
                described_by=note_id
                choices=note_choices
            />
        </Field>
        {note_list}
        {note_fault}
        <div class="fields">
            <div class="clearable">
                <Field label=texts.assignee().to_owned()>
                    <Input
                        text=details.assignee.unwrap_or_default().name
                        on_input=at.on(note_assignee)
                        limit=200
                        described_by=assignee_id
                        choices=assignee_choices
                    />
                </Field>
                {clear(at, texts.clear_assignee(), clear_assignee)}
                {assignee_list}
            </div>
            <div class="clearable">
                <Field label=texts.due_date().to_owned()>
                    <Input kind="date" text=day on_input=at.on(note_due) described_by=due_id />
                </Field>
                <Field label=texts.due_time().to_owned()>
                    <Input kind="time" text=time on_input=at.on(note_due) />
                </Field>
                {clear(at, texts.clear_due(), clear_due)}
            </div>
        </div>
        {assignee_fault}
        {due_fault}
        {definition}
    }
    .into_any()
}

/// A checkbox with its label.
fn switch(
    at: ViewContext,
    label: &'static str,
    is_on: bool,
    note: fn(ViewContext, &Event),
) -> AnyView {
    view! {
        <label class="answer-choice">
            <input
                {..Kept::Attribute("type", "checkbox")}
                class="answer-radio"
                checked=is_on
                on:change=at.on(note)
            />
            {label}
        </label>
    }
    .into_any()
}

/// Says that what was typed earlier is still there, and lets go of it.
fn draft(at: ViewContext) -> AnyView {
    let texts = at.texts();
    let discard: fn(ViewContext, &Event) = |at, _| {
        at.act(|controller, id| {
            // Closed before it is left, so that nothing of it is kept.
            controller.note_row(id, |row| row.panel = Panel::Closed);
            controller.does(UserAction::Close(id));
        });
    };
    view! {
        <p class="hint">
            {texts.details_draft()} " "
            <Button class="button inline" label=texts.discard() at act=discard />
        </p>
    }
    .into_any()
}

fn clear(at: ViewContext, label: &'static str, act: fn(ViewContext, &Event)) -> AnyView {
    let act = at.on::<MouseEvent>(act);
    view! {
        <button
            type="button"
            class="button icon plain"
            title=label
            aria-label=label
            on:click=act
        >
            <Icon path=CROSS />
        </button>
    }
    .into_any()
}

fn note(at: ViewContext, change: impl FnOnce(&mut Details)) {
    at.act(|controller, id| {
        controller.note_row(id, |row| {
            if let Panel::Details(form) = &mut row.panel {
                change(&mut form.details);
            }
        });
    });
}

fn note_note(at: ViewContext, event: &Event) {
    let typed = input_value(event);
    note(at, |details| details.note = Some(typed));
    suggestions::on_note(at, event);
}

fn note_assignee(at: ViewContext, event: &Event) {
    let typed = input_value(event);
    suggestions::on_assignee(at, &typed);
    note(at, |details| details.assignee = Some(typed.into()));
}

fn note_help(at: ViewContext, event: &Event) {
    let typed = input_value(event);
    note(at, |details| details.help = Some(typed));
}

fn note_required(at: ViewContext, event: &Event) {
    let is_on = is_checked(event);
    note(at, |details| details.required = Some(is_on));
}

fn note_kind(at: ViewContext, event: &Event) {
    let kind = if is_checked(event) {
        Kind::Info
    } else {
        Kind::Item
    };
    note(at, |details| details.kind = Some(kind));
}

fn is_checked(event: &Event) -> bool {
    let input = browser::origin(event).and_then(|origin| origin.dyn_into().ok());
    input.is_some_and(|input: HtmlInputElement| input.checked())
}

fn note_due(at: ViewContext, event: &Event) {
    let Some(editor) = editor_of(event) else {
        return;
    };
    let (day, time) = (input(&editor, DAY), input(&editor, TIME));
    // A browser has no value for what is filled in by half.
    let is_whole = [&day, &time]
        .into_iter()
        .flatten()
        .all(HtmlInputElement::check_validity);
    let value = |input: Option<HtmlInputElement>| input.map(|input| input.value());
    let (day, time) = (
        value(day).unwrap_or_default(),
        value(time).unwrap_or_default(),
    );
    let due = match (day.as_str(), time.as_str()) {
        _ if !is_whole => None,
        ("", "") => Some(None),
        ("", _) => None,
        (day, "") => browser::parse_due(day).map(Some),
        (day, time) => browser::parse_due(&[day, "T", time].concat()).map(Some),
    };
    note(at, |details| details.due = due);
}

const DAY: &str = "input[type=date]";
const TIME: &str = "input[type=time]";

fn clear_assignee(at: ViewContext, event: &Event) {
    empty(event, &["input[type=text]"]);
    note(at, |details| details.assignee = Some(Assignee::default()));
}

fn clear_due(at: ViewContext, event: &Event) {
    empty(event, &[TIME, DAY]);
    note(at, |details| details.due = Some(None));
}

/// Empties fields of the form; the last one takes the focus.
fn empty(event: &Event, fields: &[&str]) {
    let Some(editor) = editor_of(event) else {
        return;
    };
    for field in fields.iter().filter_map(|field| input(&editor, field)) {
        field.set_value("");
        let _ = field.focus();
    }
}

fn editor_of(event: &Event) -> Option<Element> {
    browser::origin(event)?.closest(".editor").ok().flatten()
}

fn input(editor: &Element, selector: &str) -> Option<HtmlInputElement> {
    let found = editor.query_selector(selector).ok().flatten();
    found.and_then(|found| found.dyn_into().ok())
}
