//! Templates: what checklists are made from.
//!
//! Published versions never change. Items have stable keys that are never reused, so that texts and
//! order may change freely.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::answer::AnswerFormat;
use crate::calendar::{Calendar, working_duration};
use crate::condition::Condition;
use crate::definition::DefinitionFields;
use crate::facts::{Facts, NAME_EXPECTED, is_fact_name};
use crate::item::Kind;
use crate::language_tag;
use crate::limits::Limits;
use crate::names::names;
use crate::problem::{FieldError, FieldErrorCode, Warning, WarningCode};
use crate::signal::SignalBinding;
use crate::text::{LanguageMap, is_blank};
use crate::time::{Timestamp, exact_millis, whole_duration};

/// One version of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Template {
    /// The template's (fragment) id, opaque text; in a draft the one of the address when absent.
    #[serde(default)]
    pub id: String,
    /// A readable key, stable over versions.
    pub key: String,
    /// The name, per language.
    pub name: LanguageMap,
    /// What the template is for, per language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<LanguageMap>,
    /// Whether this version is still being written, or in force.
    #[serde(default)]
    pub status: TemplateStatus,
    /// 1 for the first version; whoever writes a draft may leave it out.
    #[serde(default)]
    pub version: u32,
    /// Which items have to be resolved for the list to be completed.
    #[serde(default)]
    pub completion_rule: CompletionRule,
    /// Whether existing lists follow a new version by themselves.
    #[serde(default)]
    pub refresh_policy: RefreshPolicy,
    /// How long before its due date an open item is announced as due (`item.due`): an ISO 8601
    /// duration of weeks, days, hours and minutes; without it none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_notice: Option<String>,
    /// The time zone, working days and hours in which due dates are counted; without it a day is 24
    /// hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar: Option<Calendar>,
    /// The fact whose value, a time or a day, due dates count from, such as the object's creation.
    /// Without it, or for a list without such a fact, they count from the list's creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_from: Option<String>,
    /// What people who may edit a list may change of its items besides text and details: `Help`,
    /// `Required`, and `Kind` between an item and an information row. Absent means nothing.
    #[serde(default, skip_serializing_if = "DefinitionFields::is_empty")]
    pub changeable: DefinitionFields,
    /// The items in display order: a section before its items.
    pub items: Vec<TemplateItem>,
}

/// One item of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct TemplateItem {
    /// Stable name inside the template, never reused.
    pub key: String,
    /// An item to resolve, a section that holds items, or a row to read.
    #[serde(default)]
    pub kind: Kind,
    /// The key of the section that holds this item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_key: Option<String>,
    /// The text, per language.
    pub text: LanguageMap,
    /// Help in Markdown (a small subset), per language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<LanguageMap>,
    /// Whether the item counts under [`CompletionRule::Required`].
    #[serde(default)]
    pub required: bool,
    /// Whether a person may say that the item does not apply.
    #[serde(default)]
    pub allow_not_applicable: bool,
    /// Whether "not applicable" needs a reason.
    #[serde(default)]
    pub not_applicable_needs_reason: bool,
    /// Whether only a person may resolve the item: programs and agents can propose a status.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    /// Whether it takes a second person to resolve the item: one does it, and another one confirms.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_person: bool,
    /// Whether it is done only with evidence: the name and address of something that supports it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub requires_evidence: bool,
    /// What it asks for beyond a tick: it is done only with an answer of that format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_format: Option<AnswerFormat>,
    /// The signal that sets its status. Such an item takes neither a person nor a second one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<SignalBinding>,
    /// To which lists it applies, by their facts; to all without. A section that does not apply takes
    /// its items with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// What a changed text does to an item that is checked already.
    #[serde(default)]
    pub on_text_change: OnTextChange,
    /// Who should do it, as a role; becomes the assignee of the projected item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee_role: Option<String>,
    /// ISO 8601 duration to the item's due date, from the list's creation or from what the template
    /// counts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_offset: Option<String>,
    /// What that duration is counted in.
    #[serde(default, skip_serializing_if = "CountedIn::is_time")]
    pub due_counted_in: CountedIn,
}

names! {
    /// What the time until an item is due is counted in. All but [`Self::Time`] need the template's
    /// [`Calendar`].
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum CountedIn {
        /// In the time that passes; due at a moment.
        #[default]
        Time,
        /// In days, weeks, months and years; due on a day.
        Days,
        /// In days and hours of work; due at a moment.
        WorkingTime,
        /// In days of work; due on a day.
        WorkingDays,
    }
}

