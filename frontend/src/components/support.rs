//! The fields for what an item is done with: evidence, the reason where it overrides a signal, and the
//! answer. In the rows of the control and of the worklist.

use checklist_shared::item::{Item, Status};
use checklist_shared::proposal::{Evidence, is_web_address};
use leptos::prelude::*;
use web_sys::Event;

use super::answer;
use super::at::Listener;
use super::field::{Field, Input};
use crate::i18n::{Texts, Words, fill};
use crate::model::answer::typed_answer;
use crate::model::support::{SupportField, SupportForm};

/// The form around the fields.
pub struct Around<'a> {
    /// The words of the reader.
    pub words: Words,
    /// Makes an id for a part of the row that no other row has.
    pub dom_id: &'a dyn Fn(&str) -> String,
    /// Makes a listener that notes what is typed into a field.
    pub note: &'a dyn Fn(SupportField) -> Listener<Event>,
}

/// The fields, with what is missing or not accepted once that was complained about.
pub fn support_fields(
    around: &Around<'_>,
    item: &Item,
    typed: SupportForm,
    is_missing: bool,
) -> AnyView {
    let Around {
        words,
        dom_id,
        note,
    } = around;
    let texts = words.texts;
    let overrides = item.would_override(Status::Done);
    let lacks_evidence = is_missing && typed.lacks_evidence(item);
    let lacks_reason = is_missing && typed.lacks_reason(item);
    let id = (lacks_evidence || lacks_reason).then(|| dom_id("missing"));
    let complaint = if lacks_evidence {
        texts.evidence_needed()
    } else {
        texts.reason_needed()
    };
    let complaint = id
        .clone()
        .map(|id| view! { <p class="hint danger" id=id>{complaint}</p> }.into_any());
    // Only what is missing is marked, so that the focus goes there.
    let hint = |is_marked: bool| id.clone().filter(|_| is_marked);
    let name_hint = hint(lacks_evidence && typed.name.trim().is_empty());
    let url_hint = hint(lacks_evidence && !is_web_address(typed.url.trim()));
    let reason_hint = hint(lacks_reason);
    let SupportForm {
        name,
        url,
        reason,
        answer,
    } = typed;
    let evidence = item.requires_evidence.then(|| {
        let on_input = note(SupportField::EvidenceName);
        let name = view! { <Input text=name on_input limit=200 described_by=name_hint /> };
        let name = name.into_any();
        let on_input = note(SupportField::EvidenceUrl);
        let limit = Evidence::URL;
        let url = view! { <Input kind="url" text=url on_input limit described_by=url_hint /> };
        let url = url.into_any();
        view! {
            <Field label=texts.evidence_name().to_owned()>{name}</Field>
            <Field label=texts.evidence_url().to_owned()>{url}</Field>
        }
        .into_any()
    });
    let reason = overrides.then(|| {
        let on_input = note(SupportField::Reason);
        let reason = view! { <Input text=reason on_input described_by=reason_hint /> };
        let reason = reason.into_any();
        view! { <Field label=override_label(item, texts)>{reason}</Field> }.into_any()
    });
    let answer = item.answer_format.as_ref().map(|format| {
        let lacks_answer = is_missing && typed_answer(format, &answer, *words).is_none();
        answer::field(around, format, answer, lacks_answer)
    });
    view! {
        {evidence}
        {reason}
        {complaint}
        {answer}
    }
    .into_any()
}

/// The label of the reason why a signal is overridden.
pub fn override_label(item: &Item, texts: &Texts) -> String {
    let signal = item.signal.as_ref();
    let source = signal.map_or("", |signal| signal.source.as_str());
    fill(texts.override_reason(), &[("source", source)])
}
