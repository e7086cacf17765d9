//! What an item is done with beyond a tick: evidence, an answer, and the reason where it overrides a
//! signal. As typed, and as it is sent. Pure.

use checklist_shared::change::allowed::takes_support;
use checklist_shared::facts::FactValue;
use checklist_shared::item::{Item, Status};
use checklist_shared::patch::Patch;
use checklist_shared::proposal::{Evidence, is_web_address};
use checklist_shared::wire::write::UpdateItem;

use super::answer::{as_typed, typed_answer};
use crate::i18n::Words;

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupportField {
    /// Name of the evidence.
    EvidenceName,
    /// Its address.
    EvidenceUrl,
    /// Why a signal is overridden.
    Reason,
    /// The answer.
    Answer,
}

/// What is typed where an item is done with more than a tick.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SupportForm {
    /// Name of the evidence.
    pub name: String,
    /// Its address.
    pub url: String,
    /// The reason, where it overrides a signal.
    pub reason: String,
    /// The answer; of a choice its key.
    pub answer: String,
}

impl SupportForm {
    /// Selects what is missing or not accepted in the drawn form.
    pub const INVALID: &str = ".editor :is([aria-invalid], [type=radio])";

    /// Selects where the focus goes when the form opens.
    #[must_use]
    pub fn first_field(item: &Item) -> &'static str {
        let is_chosen = item.answer().is_some_and(|one| one.label.is_some())
            && (item.answer_format.as_ref()).is_some_and(|format| !format.choices.is_empty());
        if is_chosen && !item.requires_evidence {
            ".editor input:checked"
        } else {
            ".editor :is(input, textarea, button)"
        }
    }

    /// What the item has already of what it asks for.
    #[must_use]
    pub fn of(item: &Item, words: Words) -> Self {
        let evidence = item.evidence().filter(|_| item.requires_evidence).cloned();
        let (name, url) = evidence.map(|one| (one.name, one.url)).unzip();
        let answer = item.answer().filter(|_| item.answer_format.is_some());
        let answer = answer.map(|one| as_typed(one, words));
        Self {
            name: name.unwrap_or_default(),
            url: url.unwrap_or_default(),
            reason: String::new(),
            answer: answer.unwrap_or_default(),
        }
    }

    /// Whether the form is asked for before the item is done.
    #[must_use]
    pub fn is_needed(item: &Item) -> bool {
        takes_support(item) || item.would_override(Status::Done)
    }

    /// Takes in what was typed.
    pub fn note(&mut self, field: SupportField, typed: String) {
        *match field {
            SupportField::EvidenceName => &mut self.name,
            SupportField::EvidenceUrl => &mut self.url,
            SupportField::Reason => &mut self.reason,
            SupportField::Answer => &mut self.answer,
        } = typed;
    }

    /// Whether there is evidence: the item needs it, or some was typed before the item stopped needing it.
    #[must_use]
    pub fn has_evidence(&self, item: &Item) -> bool {
        item.requires_evidence || !(self.name.trim().is_empty() && self.url.trim().is_empty())
    }

    /// Whether there is evidence, and it is none: a name and an address of the web.
    #[must_use]
    pub fn lacks_evidence(&self, item: &Item) -> bool {
        self.has_evidence(item) && (self.name.trim().is_empty() || !is_web_address(self.url.trim()))
    }

    /// Whether the item needs a reason, and there is none.
    #[must_use]
    pub fn lacks_reason(&self, item: &Item) -> bool {
        item.would_override(Status::Done) && self.reason.trim().is_empty()
    }

    /// What the item is done with, unless something that it needs is missing or not accepted.
    #[must_use]
    pub fn given(&self, item: &Item, words: Words) -> Option<StatusSupport> {
        if self.lacks_evidence(item) || self.lacks_reason(item) {
            return None;
        }
        let answer = match &item.answer_format {
            Some(format) => Some(typed_answer(format, &self.answer, words)?),
            None => None,
        };
        let [name, url, reason] =
            [&self.name, &self.url, &self.reason].map(|text| text.trim().to_owned());
        Some(StatusSupport {
            reason: item.would_override(Status::Done).then_some(reason),
            evidence: (self.has_evidence(item)).then(|| Evidence::new(name, url)),
            answer,
        })
    }
}

