//! Sentences about what has happened, for the screen and for the live region.
//!
//! Times are formatted for the reader's day.

use checklist_shared::Timestamp;
use checklist_shared::item::Status;

use crate::i18n::actor::name_of;
use crate::i18n::due::is_today;
use crate::i18n::fill;
use crate::model::mode::Mode;
use crate::model::notice::{Attribution, Notice};
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

/// A moment inside of a sentence: "at 10:30 PM", "on Nov 18, 10:30 PM".
#[must_use]
pub fn moment_in_sentence(time: Timestamp, mode: Mode) -> String {
    let texts = mode.texts();
    let text = if is_today(time.as_millis(), reader::today()) {
        texts.at_time()
    } else {
        texts.on_date()
    };
    fill(text, &[("when", &moment(time, mode))])
}

/// The sentence of a notice.
#[must_use]
pub fn sentence(notice: &Notice, mode: Mode) -> String {
    let texts = mode.texts();
    match notice {
        Notice::StatusTaken(status, attribution) => {
            let text = match status {
                Status::Done => texts.done_by_other(),
                Status::NotApplicable => texts.not_applicable_by_other(),
                Status::Open => texts.opened_by_other(),
            };
            deed_sentence(text, attribution, mode)
        }
        Notice::WordingChanged(attribution) => {
            deed_sentence(texts.wording_conflict(), attribution, mode)
        }
        Notice::TextTaken { attribution, .. } => {
            deed_sentence(texts.text_conflict(), attribution, mode)
        }
        Notice::FieldTaken(attribution, _) => {
            deed_sentence(texts.changed_by_other(), attribution, mode)
        }
        Notice::Refused(refusal, _) => refusal.sentence(texts),
    }
}

fn deed_sentence(text: &str, attribution: &Attribution, mode: Mode) -> String {
    let texts = mode.texts();
    let who = attribution.who.as_ref();
    let who = who.map_or_else(String::new, |who| name_of(who, texts));
    let who = if who.is_empty() {
        texts.somebody()
    } else {
        &who
    };
    match attribution.at {
        Some(at) => {
            let when = moment_in_sentence(at, mode);
            fill(text, &[("who", who), ("when", &when)])
        }
        None => fill(&text.replace(" {when}", ""), &[("who", who)]),
    }
}
