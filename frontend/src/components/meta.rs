//! What stands under a row's text: required, who, until when, by whom, and what has changed.
//!
//! Says in words whatever colour or a sign says too. Follows nothing: drawn anew with its row.
//! Called by `row`.

use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::{Due, Timestamp};
use leptos::prelude::*;

use super::at::At;
use super::avatar::{Avatar, initials};
use super::button::Button;
use web_sys::Event;

use crate::control::mode::Mode;
use crate::i18n::due::{Nearness, is_overdue, is_today, nearness};
use crate::i18n::fill;
use crate::model::list::resolve;
use crate::reader;

/// A moment as it reads today: the time alone, or with its date.
#[must_use]
pub fn moment(time: Timestamp, mode: Mode) -> String {
    if is_today(time.as_millis(), reader::today()) {
        reader::time_of_day(time, mode.tag)
    } else {
        reader::date_and_time(time, mode.tag)
    }
}

/// The status in a word.
#[must_use]
pub fn status(item: &Item, mode: Mode) -> &'static str {
    let texts = mode.texts();
    match item.status {
        Status::Open => texts.open(),
        Status::Done => texts.done(),
        Status::NotApplicable => texts.not_applicable(),
    }
}

/// Whether the item is late.
#[must_use]
pub fn is_late(item: &Item) -> bool {
    item.status == Status::Open && item.due.is_some_and(|due| is_overdue(due, reader::today()))
}

/// The line under the text; nothing when there is nothing to say.
pub(super) fn meta(item: &Item, mode: Mode) -> Option<AnyView> {
    let texts = mode.texts();
    let is_open = item.status == Status::Open;
    let mut parts: Vec<AnyView> = Vec::new();
    // Without boxes the words carry the status.
    if !mode.boxes && item.kind == Kind::Item {
        parts.push(said("status", None, status(item, mode).to_owned()));
    }
    if is_open {
        if item.required {
            let text = texts.required().to_owned();
            parts.push(said("required", Some("required"), text));
        }
        if let Some(who) = &item.assignee {
            parts.push(person("assignee", who, who.clone()));
        }
        if let Some(due) = item.due {
            parts.push(said("due", Some("due"), due_sentence(due, mode)));
        }
    } else if let (Some(by), Some(at)) = (&item.status_by, item.status_at) {
        let when = moment(at, mode);
        // Until the server has answered, a page without a token does not know who is writing.
        parts.push(if by.name.is_empty() {
            said("by", Some("by"), when)
        } else {
            let values = [("who", by.name.as_str()), ("when", &when)];
            person("by", &by.name, fill(texts.by_at(), &values))
        });
    }
    if item.changed_since_checked {
        parts.push(said("changed", None, texts.changed_since().to_owned()));
    }
    (!parts.is_empty()).then(|| view! { <div class="meta" part="meta">{parts}</div> }.into_any())
}

fn said(class: &'static str, part: Option<&'static str>, text: String) -> AnyView {
    view! { <span class=class part=part>{text}</span> }.into_any()
}

fn person(class: &'static str, name: &str, sentence: String) -> AnyView {
    view! {
        <span class=class part=class>
            <Avatar letters=initials(name) />
            <bdi>{sentence}</bdi>
        </span>
    }
    .into_any()
}

/// What stands under that: reason, note, the wording that was confirmed, the template's offer.
pub(super) fn remarks(at: At, item: &Item) -> Vec<AnyView> {
    let texts = at.texts();
    let mode = at.mode();
    let mut remarks: Vec<AnyView> = Vec::new();
    let reason = |sentence: String| view! { <p class="reason">{sentence}</p> }.into_any();
    match item.reason.as_deref() {
        _ if item.status != Status::NotApplicable => {}
        Some(given) => remarks.push(reason(fill(
            texts.not_applicable_because(),
            &[("reason", given)],
        ))),
        // Where there are no boxes the line above has said it.
        None if mode.boxes => remarks.push(reason(texts.not_applicable().to_owned())),
        None => {}
    }
    if let Some(attested) = item
        .attested
        .as_ref()
        .filter(|_| item.changed_since_checked)
    {
        remarks.push(reason(fill(texts.attested(), &[("text", &attested.text)])));
    }
    if let Some(note) = item.note.clone() {
        remarks.push(view! { <p class="note" part="note" dir="auto">{note}</p> }.into_any());
    }
    let offer = item
        .template_text
        .as_ref()
        .map(resolve)
        .filter(|text| *text != resolve(&item.text));
    if let Some(text) = offer.filter(|_| item.retired_at.is_none()) {
        let take = mode.edit.then(|| {
            let act: fn(At, &Event) =
                |at, _| at.act(|controller, id| controller.use_template_text(id));
            view! { <Button class="button inline" label=texts.use_template() at act /> }.into_any()
        });
        let offer = fill(texts.template_says(), &[("text", text)]);
        let offer = view! {
            <p class="reason">
                {offer}
                " "
                {take}
            </p>
        };
        remarks.push(offer.into_any());
    }
    remarks
}

/// The due date in a sentence.
fn due_sentence(due: Due, mode: Mode) -> String {
    let texts = mode.texts();
    let time = |due| reader::time_of_day(due, mode.tag);
    match (nearness(due, reader::today()), due) {
        (Nearness::Late, Due::At(due)) => fill(texts.late(), &[("when", &moment(due, mode))]),
        (Nearness::Late, Due::Day(day)) => {
            fill(texts.late(), &[("when", &reader::date(day, mode.tag))])
        }
        (Nearness::Today, Due::At(due)) => fill(texts.due_today(), &[("time", &time(due))]),
        (Nearness::Today, Due::Day(_)) => texts.due_on_this_day().to_owned(),
        (Nearness::Tomorrow, Due::At(due)) => fill(texts.due_tomorrow(), &[("time", &time(due))]),
        (Nearness::Tomorrow, Due::Day(_)) => texts.due_on_the_next_day().to_owned(),
        (Nearness::Later, Due::At(due)) => {
            let when = reader::date_and_time(due, mode.tag);
            fill(texts.due_on(), &[("when", &when)])
        }
        (Nearness::Later, Due::Day(day)) => {
            fill(texts.due_on(), &[("when", &reader::date(day, mode.tag))])
        }
    }
}