/// What a person gives with a status.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusSupport {
    /// Why.
    pub reason: Option<String>,
    /// What supports it.
    pub evidence: Option<Evidence>,
    /// What the item asks for.
    pub answer: Option<FactValue>,
}

impl StatusSupport {
    /// At most a reason.
    #[must_use]
    pub fn because(reason: Option<String>) -> Self {
        Self {
            reason,
            ..Self::default()
        }
    }

    /// Adds it to the change that sets the status.
    pub fn put_into(self, update: &mut UpdateItem, item: &Item, status: Status) {
        update.evidence = self.evidence;
        update.answer = self.answer;
        if status == Status::NotApplicable || item.would_override(status) {
            update.reason = self.reason.map_or(Patch::Clear, Patch::Set);
        }
    }
}

#[cfg(test)]
mod tests {
    use checklist_shared::answer::{AnswerFormat, AnswerType};
    use checklist_shared::item::{Actor, Origin};
    use checklist_shared::signal::{Signal, SignalBinding};
    use checklist_shared::text::Text;
    use checklist_shared::{ItemId, Timestamp};

    use super::*;

    fn item(change: impl FnOnce(&mut Item)) -> Item {
        let mut item = Item::new(
            ItemId::from_bytes([1; 16]),
            Origin::Local,
            Text::from("Call back"),
            Actor::person("anna", "Anna"),
            Timestamp::from_millis(1_000),
        );
        change(&mut item);
        item
    }

    fn form(name: &str, url: &str, reason: &str, answer: &str) -> SupportForm {
        let [name, url, reason, answer] = [name, url, reason, answer].map(str::to_owned);
        SupportForm {
            name,
            url,
            reason,
            answer,
        }
    }

    fn of_a_signal(item: &mut Item) {
        let binding = serde_json::json!({ "Source": "CI", "Key": "build" });
        let binding: SignalBinding = serde_json::from_value(binding).expect("a signal");
        item.signal = Some(Box::new(Signal::of(&binding)));
    }

    #[test]
    fn everything_that_the_item_needs_has_to_be_there() {
        let words = Words::of("de");
        let all = item(|item| {
            item.requires_evidence = true;
            item.answer_format = Some(Box::new(AnswerFormat {
                kind: AnswerType::Number,
                ..AnswerFormat::default()
            }));
            of_a_signal(item);
        });
        assert!(SupportForm::is_needed(&all));
        let whole = ["Report", "https://example.org", "By hand", "4,5"];
        for missing in 0..whole.len() {
            let mut typed = whole;
            typed[missing] = "  ";
            let [name, url, reason, answer] = typed;
            let given = form(name, url, reason, answer).given(&all, words);
            assert_eq!(given, None, "without {}", whole[missing]);
        }
        let given = form(" Report ", " https://example.org ", " By hand ", " 4,5 ");
        let given = given.given(&all, words).expect("whole");
        assert_eq!(given.reason.as_deref(), Some("By hand"));
        let evidence = given.evidence.expect("evidence");
        assert_eq!(
            (&*evidence.name, &*evidence.url),
            ("Report", "https://example.org")
        );
        assert!(given.answer.is_some());
    }

    #[test]
    fn an_answer_and_a_reason_that_the_item_does_not_need_are_not_sent() {
        let plain = item(|_| {});
        assert!(!SupportForm::is_needed(&plain));
        let given = form("", " ", "By hand", "4,5").given(&plain, Words::of("en"));
        assert_eq!(given, Some(StatusSupport::default()));
        let bad = form("Report", "javascript:alert(1)", "", "");
        let proven = item(|item| item.requires_evidence = true);
        assert_eq!(bad.given(&proven, Words::of("en")), None);
    }

    #[test]
    fn evidence_that_was_typed_before_the_item_stopped_needing_it_is_sent_if_it_is_whole() {
        let (plain, words) = (item(|_| {}), Words::of("en"));
        let whole = form("Report", "https://example.org", "", "").given(&plain, words);
        let evidence = whole.expect("whole").evidence;
        let expected = Evidence::new("Report".to_owned(), "https://example.org".to_owned());
        assert_eq!(evidence, Some(expected));
        for [name, url] in [
            ["Report", ""],
            ["", "https://example.org"],
            ["", "no address"],
        ] {
            let half = form(name, url, "", "");
            assert_eq!(half.given(&plain, words), None, "{name}{url}");
        }
    }
}
