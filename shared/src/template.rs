//! Templates: what checklists are made from.
//!
//! Published versions never change. Items have stable keys that are never reused, so that texts and
//! order may change freely.

mod check;

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::answer::AnswerFormat;
use crate::calendar::Calendar;
use crate::condition::Condition;
use crate::definition::DefinitionFields;
use crate::facts::Facts;
use crate::item::Kind;
use crate::names::names;
use crate::signal::SignalBinding;
use crate::text::LanguageMap;

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

    /// Whether it ends at a moment; otherwise with a day.
    #[must_use]
    pub const fn is_to_a_moment(&self) -> bool {
        matches!(self, Self::Time | Self::WorkingTime)
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
}
