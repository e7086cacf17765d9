//! What a person has read of an item while a form is open in its row, and what has become of it since.
//!
//! Pure. Invariant of the forms that use it: nobody attests a wording that they have not read.

use checklist_shared::answer::AnswerFormat;
use checklist_shared::item::{Item, Status};

use super::list::text_of;
use super::notice::{Attribution, Notice};

/// What an item asks for before it is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Evidence.
    pub evidence: bool,
    /// The reason to override a signal.
    pub reason: bool,
    /// An answer of that format.
    pub answer: Option<Box<AnswerFormat>>,
}

impl Demand {
    /// What this item asks for.
    #[must_use]
    pub fn of(item: &Item) -> Self {
        Self {
            evidence: item.requires_evidence,
            reason: item.would_override(Status::Done),
            answer: item.answer_format.clone(),
        }
    }
}

/// An item as it was read, in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenItem {
    language: &'static str,
    text: String,
    /// What its form asks for.
    pub demand: Demand,
}

impl SeenItem {
    /// The item as it reads now, in the language of that tag.
    #[must_use]
    pub fn of(item: &Item, language: &'static str) -> Self {
        Self {
            language,
            text: text_of(item).to_owned(),
            demand: Demand::of(item),
        }
    }

    /// The text that was read; `None` in another language, in which the item was read anew.
    #[must_use]
    pub fn text_in(&self, language: &str) -> Option<&str> {
        (self.language == language).then_some(self.text.as_str())
    }

    /// What a person has to be told before they attest something with the item as it is now.
    #[must_use]
    pub fn change(&self, now: &Item, language: &str) -> Option<Notice> {
        let text = self.text_in(language)?;
        let attribution = Attribution::last_of(now);
        if text != text_of(now) {
            Some(Notice::WordingChanged(attribution))
        } else if self.demand != Demand::of(now) {
            Some(Notice::FieldTaken(attribution, None))
        } else {
            None
        }
    }
}
