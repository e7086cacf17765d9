//! What is wrong with a template, and what its author may not have meant.
//!
//! Invariant: each finding has the JSON pointer of its field, in the order of the document.

use std::collections::HashSet;

use super::{CompletionRule, CountedIn, Template, TemplateItem};
use crate::answer::AnswerFormat;
use crate::calendar::{Calendar, working_duration};
use crate::condition::Condition;
use crate::facts::{NAME_EXPECTED, is_fact_name};
use crate::item::Kind;
use crate::language_tag;
use crate::limits::Limits;
use crate::problem::{FieldError, FieldErrorCode, Warning, WarningCode};
use crate::text::{LanguageMap, Text, is_blank, trimmed};
use crate::time::{Timestamp, exact_millis, whole_duration};
use crate::wire::find::ItemFilter;

impl Template {
    /// Everything that is wrong with the template, each with a JSON pointer; empty when it is
    /// fit to be stored.
    #[must_use]
    pub fn validate(&self, limits: &Limits) -> Vec<FieldError> {
        let mut errors = self.faults(limits);
        let mut keys = HashSet::new();
        for (index, item) in self.items.iter().enumerate() {
            let mut faults = item.identity_faults(keys.insert(item.key.as_str()));
            faults.extend(item.text_faults(limits));
            faults.extend(item.parent_fault(&self.items[..index]));
            faults.extend(item.kind_faults());
            faults.extend(item.due_faults(self.calendar.as_ref()));
            faults.extend(item.role_fault());
            let at = format!("/Items/{index}");
            errors.extend(faults.into_iter().map(|fault| fault.below(&at)));
        }
        errors
    }

    /// What is wrong beside its items.
    fn faults(&self, limits: &Limits) -> Vec<FieldError> {
        let mut faults = Vec::new();
        if !is_identifier(&self.id) {
            let detail = "Enter an ID of 1 to 200 characters.";
            faults.push(FieldError::new("/Id", length_code(&self.id), detail));
        }
        if matches!(self.id.as_str(), "." | "..") {
            let detail = "“.” and “..” cannot be part of an address.";
            faults.push(FieldError::new("/Id", FieldErrorCode::Invalid, detail));
        }
        if !is_said(&self.name) {
            let detail = "A template needs a name in at least one language.";
            faults.push(FieldError::new("/Name", FieldErrorCode::Required, detail));
        }
        faults.extend(wrong_tags("/Name", &self.name));
        let description = self.description.iter();
        faults.extend(description.flat_map(|map| wrong_tags("/Description", map)));
        let notice = self.due_notice.as_deref();
        if notice.is_some_and(|notice| exact_millis(notice).is_err()) {
            let detail = "This is not a valid ISO 8601 duration of weeks, days, hours and minutes such as P2D or PT4H.";
            let code = FieldErrorCode::Invalid;
            faults.push(FieldError::new("/DueNotice", code, detail));
        }
        let calendar = self.calendar.iter().flat_map(Calendar::faults);
        faults.extend(calendar.map(|fault| fault.below("/Calendar")));
        if (self.due_from.as_deref()).is_some_and(|name| !is_fact_name(name)) {
            let code = FieldErrorCode::Invalid;
            faults.push(FieldError::new("/DueFrom", code, NAME_EXPECTED));
        }
        if self.items.len() > limits.items {
            let detail = "There are more items than a list may hold.";
            let code = FieldErrorCode::LimitExceeded;
            faults.push(FieldError::new("/Items", code, detail));
        }
        faults
    }

