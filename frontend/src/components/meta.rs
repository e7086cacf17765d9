//! What stands under a row's text: required, who, until when, by whom, and what has changed.
//!
//! Says in words whatever colour or a sign says too. Pure of signals: drawn anew with its row.
//! Called by `row`.

use checklist_shared::item::{Item, Kind, Status};
use checklist_shared::{Due, Timestamp};

use super::at::At;
use super::element::{El, View, button, el};
use crate::control::mode::Mode;
use crate::i18n::due::{Nearness, is_overdue, is_today, nearness};
use crate::i18n::fill;
use crate::reader;
use crate::state::list::resolve;

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

/// The line under the text; `None` when there is nothing to say.
#[must_use]
pub fn meta(item: &Item, mode: Mode) -> Option<El> {
    let texts = mode.texts();
    let is_open = item.status == Status::Open;
    let mut parts: Vec<View> = Vec::new();
    let mut say = |part: El| parts.push(part.view());
    // Without boxes the words carry the status.
    if !mode.boxes && item.kind == Kind::Item {
        say(el("span|class=status").text(status(item, mode)));
    }
    if is_open {
        if item.required {
            say(el("span|required").text(texts.required()));
        }
        if let Some(who) = &item.assignee {
            say(person("assignee", who, who.clone()));
        }
        if let Some(due) = item.due {
            say(el("span|due").text(due_sentence(due, mode)));
        }
    } else if let (Some(by), Some(at)) = (&item.status_by, item.status_at) {
        let when = moment(at, mode);
        // Until the server has answered, a page without a token does not know who is writing.
        say(if by.name.is_empty() {
            el("span|by").text(when)
        } else {
            let values = [("who", by.name.as_str()), ("when", &when)];
            person("by", &by.name, fill(texts.by_at(), &values))
        });
    }
    if item.changed_since_checked {
        say(el("span|class=changed").text(texts.changed_since()));
    }
    (!parts.is_empty()).then(|| el("div|meta").children(parts))
}

/// What stands under that: reason, note, the wording that was confirmed, the template's offer.
#[must_use]
pub fn remarks(at: At, item: &Item) -> Vec<View> {
    let texts = at.texts();
    let mut remarks: Vec<View> = Vec::new();
    let mut say = |class: &'static str, sentence: String| {
        remarks.push(el("p").class(class).text(sentence).view());
    };
    match item.reason.as_deref() {
        _ if item.status != Status::NotApplicable => {}
        Some(reason) => say(
            "reason",
            fill(texts.not_applicable_because(), &[("reason", reason)]),
        ),
        // Where there are no boxes the line above has said it.
        None if at.mode.boxes => say("reason", texts.not_applicable().to_owned()),
        None => {}
    }
    if let Some(attested) = item
        .attested
        .as_ref()
        .filter(|_| item.changed_since_checked)
    {
        say(
            "reason",
            fill(texts.attested(), &[("text", &attested.text)]),
        );
    }
    if let Some(note) = &item.note {
        let note = el("p|note|dir=auto").text(note.clone());
        remarks.push(note.view());
    }
    let offer = item
        .template_text
        .as_ref()
        .map(resolve)
        .filter(|text| *text != resolve(&item.text));
    if let Some(text) = offer.filter(|_| item.retired_at.is_none()) {
        let take = at.mode.edit.then(|| {
            button("button inline", texts.use_template(), at, |at, _| {
                at.act(|controller, id| controller.use_template_text(id))
            })
        });
        let offer = el("p|class=reason")
            .text(fill(texts.template_says(), &[("text", text)]))
            .text(" ")
            .maybe(take);
        remarks.push(offer.view());
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

fn person(class: &'static str, name: &str, sentence: String) -> El {
    el("span")
        .named(class)
        .el(avatar(initials(name)))
        .el(el("bdi").text(sentence))
}

/// A round sign with a few letters on it.
pub(super) fn avatar(letters: String) -> El {
    el("span|class=avatar|aria-hidden=true").text(letters)
}

/// Two letters for a name, as they are written in it; the style sheet makes them large. (What
/// knows the letters of the world by their size is a tenth of the download.)
pub(super) fn initials(name: &str) -> String {
    let mut words = name
        .split(|c: char| !may_begin(c))
        .filter_map(|word| word.chars().next());
    let first = words.next();
    let last = words.next_back();
    first.into_iter().chain(last).collect()
}

/// Whether a character can be one of a name: no sign or blank of ASCII, Latin 1 or the block of
/// general punctuation.
const fn may_begin(c: char) -> bool {
    c.is_ascii_alphanumeric() || (c > '\u{bf}' && !matches!(c, '\u{2000}'..='\u{206f}'))
}

#[cfg(test)]
mod tests {
    use super::initials;

    #[test]
    fn a_name_shrinks_to_its_first_and_last_letter() {
        assert_eq!(initials("M. Keller"), "MK");
        assert_eq!(initials("anna maria jansen"), "aj");
        assert_eq!(initials("operator"), "o");
        assert_eq!(initials("…"), "");
    }
}