impl CountedIn {
    /// Whether it is the time that passes.
    #[must_use]
    pub const fn is_time(&self) -> bool {
        matches!(self, Self::Time)
    }
}

/// The life of a template and of its versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum TemplateStatus {
    /// Being written; may change.
    #[default]
    Draft,
    /// In force; never changes.
    Published,
    /// Of a template: no new list is begun from it. Its versions stay `Published`, since they never
    /// change.
    Retired,
}

names! {
    /// Which items have to be resolved for a list to be completed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum CompletionRule {
        /// Every item.
        #[default]
        All,
        /// Only the required ones; optional items may stay open.
        Required,
    }
}

/// Whether existing lists follow a new version by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum RefreshPolicy {
    /// A person decides for each list.
    #[default]
    Manual,
    /// At publication, never on locked or complete lists.
    Auto,
}

/// What a changed text does to an item that is checked already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum OnTextChange {
    /// It stays checked; the change is a matter of wording.
    Keep,
    /// It stays checked and says that the wording has changed since.
    #[default]
    Flag,
    /// It is opened again.
    Reopen,
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

impl TemplateItem {
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
                "This is no ISO 8601 duration such as P2D or PT4H.",
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

impl Template {
    /// The item of that key.
    #[must_use]
    pub fn item(&self, key: &str) -> Option<&TemplateItem> {
        self.items.iter().find(|item| item.key == key)
    }

    /// The same without the items that do not apply to a list with these facts.
    #[must_use]
    pub fn applying_to(&self, facts: &Facts) -> Cow<'_, Self> {
        if self.items.iter().all(|item| item.when.is_none()) {
            return Cow::Borrowed(self);
        }
        // A section stands before its items.
        let mut gone: HashSet<&str> = HashSet::new();
        let mut items = Vec::new();
        for item in &self.items {
            let is_out = item
                .parent_key
                .as_deref()
                .is_some_and(|key| gone.contains(key))
                || item.when.as_ref().is_some_and(|when| !when.holds(facts));
            if is_out {
                gone.insert(&item.key);
            } else {
                items.push(item.clone());
            }
        }
        Cow::Owned(Self {
            items,
            ..self.clone()
        })
    }