    /// What its author may not have meant, though it can be published; each with a JSON pointer.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut say = |pointer: String, code, detail: String| {
            warnings.push(Warning {
                code,
                pointer: Some(pointer),
                detail,
            });
        };
        let counts = |item: &&TemplateItem| item.kind == Kind::Item;
        if !self.items.iter().any(|item| counts(&item)) {
            let detail =
                "There is no item to resolve, so a list made from this is never completed.";
            say("/Items".into(), WarningCode::NoItems, detail.into());
        } else if self.completion_rule == CompletionRule::Required
            && !self.items.iter().filter(counts).any(|item| item.required)
        {
            let detail = WarningCode::NO_REQUIRED_ITEM;
            let code = WarningCode::NoRequiredItem;
            say("/CompletionRule".into(), code, detail.into());
        } else if self.completion_rule == CompletionRule::Required
            && !self.always_has(|item| item.required)
        {
            let detail = "Each required item has a condition, so a list to which none applies is complete from the beginning.";
            let code = WarningCode::RequiredItemsAreConditional;
            say("/CompletionRule".into(), code, detail.into());
        } else if !self.always_has(|_| true) {
            let detail = "Each item has a condition, so a list to which none applies is empty and never completed.";
            say(
                "/Items".into(),
                WarningCode::ItemsAreConditional,
                detail.into(),
            );
        }
        let texts = self.texts();
        let mut languages: Vec<&str> = Vec::new();
        for (tag, _) in texts.iter().flat_map(|(_, map)| map.iter()) {
            if !languages.contains(&tag) {
                languages.push(tag);
            }
        }
        for (pointer, map) in &texts {
            let has = |wanted: &&str| map.iter().any(|(tag, _)| tag == *wanted);
            let missing = languages.iter().copied().filter(|tag| !has(tag));
            let missing: Vec<&str> = missing.collect();
            if !missing.is_empty() {
                let detail = format!("The text is missing in {}.", missing.join(", "));
                say(pointer.clone(), WarningCode::LanguageMissing, detail);
            }
        }
        for (index, item) in self.items.iter().enumerate() {
            // A fact that the template counts from may be in the future.
            if self.due_from.is_none()
                && item.due_counted_in.is_to_a_moment()
                && item.due_offset.as_deref().is_some_and(is_no_time)
            {
                let detail = "It is due as soon as the list begins, so it is late at once.";
                let pointer = format!("/Items/{index}/DueOffset");
                say(pointer, WarningCode::DueAtOnce, detail.into());
            }
        }
        warnings
    }

    /// Whether each list has such an item to resolve, whatever its facts are.
    fn always_has(&self, is_such: impl Fn(&TemplateItem) -> bool) -> bool {
        let is_always_there = |item: &TemplateItem| {
            let parent = item.parent_key.as_deref().and_then(|key| self.item(key));
            item.when.is_none() && parent.is_none_or(|parent| parent.when.is_none())
        };
        let mut items = self.items.iter();
        items.any(|item| item.kind == Kind::Item && is_such(item) && is_always_there(item))
    }

    /// What its readers read in their language, each with its JSON pointer. A text without a language is
    /// the same in all of them.
    fn texts(&self) -> Vec<(String, &LanguageMap)> {
        let mut texts = vec![("/Name".to_owned(), &self.name)];
        texts.extend((self.description.iter()).map(|map| ("/Description".to_owned(), map)));
        for (index, item) in self.items.iter().enumerate() {
            let at = |field: &str| format!("/Items/{index}/{field}");
            texts.push((at("Text"), &item.text));
            texts.extend(item.help.iter().map(|map| (at("Help"), map)));
            let Some(format) = &item.answer_format else {
                continue;
            };
            let unit = format
                .unit
                .iter()
                .map(|unit| (at("AnswerFormat/Unit"), unit));
            let choices = format.choices.iter().enumerate();
            let choices = choices.map(|(number, choice)| {
                let pointer = format!("AnswerFormat/Choices/{number}/Text");
                (at(&pointer), &choice.text)
            });
            texts.extend(
                unit.chain(choices)
                    .filter_map(|(pointer, text)| match text {
                        Text::Localized(map) => Some((pointer, map)),
                        Text::Plain(_) => None,
                    }),
            );
        }
        texts
    }
}

impl TemplateItem {
    fn identity_faults(&self, is_new: bool) -> Vec<FieldError> {
        let mut faults = Vec::new();
        if !is_identifier(&self.key) {
            let detail = "Enter a key of 1 to 200 characters.";
            faults.push(FieldError::new("/Key", length_code(&self.key), detail));
        }
        if !is_new {
            let detail = "Another item of this template has the same key.";
            faults.push(FieldError::new("/Key", FieldErrorCode::Duplicate, detail));
        }
        faults
    }

    fn text_faults(&self, limits: &Limits) -> Vec<FieldError> {
        let mut faults = Vec::new();
        let is_long =
            |map: &LanguageMap, most| map.iter().any(|(_, text)| text.chars().count() > most);
        if !is_said(&self.text) {
            let detail = "An item needs a text in each language that it names.";
            faults.push(FieldError::new("/Text", FieldErrorCode::Required, detail));
        }
        if is_long(&self.text, limits.text) {
            let (code, detail) = (FieldErrorCode::LimitExceeded, "The text is too long.");
            faults.push(FieldError::new("/Text", code, detail));
        }
        if (self.help.as_ref()).is_some_and(|help| is_long(help, limits.help)) {
            let (code, detail) = (FieldErrorCode::LimitExceeded, "The help is too long.");
            faults.push(FieldError::new("/Help", code, detail));
        }
        faults.extend(wrong_tags("/Text", &self.text));
        faults.extend(self.help.iter().flat_map(|map| wrong_tags("/Help", map)));
        faults
    }

    fn parent_fault(&self, before: &[Self]) -> Option<FieldError> {
        let parent = self.parent_key.as_ref()?;
        let is_section = |other: &Self| other.key == *parent && other.kind == Kind::Section;
        let detail = if !before.iter().any(is_section) {
            "The parent has to be a section that stands before."
        } else if self.kind == Kind::Section {
            "A section cannot hold a section."
        } else {
            return None;
        };
        let code = FieldErrorCode::Invalid;
        Some(FieldError::new("/ParentKey", code, detail))
    }

