//! The fields of the small forms: single-line, multi-line, and the label around them.
//!
//! A field shows the value in the row's state and stores there what is typed, see `editor`.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, HtmlTextAreaElement, KeyboardEvent};

use super::at::Listener;
use crate::browser;
use crate::kept::Kept;

/// What a field says of the list of those that can be chosen for it.
#[derive(Clone)]
pub struct Choices {
    /// The id of the list.
    pub list: String,
    /// Whether it is there.
    pub is_open: bool,
    /// The id of the one that Enter takes.
    pub active: Option<String>,
}

/// A field of one line, or of several.
#[component]
pub fn Input(
    /// The initial value.
    text: String,
    /// Notes what is typed.
    on_input: Listener<Event>,
    /// The `type` of a field of one line.
    #[prop(default = "text")]
    kind: &'static str,
    /// The number of visible lines of a field of several.
    #[prop(optional)]
    rows: Option<&'static str>,
    /// The maximum length, in characters.
    #[prop(optional)]
    limit: Option<usize>,
    /// For a number from one: the largest.
    #[prop(optional)]
    most: Option<usize>,
    /// The id of what is said about the value: an error, unless `is_invalid` says otherwise.
    #[prop(optional)]
    described_by: Option<Option<String>>,
    /// Whether the value is invalid.
    #[prop(optional)]
    is_invalid: Option<bool>,
    /// Which keys a phone shows.
    #[prop(optional)]
    inputmode: Option<&'static str>,
    /// What it is for, where nothing around it says so.
    #[prop(optional)]
    label: Option<&'static str>,
    /// The list below it, from which something can be chosen.
    #[prop(optional)]
    choices: Option<Option<Choices>>,
) -> impl IntoView {
    let described_by = described_by.flatten();
    let is_invalid = is_invalid
        .unwrap_or(described_by.is_some())
        .then_some("true");
    let choices = choices.flatten();
    let has_list = choices.as_ref().map(|_| "list");
    let is_open = choices.as_ref().map(|choices| choices.is_open);
    let (list, active) = choices.map(|it| (it.list, it.active)).unzip();
    let list = list.filter(|_| is_open == Some(true));
    let limit = limit.map(|limit| limit.to_string());
    if let Some(rows) = rows {
        // HTML parsers drop the first line break of a text area, so its text is set as a node.
        return view! {
            <textarea
                class="input"
                dir="auto"
                rows=rows
                maxlength=limit
                aria-label=label
                aria-invalid=is_invalid
                aria-describedby=described_by
                aria-autocomplete=has_list
                aria-controls=list
                aria-activedescendant=active.flatten()
                on:input=on_input
            >
                {text}
            </textarea>
        }
        .into_any();
    }
    view! {
        <input
            class="input"
            autocomplete="off"
            dir="auto"
            {..Kept::Attribute("type", kind)}
            value=text
            placeholder=label
            maxlength=limit
            min=most.map(|_| "1")
            max=most.map(|most| most.to_string())
            inputmode=inputmode.or(most.map(|_| "numeric"))
            role=has_list.map(|_| "combobox")
            aria-label=label
            aria-invalid=is_invalid
            aria-describedby=described_by
            aria-autocomplete=has_list
            aria-expanded=is_open.map(|is_open| if is_open { "true" } else { "false" })
            aria-controls=list
            aria-activedescendant=active.flatten()
            on:input=on_input
        />
    }
    .into_any()
}

/// A field inside its label: many rows may have one open, and so no id has to be unique.
#[component]
pub fn Field(
    /// The text of the label.
    label: String,
    /// The labelled field.
    children: Children,
) -> impl IntoView {
    view! {
        <label class="field">
            <span class="label">{label}</span>
            {children()}
        </label>
    }
    .into_any()
}

/// What a key asks of the form around the field that has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKey {
    /// Enter: store it. With Shift a field of several lines has a further line.
    Save,
    /// Escape: let go of it.
    Leave,
}

/// Reads a key that was pressed. Enter that ends the composition of a character is not Enter to us.
pub(crate) fn form_key(event: &Event) -> Option<FormKey> {
    let key = event.dyn_ref::<KeyboardEvent>()?;
    let in_field = browser::origin(event).is_some_and(|element| element.tag_name() != "BUTTON");
    match key.key().as_str() {
        _ if key.is_composing() => None,
        "Enter" if in_field && !key.shift_key() => Some(FormKey::Save),
        "Escape" => Some(FormKey::Leave),
        _ => None,
    }
}

/// The value of the field that an event came from.
pub(crate) fn input_value(event: &Event) -> String {
    let Some(origin) = browser::origin(event) else {
        return String::new();
    };
    match origin.dyn_ref::<HtmlInputElement>() {
        Some(input) => input.value(),
        None => origin
            .dyn_ref::<HtmlTextAreaElement>()
            .map(HtmlTextAreaElement::value)
            .unwrap_or_default(),
    }
}
