//! What an item asks for beyond a tick: in its row what was answered, or else what is accepted; in its form
//! the field. Part of what describes the box.

use checklist_shared::answer::{AnswerFormat, AnswerType};
use checklist_shared::facts::Facts;
use checklist_shared::item::{Item, Status};
use leptos::prelude::*;

use super::at::nothing;
use super::field::{Field, Input};
use super::form::{RowForm, note_typed};
use crate::i18n::fill;
use crate::kept::Kept;
use crate::model::answer::{answer_text, asked_text, bounds_text};
use crate::model::list::resolve;
use crate::model::mode::Mode;
use crate::model::support::SupportField;

/// The line about the answer of the row.
pub(crate) fn answer(item: &Item, mode: Mode) -> AnyView {
    let words = mode.words;
    let line = match (item.answer(), &item.answer_format) {
        (Some(answer), _) => {
            let answer = answer_text(answer, words);
            Some(fill(words.texts.answered(), &[("answer", &answer)]))
        }
        (None, Some(format)) if item.status == Status::Open => asked_text(format, words),
        _ => None,
    };
    let Some(line) = line else { return nothing() };
    let class = if item.answer().is_some() {
        "answer"
    } else {
        "reason asked"
    };
    view! {
        <p class=class part="answer">
            <bdi>{line}</bdi>
        </p>
    }
    .into_any()
}

/// The field for the answer, with what is wrong in it.
pub(super) fn field<F: RowForm>(
    form: &F,
    format: &AnswerFormat,
    typed: String,
    missing: bool,
) -> AnyView {
    let words = form.words();
    let texts = words.texts;
    let note = || note_typed(form, SupportField::Answer);
    let bounds = bounds_text(format, words).filter(|_| format.min.or(format.max).is_some());
    let complaint = missing.then(|| match format.kind {
        AnswerType::Number => texts.number_needed(),
        _ => texts.answer_needed(),
    });
    let id = form.dom_id("answer");
    let hint = match (complaint, bounds) {
        (Some(complaint), Some(bounds)) => Some([complaint, " ", &bounds].concat()),
        (Some(complaint), None) => Some(complaint.to_owned()),
        (None, bounds) => bounds,
    };
    let described_by = hint.as_ref().map(|_| id.clone());
    let class = if missing { "hint danger" } else { "hint" };
    let hint = hint.map(|hint| view! { <p class=class id=id>{hint}</p> }.into_any());
    let label = match &format.unit {
        Some(unit) => fill(texts.answer_in(), &[("unit", resolve(unit))]),
        None => texts.answer().to_owned(),
    };
    let field = match format.kind {
        AnswerType::Choice => choices(form, format, &typed, label, described_by),
        AnswerType::Number => {
            let (on_input, is_invalid) = (note(), missing);
            let inputmode = "decimal";
            let number = view! { <Input text=typed on_input inputmode is_invalid described_by /> };
            let number = number.into_any();
            view! { <Field label>{number}</Field> }.into_any()
        }
        AnswerType::Text => {
            let (on_input, is_invalid) = (note(), missing);
            let limit = Facts::TEXT;
            let text =
                view! { <Input text=typed on_input rows="2" limit is_invalid described_by /> };
            let text = text.into_any();
            view! { <Field label>{text}</Field> }.into_any()
        }
    };
    view! {
        {field}
        {hint}
    }
    .into_any()
}

fn choices<F: RowForm>(
    form: &F,
    format: &AnswerFormat,
    chosen: &str,
    label: String,
    described_by: Option<String>,
) -> AnyView {
    let name = form.dom_id("choice");
    let choices = format.choices.iter().map(|choice| {
        let is_chosen = choice.key == chosen;
        view! {
            <label class="answer-choice">
                <input
                    {..Kept::Attribute("type", "radio")}
                    class="answer-radio"
                    name=name.clone()
                    value=choice.key.clone()
                    checked=is_chosen
                    on:change=note_typed(form, SupportField::Answer)
                />
                <bdi>{resolve(&choice.text).to_owned()}</bdi>
            </label>
        }
        .into_any()
    });
    let choices: Vec<AnyView> = choices.collect();
    // Typed before the item asked for a choice.
    let is_chosen = (format.choices.iter()).any(|choice| choice.key == chosen);
    let typed = (!is_chosen && !chosen.is_empty()).then(|| {
        let typed = fill(form.words().texts.quoted(), &[("text", chosen)]);
        view! { <p class="hint"><bdi>{typed}</bdi></p> }.into_any()
    });
    view! {
        <fieldset class="answer-choices" aria-describedby=described_by>
            <legend class="label">{label}</legend>
            {choices}
            {typed}
        </fieldset>
    }
    .into_any()
}
