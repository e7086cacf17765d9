//! The fields for what an item is done with: evidence, the reason where it overrides a signal, and the
//! answer. In the rows of the control and of the worklist.
//!
//! Invariant: what was typed stays in sight, also where the item does not ask for it any more.

use checklist_shared::item::{Item, Status};
use checklist_shared::proposal::{Evidence, is_web_address};
use leptos::prelude::*;

use super::answer;
use super::field::{Field, Input};
use super::form::{RowForm, note_typed};
use crate::i18n::{Texts, fill};
use crate::model::answer::typed_answer;
use crate::model::support::{SupportField, SupportForm};

/// The fields, with what is missing or not accepted once that was complained about.
pub fn support_fields<F: RowForm>(
    form: &F,
    item: &Item,
    typed: SupportForm,
    is_missing: bool,
) -> AnyView {
    let words = form.words();
    let texts = words.texts;
    let evidence = typed
        .has_evidence(item)
        .then(|| evidence_fields(form, item, &typed, is_missing));
    let lacks_reason = is_missing && typed.lacks_reason(item);
    let SupportForm { reason, answer, .. } = typed;
    let reason = if item.would_override(Status::Done) {
        let id = lacks_reason.then(|| form.dom_id("reason-missing"));
        let complaint = id.clone().map(|id| complaint(id, texts.reason_needed()));
        let on_input = note_typed(form, SupportField::Reason);
        let reason = view! { <Input text=reason on_input described_by=id /> }.into_any();
        let field = view! {
            <Field label=override_label(item, texts)>{reason}</Field>
            {complaint}
        };
        Some(field.into_any())
    } else {
        unasked(&reason, texts)
    };
    let answer = match &item.answer_format {
        Some(format) => {
            let lacks_answer = is_missing && typed_answer(format, &answer, words).is_none();
            Some(answer::field(form, format, answer, lacks_answer))
        }
        None => unasked(&answer, texts),
    };
    view! {
        {evidence}
        {reason}
        {answer}
    }
    .into_any()
}

fn evidence_fields<F: RowForm>(
    form: &F,
    item: &Item,
    typed: &SupportForm,
    is_missing: bool,
) -> AnyView {
    let texts = form.words().texts;
    let is_lacking = is_missing && typed.lacks_evidence(item);
    let id = form.dom_id("evidence-hint");
    let hint = match (item.requires_evidence, is_lacking) {
        (true, true) => Some(texts.evidence_needed()),
        (true, false) => None,
        (false, _) => Some(texts.evidence_unneeded()),
    };
    let class = if is_lacking { "hint danger" } else { "hint" };
    let (described, hint_id) = (hint.map(|_| id.clone()), id);
    let hint = hint.map(|hint| view! { <p class=class id=hint_id>{hint}</p> }.into_any());
    // Only what is missing is marked, so that the focus goes there.
    let is_invalid = is_lacking && typed.name.trim().is_empty();
    let (text, described_by) = (typed.name.clone(), described.clone());
    let on_input = note_typed(form, SupportField::EvidenceName);
    let name = view! { <Input text on_input limit=200 described_by is_invalid /> }.into_any();
    let is_invalid = is_lacking && !is_web_address(typed.url.trim());
    let (text, described_by) = (typed.url.clone(), described);
    let on_input = note_typed(form, SupportField::EvidenceUrl);
    let limit = Evidence::URL;
    let url = view! { <Input kind="url" text on_input limit described_by is_invalid /> };
    let url = url.into_any();
    view! {
        <Field label=texts.evidence_name().to_owned()>{name}</Field>
        <Field label=texts.evidence_url().to_owned()>{url}</Field>
        {hint}
    }
    .into_any()
}

fn complaint(id: String, sentence: &'static str) -> AnyView {
    view! { <p class="hint danger" id=id>{sentence}</p> }.into_any()
}

/// What was typed before the item stopped asking for it.
fn unasked(typed: &str, texts: &Texts) -> Option<AnyView> {
    let typed = typed.trim();
    (!typed.is_empty()).then(|| {
        let sentence = fill(texts.not_asked_any_more(), &[("text", typed)]);
        view! { <p class="hint" dir="auto">{sentence}</p> }.into_any()
    })
}

/// The label of the reason why a signal is overridden.
pub fn override_label(item: &Item, texts: &Texts) -> String {
    let signal = item.signal.as_ref();
    let source = signal.map_or("", |signal| signal.source.as_str());
    fill(texts.override_reason(), &[("source", source)])
}
