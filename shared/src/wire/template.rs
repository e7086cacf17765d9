//! A template in one language, the answer of `GET /Template/{fragmentId}?Language=`.
//!
//! Without `Language` the template is returned with all its languages.

use serde::{Deserialize, Serialize};

use crate::answer::AnswerFormat;
#[cfg(feature = "records")]
use crate::calendar::Calendar;
#[cfg(feature = "records")]
use crate::condition::Condition;
use crate::definition::DefinitionFields;
use crate::item::Kind;
use crate::signal::SignalBinding;
use crate::template::{
    CompletionRule, CountedIn, OnTextChange, RefreshPolicy, Template, TemplateItem, TemplateStatus,
};
use crate::text::LanguageMap;

/// One version of a template, its texts as plain strings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LocalTemplate {
    /// The template's (fragment) id, opaque text.
    pub id: String,
    /// A readable key, stable over versions.
    pub key: String,
    /// The name.
    pub name: String,
    /// What the template is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether this version is still being written, in force, or no longer offered.
    pub status: TemplateStatus,
    /// 1 for the first version.
    pub version: u32,
    /// Which items have to be resolved for the list to be completed.
    pub completion_rule: CompletionRule,
    /// Whether existing lists follow a new version by themselves.
    pub refresh_policy: RefreshPolicy,
    /// How long before its due date an open item is announced as due, an ISO 8601 duration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_notice: Option<String>,
    /// The time zone, working days and hours in which due dates are counted.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calendar: Option<Calendar>,
    /// The fact that due dates count from, instead of the list's creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_from: Option<String>,
    /// What of the definition of its items people may change in a list. Absent means nothing.
    #[serde(
        default,
        skip_serializing_if = "DefinitionFields::is_empty",
        deserialize_with = "DefinitionFields::known_of"
    )]
    pub changeable: DefinitionFields,
    /// The items in display order: a section before its items.
    pub items: Vec<LocalTemplateItem>,
}

/// One item of a template, its texts as plain strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct LocalTemplateItem {
    /// Stable name inside the template, never reused.
    pub key: String,
    /// An item to resolve, a section that holds items, or a row to read.
    pub kind: Kind,
    /// The key of the section that holds this item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_key: Option<String>,
    /// The text.
    pub text: String,
    /// Help in Markdown (a small subset).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Whether the item counts under `CompletionRule: Required`.
    pub required: bool,
    /// Whether a person may say that the item does not apply.
    pub allow_not_applicable: bool,
    /// Whether "not applicable" needs a reason.
    pub not_applicable_needs_reason: bool,
    /// Whether only a person may resolve it: programs and agents can propose a status.
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
    /// The signal that sets its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<SignalBinding>,
    /// To which lists it applies, by their facts; to all without. The control reads the words alone.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition>,
    /// That condition in words, in the language of the texts; not where `Facts` decide what applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when_text: Option<String>,
    /// What a changed text does to an item that is checked already.
    pub on_text_change: OnTextChange,
    /// Who should do it, as a role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee_role: Option<String>,
    /// ISO 8601 duration to the item's due date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_offset: Option<String>,
    /// What that duration is counted in.
    #[serde(default, skip_serializing_if = "CountedIn::is_time")]
    pub due_counted_in: CountedIn,
}

fn resolve(map: &LanguageMap, languages: &[&str]) -> String {
    map.resolve(languages)
        .map_or_else(String::new, |(_, text)| text.to_owned())
}

impl LocalTemplate {
    /// The template as a reader of those languages sees it, the best language first.
    #[must_use]
    pub fn of(template: &Template, languages: &[&str]) -> Self {
        Self {
            id: template.id.clone(),
            key: template.key.clone(),
            name: resolve(&template.name, languages),
            description: template
                .description
                .as_ref()
                .map(|map| resolve(map, languages)),
            status: template.status,
            version: template.version,
            completion_rule: template.completion_rule,
            refresh_policy: template.refresh_policy,
            due_notice: template.due_notice.clone(),
            #[cfg(feature = "records")]
            calendar: template.calendar.clone(),
            due_from: template.due_from.clone(),
            changeable: template.changeable,
            items: template
                .items
                .iter()
                .map(|item| LocalTemplateItem::of(item, languages))
                .collect(),
        }
    }
}

impl LocalTemplateItem {
    fn of(item: &TemplateItem, languages: &[&str]) -> Self {
        Self {
            key: item.key.clone(),
            kind: item.kind,
            parent_key: item.parent_key.clone(),
            text: resolve(&item.text, languages),
            help: item.help.as_ref().map(|map| resolve(map, languages)),
            required: item.required,
            allow_not_applicable: item.allow_not_applicable,
            not_applicable_needs_reason: item.not_applicable_needs_reason,
            needs_person: item.needs_person,
            second_person: item.second_person,
            requires_evidence: item.requires_evidence,
            answer_format: item
                .answer_format
                .as_ref()
                .map(|format| format.resolved(languages)),
            signal: item.signal.clone(),
            #[cfg(feature = "records")]
            when: item.when.clone(),
            when_text: None,
            on_text_change: item.on_text_change,
            assignee_role: item.assignee_role.clone(),
            due_offset: item.due_offset.clone(),
            due_counted_in: item.due_counted_in,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_are_those_of_the_language_and_everything_else_stays() {
        let template: Template = serde_json::from_value(serde_json::json!({
            "Id": "a", "Key": "a", "Name": {"en": "One", "de": "Eins"}, "Status": "Published", "Version": 2,
            "DueNotice": "P1D",
            "Calendar": {"TimeZone": "Europe/Berlin", "WorkingDays": ["Monday"], "WorkingHours": {"Start": "08:00", "End": "24:00"}, "Holidays": ["2026-12-25"]},
            "DueFrom": "created", "Items": [{"Key": "k", "DueOffset": "P2D", "DueCountedIn": "WorkingDays", "Text": {"en": "Text", "de": "Wort"}, "Help": {"en": "Only here"}, "Required": true}],
        }))
        .expect("a template");
        let mut local = serde_json::to_value(LocalTemplate::of(&template, &["de"])).expect("JSON");
        assert_eq!(
            (
                &local["Name"],
                &local["Items"][0]["Text"],
                &local["Items"][0]["Help"]
            ),
            (&"Eins".into(), &"Wort".into(), &"Only here".into())
        );
        // Put the maps back: nothing but the texts may differ.
        let whole = serde_json::to_value(&template).expect("JSON");
        local["Name"] = whole["Name"].clone();
        for text in ["Text", "Help"] {
            local["Items"][0][text] = whole["Items"][0][text].clone();
        }
        assert_eq!(local, whole);
    }
}