    /// Everything that is wrong with the template, each with a JSON pointer; empty when it is
    /// fit to be stored.
    #[must_use]
    pub fn validate(&self, limits: &Limits) -> Vec<FieldError> {
        let mut errors = Vec::new();
        let mut say = |pointer: String, code, detail: &str| {
            errors.push(FieldError::new(pointer, code, detail))
        };
        if self.id.is_empty() || self.id.chars().count() > Limits::IDENTIFIER {
            say(
                "/Id".into(),
                length_code(&self.id),
                "Enter an ID of 1 to 200 characters.",
            );
        }
        if self.name.is_empty() || self.name.iter().any(|(_, name)| is_blank(name)) {
            say(
                "/Name".into(),
                FieldErrorCode::Required,
                "A template needs a name in at least one language.",
            );
        }
        let texts = std::iter::once(("/Name", &self.name));
        let texts = texts.chain(self.description.iter().map(|map| ("/Description", map)));
        for (pointer, map) in texts {
            for tag in map.wrong_tags() {
                say(
                    pointer_of(pointer, tag),
                    FieldErrorCode::Invalid,
                    language_tag::EXPECTED,
                );
            }
        }
        if let Some(notice) = &self.due_notice
            && exact_millis(notice).is_err()
        {
            say(
                "/DueNotice".into(),
                FieldErrorCode::Invalid,
                "This is no ISO 8601 duration of weeks, days, hours and minutes such as P2D or PT4H.",
            );
        }
        for (below, code, detail) in self.calendar.iter().flat_map(Calendar::faults) {
            say(format!("/Calendar{below}"), code, detail);
        }
        if (self.due_from.as_deref()).is_some_and(|name| !is_fact_name(name)) {
            say("/DueFrom".into(), FieldErrorCode::Invalid, NAME_EXPECTED);
        }
        if self.items.len() > limits.items {
            say(
                "/Items".into(),
                FieldErrorCode::LimitExceeded,
                "There are more items than a list may hold.",
            );
        }
        let mut keys = HashSet::new();
        for (index, item) in self.items.iter().enumerate() {
            let at = |field: &str| format!("/Items/{index}/{field}");
            if item.key.is_empty() || item.key.chars().count() > Limits::IDENTIFIER {
                say(
                    at("Key"),
                    length_code(&item.key),
                    "Enter a key of 1 to 200 characters.",
                );
            }
            if !keys.insert(item.key.as_str()) {
                say(
                    at("Key"),
                    FieldErrorCode::Duplicate,
                    "Another item of this template has the same key.",
                );
            }
            if item.text.is_empty() || item.text.iter().any(|(_, text)| is_blank(text)) {
                say(
                    at("Text"),
                    FieldErrorCode::Required,
                    "An item needs a text in each language that it names.",
                );
            }
            if item
                .text
                .iter()
                .any(|(_, text)| text.chars().count() > limits.text)
            {
                say(
                    at("Text"),
                    FieldErrorCode::LimitExceeded,
                    "The text is too long.",
                );
            }
            if item
                .help
                .iter()
                .flat_map(LanguageMap::iter)
                .any(|(_, text)| text.chars().count() > limits.help)
            {
                say(
                    at("Help"),
                    FieldErrorCode::LimitExceeded,
                    "The help is too long.",
                );
            }
            let texts = std::iter::once(("Text", &item.text));
            for (field, map) in texts.chain(item.help.iter().map(|map| ("Help", map))) {
                for tag in map.wrong_tags() {
                    say(
                        pointer_of(&at(field), tag),
                        FieldErrorCode::Invalid,
                        language_tag::EXPECTED,
                    );
                }
            }
            if let Some(parent) = &item.parent_key {
                let section = self.items[..index]
                    .iter()
                    .any(|other| other.key == *parent && other.kind == Kind::Section);
                if !section {
                    say(
                        at("ParentKey"),
                        FieldErrorCode::Invalid,
                        "The parent has to be a section that stands before.",
                    );
                } else if item.kind == Kind::Section {
                    say(
                        at("ParentKey"),
                        FieldErrorCode::Invalid,
                        "A section cannot hold a section.",
                    );
                }
            }
            if let Some(signal) = &item.signal {
                for (field, detail) in signal.faults() {
                    let pointer = at(&format!("Signal/{field}"));
                    say(pointer, FieldErrorCode::Invalid, detail);
                }
                let is_a_persons =
                    item.needs_person || item.second_person || item.answer_format.is_some();
                if item.kind != Kind::Item || is_a_persons {
                    let detail = "A signal sets the status of an item that takes no answer, no person and no second one.";
                    say(at("Signal"), FieldErrorCode::Invalid, detail);
                }
            }
            if let Some(format) = &item.answer_format {
                for (below, detail) in format.faults() {
                    let pointer = at(&format!("AnswerFormat{below}"));
                    say(pointer, FieldErrorCode::Invalid, detail);
                }
                if item.kind != Kind::Item {
                    let detail = "Sections and information rows take no answer.";
                    say(at("AnswerFormat"), FieldErrorCode::Invalid, detail);
                }
            }
            for (below, code, detail) in item.when.iter().flat_map(Condition::faults) {
                say(at(&format!("When{below}")), code, detail);
            }
            if let Some(fault) = item.due_offset_fault(self.calendar.as_ref()) {
                say(at("DueOffset"), FieldErrorCode::Invalid, fault);
            }
            if !item.due_counted_in.is_time() && self.calendar.is_none() {
                let detail = "Days and working time are counted in the template's Calendar, which is missing.";
                say(at("DueCountedIn"), FieldErrorCode::Invalid, detail);
            }
        }
        errors
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
        }
        let mut languages: Vec<&str> = Vec::new();
        let texts = self.items.iter().map(|item| &item.text);
        for (tag, _) in [&self.name]
            .into_iter()
            .chain(texts)
            .flat_map(LanguageMap::iter)
        {
            if !languages.contains(&tag) {
                languages.push(tag);
            }
        }
        let missing = |text: &LanguageMap| -> Vec<&str> {
            let has = |wanted: &str| text.iter().any(|(tag, _)| tag == wanted);
            languages.iter().copied().filter(|tag| !has(tag)).collect()
        };
        for (index, item) in self.items.iter().enumerate() {
            let tags = missing(&item.text);
            if !tags.is_empty() {
                let detail = format!("The text is missing in {}.", tags.join(", "));
                let pointer = format!("/Items/{index}/Text");
                say(pointer, WarningCode::LanguageMissing, detail);
            }
            if item.due_offset.as_deref().is_some_and(is_no_time) {
                let detail = "It is due as soon as the list begins, so it is late at once.";
                let pointer = format!("/Items/{index}/DueOffset");
                say(pointer, WarningCode::DueAtOnce, detail.into());
            }
        }
        warnings
    }
}
