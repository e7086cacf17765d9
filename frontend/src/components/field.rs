//! The fields of the small forms: single-line, multi-line, and the label around them.
//!
//! A field shows the value in the row's state and stores there what is typed, see `editor`.

use leptos::prelude::*;
use web_sys::Event;

use super::at::ViewContext;
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

/// A field of one line.
#[component]
pub fn Line(
    /// The control and row that store the input.
    at: ViewContext,
    /// The `type` of the input.
    kind: &'static str,
    /// The initial value.
    text: String,
    /// Notes what is typed.
    note: fn(ViewContext, &Event),
    /// The maximum length, in characters.
    #[prop(optional)]
    limit: Option<usize>,
    /// For a number from one: the largest.
    #[prop(optional)]
    most: Option<usize>,
    /// The id of the error message, if the value is invalid.
    #[prop(optional)]
    described_by: Option<Option<String>>,
    /// What it is for, where nothing around it says so.
    #[prop(optional)]
    label: Option<&'static str>,
    /// The list below it, from which something can be chosen.
    #[prop(optional)]
    choices: Option<Option<Choices>>,
) -> impl IntoView {
    let described_by = described_by.flatten();
    let choices = choices.flatten();
    let list = choices
        .as_ref()
        .filter(|it| it.is_open)
        .map(|it| it.list.clone());
    let active = choices.as_ref().and_then(|it| it.active.clone());
    view! {
        <input
            class="input"
            autocomplete="off"
            dir="auto"
            {..Kept::Attribute("type", kind)}
            value=text
            aria-label=label
            placeholder=label
            maxlength=limit.map(|limit| limit.to_string())
            min=most.map(|_| "1")
            max=most.map(|most| most.to_string())
            inputmode=most.map(|_| "numeric")
            aria-invalid=described_by.as_ref().map(|_| "true")
            aria-describedby=described_by
            role=choices.as_ref().map(|_| "combobox")
            aria-autocomplete=choices.as_ref().map(|_| "list")
            aria-expanded=choices
                .as_ref()
                .map(|choices| if choices.is_open { "true" } else { "false" })
            aria-controls=list
            aria-activedescendant=active
            on:input=at.on(note)
        />
    }
    .into_any()
}

/// A field of several lines.
#[component]
pub fn Area(
    /// The control and row that store the input.
    at: ViewContext,
    /// The number of visible lines.
    rows: &'static str,
    /// The maximum length, in characters.
    limit: usize,
    /// The initial value. HTML parsers drop the first line break of a text area, so this is set as
    /// a text node.
    text: String,
    /// Notes what is typed.
    note: fn(ViewContext, &Event),
    /// What it is for, where nothing around it says so.
    #[prop(optional)]
    label: Option<&'static str>,
    /// The id of the error message, if the value is invalid.
    #[prop(optional)]
    described_by: Option<Option<String>>,
    /// The list below it, from which something can be chosen.
    #[prop(optional)]
    choices: Option<Option<Choices>>,
) -> impl IntoView {
    let described_by = described_by.flatten();
    let choices = choices.flatten();
    let list = choices
        .as_ref()
        .filter(|it| it.is_open)
        .map(|it| it.list.clone());
    let active = choices.as_ref().and_then(|it| it.active.clone());
    view! {
        <textarea
            class="input"
            dir="auto"
            rows=rows
            maxlength=limit.to_string()
            aria-label=label
            aria-invalid=described_by.as_ref().map(|_| "true")
            aria-describedby=described_by
            aria-autocomplete=choices.as_ref().map(|_| "list")
            aria-controls=list
            aria-activedescendant=active
            on:input=at.on(note)
        >
            {text}
        </textarea>
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
