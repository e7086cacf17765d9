//! What stands under a row's text: required, who, until when, by whom, and what has changed.
//!
//! Says in words whatever colour or a sign says too. Pure of signals: drawn anew with its row.
//! Called by `row`.

use checklist_shared::Timestamp;
use checklist_shared::item::{Item, Kind, Status};
use leptos::prelude::*;

use super::at::At;
use super::element::{El, button, el};
use crate::browser;
use crate::control::mode::Mode;
use crate::i18n::due::{Nearness, is_today, nearness};
use crate::i18n::fill;
use crate::state::list::resolve;

/// A moment as it reads today: the time alone, or with its date.
#[must_use]
pub fn moment(time: Timestamp, mode: Mode) -> String {
    if is_today(time.as_millis(), browser::today()) {
        browser::time_of_day(time, mode.tag)
    } else {
        browser::date_and_time(time, mode.tag)
    }
}

/// Whether the item is late.
#[must_use]
pub fn is_late(item: &Item) -> bool {
    item.status == Status::Open && item.due.is_some_and(|due| due.as_millis() < browser::now())
}

/// The line under the text; `None` when there is nothing to say.
#[must_use]
pub fn meta(item: &Item, mode: Mode) -> Option<AnyView> {
    let texts = mode.texts();
    let mut parts: Vec<AnyView> = Vec::new();
    // Without boxes the words carry the status.
    if !mode.boxes && item.kind == Kind::Item {
        let status = match item.status {
            Status::Open => texts.open,
            Status::Done => texts.done,
            Status::NotApplicable => texts.not_applicable,
        };
        parts.push(el("span").class("status").text(status).view());
    }
    if item.required && item.status == Status::Open {
        parts.push(
            el("span")
                .class("required")
                .part("required")
                .text(texts.required)
                .view(),
        );
    }
    if let Some(who) = item
        .assignee
        .as_ref()
        .filter(|_| item.status == Status::Open)
    {
        parts.push(person("assignee", who, who.clone()).view());
    }
    if let Some(due) = item.due.filter(|_| item.status == Status::Open) {
        parts.push(
            el("span")
                .class("due")
                .part("due")
                .text(due_sentence(due, mode))
                .view(),
        );
    }
    if let (Some(by), Some(at)) = (&item.status_by, item.status_at)
        && item.status != Status::Open
    {
        let values = [("who", by.name.as_str()), ("when", &moment(at, mode))];
        parts.push(person("by", &by.name, fill(texts.by_at, &values)).view());
    }
    if item.changed_since_checked {
        parts.push(el("span").class("changed").text(texts.changed_since).view());
    }
    (!parts.is_empty()).then(|| el("div").class("meta").part("meta").children(parts).view())
}

/// What stands under that: reason, note, the wording that was confirmed, the template's offer.
#[must_use]
pub fn remarks(at: At, item: &Item) -> Vec<AnyView> {
    let texts = at.texts();
    let mut remarks = Vec::new();
    if item.status == Status::NotApplicable {
        let sentence = match item.reason.as_deref() {
            Some(reason) => fill(texts.not_applicable_because, &[("reason", reason)]),
            None => texts.not_applicable.to_owned(),
        };
        remarks.push(
            el("p")
                .class("reason")
                .attr("dir", "auto")
                .text(sentence)
                .view(),
        );
    }
    if let Some(attested) = item
        .attested
        .as_ref()
        .filter(|_| item.changed_since_checked)
    {
        let sentence = fill(texts.attested, &[("text", &attested.text)]);
        remarks.push(
            el("p")
                .class("reason")
                .attr("dir", "auto")
                .text(sentence)
                .view(),
        );
    }
    if let Some(note) = &item.note {
        remarks.push(
            el("p")
                .class("note")
                .part("note")
                .attr("dir", "auto")
                .text(note.clone())
                .view(),
        );
    }
    let offer = item
        .template_text
        .as_ref()
        .map(resolve)
        .filter(|text| *text != resolve(&item.text));
    if let Some(text) = offer.filter(|_| item.retired_at.is_none()) {
        let sentence = fill(texts.template_says, &[("text", text)]);
        let take = at.mode.edit.then(|| {
            button("button inline", texts.use_template, at, |at, _| {
                at.act(|controller, id| controller.use_template_text(id))
            })
            .view()
        });
        let offer = el("p")
            .class("reason")
            .attr("dir", "auto")
            .text(sentence)
            .text(" ")
            .maybe(take);
        remarks.push(offer.view());
    }
    remarks
}

fn due_sentence(due: Timestamp, mode: Mode) -> String {
    let texts = mode.texts();
    let tag = mode.tag;
    match nearness(due.as_millis(), browser::today()) {
        Nearness::Late => fill(texts.late, &[("when", &moment(due, mode))]),
        Nearness::Today => fill(
            texts.due_today,
            &[("time", &browser::time_of_day(due, tag))],
        ),
        Nearness::Tomorrow => fill(
            texts.due_tomorrow,
            &[("time", &browser::time_of_day(due, tag))],
        ),
        Nearness::Later => fill(texts.due_on, &[("when", &browser::date_and_time(due, tag))]),
    }
}

fn person(class: &'static str, name: &str, sentence: String) -> El {
    let avatar = el("span")
        .class("avatar")
        .attr("aria-hidden", "true")
        .text(initials(name));
    el("span")
        .attr("class", class)
        .attr("part", class)
        .el(avatar)
        .el(el("bdi").text(sentence))
}

/// Two letters for a name.
fn initials(name: &str) -> String {
    let mut words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter_map(|word| word.chars().next());
    let first = words.next();
    let last = words.next_back();
    first
        .into_iter()
        .chain(last)
        .flat_map(char::to_uppercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::initials;

    #[test]
    fn a_name_shrinks_to_its_first_and_last_letter() {
        assert_eq!(initials("M. Keller"), "MK");
        assert_eq!(initials("anna maria jansen"), "AJ");
        assert_eq!(initials("operator"), "O");
        assert_eq!(initials("…"), "");
    }
}
