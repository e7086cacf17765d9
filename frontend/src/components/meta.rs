//! The details of a row next to its text: at the end of the line who completed it; in the second
//! line whether it is required, its assignee and due date; below that, remarks.
//!
//! A tick adds and removes no line. Colours and icons are always repeated as text. Tracks nothing: it
//! is rendered again with its row.

use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::template::CompletionRule;
use checklist_shared::{Due, Timestamp};
use leptos::prelude::*;

use super::at::ViewContext;
use super::avatar::{Avatar, initials};
use super::button::Button;
use web_sys::Event;

use crate::i18n::actor::name_of;
use crate::i18n::due::{DueStatus, is_overdue, nearness};
use crate::i18n::fill;
use crate::model::list::resolve;
use crate::model::message::UserAction;
use crate::model::mode::Mode;
use crate::reader;
use crate::wording::moment;

/// The status of an item in a word.
#[must_use]
pub fn status(item: &Item, mode: Mode) -> &'static str {
    word(item.status, mode)
}

/// A status in a word.
pub(super) fn word(status: Status, mode: Mode) -> &'static str {
    let texts = mode.texts();
    match status {
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

/// Who has set the status, and when, at the end of the text's line; the status in a word where no
/// box says it. Its title has the date too, for paper.
pub(super) fn by_line(item: &Item, mode: Mode) -> Option<AnyView> {
    if item.kind != Kind::Item {
        return None;
    }
    let texts = mode.texts();
    let is_set_aside = item.status == Status::NotApplicable;
    let is_said = !mode.boxes || (is_set_aside && item.reason.is_none());
    let word = is_said.then(|| status(item, mode));
    let set = match (item.status, &item.status_by, item.status_at) {
        (Status::Open, ..) => None,
        (_, Some(by), Some(at)) => Some((by, at)),
        _ => None,
    };
    let name = set.map_or_else(String::new, |(by, _)| name_of(by, texts));
    let sentence = |write: fn(Timestamp, Mode) -> String| {
        let by = set.map(|(_, at)| {
            let when = write(at, mode);
            // Until the server has answered, a page without a token does not know who is writing.
            if name.is_empty() {
                when
            } else {
                fill(texts.by_at(), &[("who", &name), ("when", &when)])
            }
        });
        let parts: Vec<&str> = word.into_iter().chain(by.as_deref()).collect();
        parts.join(texts.comma())
    };
    let short = sentence(moment);
    if short.is_empty() {
        return None;
    }
    let whole = set.map(|_| sentence(|at, mode| reader::date_and_time(at, mode.tag)));
    let person = set.map(|(by, _)| by.acted_for().name.as_str());
    let avatar = person
        .filter(|name| !name.is_empty())
        .map(|name| view! { <Avatar letters=initials(name) /> }.into_any());
    let view = view! {
        <span class="by" part="by" title=whole>
            {avatar}
            <bdi>{short}</bdi>
        </span>
    };
    Some(view.into_any())
}

/// The second line; nothing when there is nothing to say. The same whatever the status is.
pub(super) fn meta(at: ViewContext, item: &Item) -> Option<AnyView> {
    let mode = at.mode();
    let texts = mode.texts();
    let mut parts: Vec<AnyView> = Vec::new();
    let rule = at
        .controller
        .with_state(|state| state.list.completion_rule());
    if item.counts() && rule == CompletionRule::Required {
        let (class, text) = if item.required {
            ("required", texts.required())
        } else {
            ("optional", texts.optional())
        };
        parts.push(view! { <span class=class part=class>{text}</span> }.into_any());
    }
    if let Some(who) = &item.assignee {
        let id = at.controller.with_state(|state| {
            let id = who.distinction(&state.ambiguous_names);
            id.map(str::to_owned)
        });
        let id = id.map(|id| view! { <bdi class="assignee-id">{id}</bdi> }.into_any());
        let part = view! {
            <span class="assignee" part="assignee">
                <Avatar letters=initials(&who.name) />
                <bdi>{who.name.clone()}</bdi>
                {id}
            </span>
        };
        parts.push(part.into_any());
    }
    if let Some(due) = item.due {
        let whole = due_on(due, mode);
        let sentence = due_sentence(due, item.status == Status::Open, mode);
        let whole = (whole != sentence).then_some(whole);
        let part = view! {
            <span class="due" part="due" title=whole>
                <bdi>{sentence}</bdi>
            </span>
        };
        parts.push(part.into_any());
    }
    if item.changed_since_checked {
        parts.push(view! { <span class="changed">{texts.changed_since()}</span> }.into_any());
    }
    (!parts.is_empty()).then(|| view! { <div class="meta" part="meta">{parts}</div> }.into_any())
}

/// The lines below it: that it waits for a second person, reason, note, the confirmed wording, the
/// template's new text.
pub(super) fn remarks(at: ViewContext, item: &Item) -> Vec<AnyView> {
    let texts = at.texts();
    let mode = at.mode();
    let mut remarks: Vec<AnyView> = Vec::new();
    let reason = |sentence: String| view! { <p class="reason">{sentence}</p> }.into_any();
    if item.awaits_confirmation() {
        remarks.push(reason(texts.awaits_second().to_owned()));
    }
    // Without a reason the end of the text's line has said it.
    let given = item.reason.as_deref();
    if let Some(given) = given.filter(|_| item.status == Status::NotApplicable) {
        let sentence = fill(texts.not_applicable_because(), &[("reason", given)]);
        remarks.push(reason(sentence));
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
            let act: fn(ViewContext, &Event) = |at, _| at.does(UserAction::UseTemplateText);
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

/// The due date in a sentence; what is resolved is not overdue any more.
pub(crate) fn due_sentence(due: Due, is_open: bool, mode: Mode) -> String {
    let texts = mode.texts();
    let time = |due| reader::time_of_day(due, mode.tag);
    match (nearness(due, reader::today()), due) {
        (DueStatus::Late, Due::At(due)) if is_open => {
            fill(texts.late(), &[("when", &moment(due, mode))])
        }
        (DueStatus::Late, Due::Day(day)) if is_open => {
            fill(texts.late(), &[("when", &reader::date(day, mode.tag))])
        }
        (DueStatus::Today, Due::At(due)) => fill(texts.due_today(), &[("time", &time(due))]),
        (DueStatus::Today, Due::Day(_)) => texts.due_on_this_day().to_owned(),
        (DueStatus::Tomorrow, Due::At(due)) => fill(texts.due_tomorrow(), &[("time", &time(due))]),
        (DueStatus::Tomorrow, Due::Day(_)) => texts.due_on_the_next_day().to_owned(),
        _ => due_on(due, mode),
    }
}

/// The due date with its day, as it reads on any other day too.
pub(crate) fn due_on(due: Due, mode: Mode) -> String {
    let when = match due {
        Due::At(due) => reader::date_and_time(due, mode.tag),
        Due::Day(day) => reader::date(day, mode.tag),
    };
    fill(mode.texts().due_on(), &[("when", &when)])
}

/// A due date on its own.
pub(super) fn due_text(due: Due, mode: Mode) -> String {
    match due {
        Due::At(due) => moment(due, mode),
        Due::Day(day) => reader::date(day, mode.tag),
    }
}