    /// What is wrong with what it is done with, and with the condition under which it applies.
    fn kind_faults(&self) -> Vec<FieldError> {
        let code = FieldErrorCode::Invalid;
        let mut faults = Vec::new();
        if let Some(signal) = &self.signal {
            let wrong = signal.faults().into_iter();
            faults.extend(wrong.map(|(field, detail)| {
                let pointer = format!("/Signal/{field}");
                FieldError::new(pointer, code, detail)
            }));
            let is_a_persons =
                self.needs_person || self.second_person || self.answer_format.is_some();
            if self.kind != Kind::Item || is_a_persons {
                let detail = "A signal sets the status of an item that takes no answer, no person and no second one.";
                faults.push(FieldError::new("/Signal", code, detail));
            }
        }
        let format = self.answer_format.as_ref();
        let wrong = format.map(AnswerFormat::faults).unwrap_or_default();
        let wrong = wrong.into_iter();
        faults.extend(wrong.map(|fault| fault.below("/AnswerFormat")));
        if format.is_some() && self.kind != Kind::Item {
            let detail = "Sections and information rows take no answer.";
            faults.push(FieldError::new("/AnswerFormat", code, detail));
        }
        let when = self.when.iter().flat_map(Condition::faults);
        faults.extend(when.map(|fault| fault.below("/When")));
        faults
    }

    /// Nobody has this id: `FindItems` takes it for the caller.
    fn role_fault(&self) -> Option<FieldError> {
        let role = self.assignee_role.as_deref().unwrap_or_default();
        let detail = "“Me” is whoever asks. Name a role, or the id of a person.";
        (trimmed(role) == ItemFilter::ME)
            .then(|| FieldError::new("/AssigneeRole", FieldErrorCode::Invalid, detail))
    }

    fn due_faults(&self, calendar: Option<&Calendar>) -> Vec<FieldError> {
        let code = FieldErrorCode::Invalid;
        // Where the calendar is wrong itself, nothing can be counted in it.
        let offset = self.due_offset_fault(calendar.filter(|it| it.faults().is_empty()));
        let offset = offset.map(|detail| FieldError::new("/DueOffset", code, detail));
        let is_uncountable = !self.due_counted_in.is_time() && calendar.is_none();
        let counted_in = is_uncountable.then(|| {
            let detail =
                "Days and working time are counted in the template's Calendar, which is missing.";
            FieldError::new("/DueCountedIn", code, detail)
        });
        offset.into_iter().chain(counted_in).collect()
    }

    /// What is wrong with its offset, in a sentence. Without the calendar, lengths are not judged.
    #[must_use]
    pub fn due_offset_fault(&self, calendar: Option<&Calendar>) -> Option<&'static str> {
        let offset = self.due_offset.as_deref()?;
        let whole = whole_duration(offset).ok();
        let has_hours = whole.is_none_or(|whole| whole.millis != 0);
        let is_duration = || Timestamp::from_millis(0).plus_iso(offset).is_ok();
        let is_work = || {
            let counted = calendar.map(|calendar| calendar.can_count(offset));
            counted.unwrap_or_else(|| working_duration(offset).is_ok())
        };
        let (is_sound, sentence) = match self.due_counted_in {
            CountedIn::Time => (
                is_duration(),
                "This is not a valid ISO 8601 duration such as P2D or PT4H.",
            ),
            CountedIn::Days => (
                is_duration() && !has_hours,
                "Days are an ISO 8601 duration without hours, such as P2D or P1M.",
            ),
            CountedIn::WorkingTime => (
                is_work(),
                "Working time is an ISO 8601 duration of at most 1000 working days, with hours and minutes, such as P2D or PT4H.",
            ),
            CountedIn::WorkingDays => (
                is_work() && !has_hours,
                "Working days are an ISO 8601 duration of at most 1000 days, such as P2D.",
            ),
        };
        (!is_sound).then_some(sentence)
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= Limits::IDENTIFIER
}

/// Whether there is something to read in each of its languages.
fn is_said(map: &LanguageMap) -> bool {
    !map.is_empty() && map.iter().all(|(_, text)| !is_blank(text))
}

/// The tags below the pointer that name no language.
fn wrong_tags(pointer: &str, map: &LanguageMap) -> Vec<FieldError> {
    let wrong = map.wrong_tags().map(|tag| {
        let code = FieldErrorCode::Invalid;
        FieldError::new(pointer_of(pointer, tag), code, language_tag::EXPECTED)
    });
    wrong.collect()
}

/// Whether the duration ends when it begins. A duration cannot be negative.
fn is_no_time(duration: &str) -> bool {
    let start = Timestamp::from_millis(0);
    start.plus_iso(duration) == Ok(start)
}

/// The code for an identifier that is empty or too long.
const fn length_code(identifier: &str) -> FieldErrorCode {
    if identifier.is_empty() {
        FieldErrorCode::Required
    } else {
        FieldErrorCode::LimitExceeded
    }
}

/// The pointer of a text in a map of languages.
fn pointer_of(map: &str, tag: &str) -> String {
    let tag = tag.replace('~', "~0").replace('/', "~1");
    format!("{map}/{tag}")
}
