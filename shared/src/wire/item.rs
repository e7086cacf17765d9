//! An item on the wire: texts are resolved to the reader's language.
//!
//! The control converts it back into an [`Item`].

use std::sync::Arc;

use serde::{Deserialize, Serialize};

#[cfg(feature = "records")]
use crate::answer::Answer;
use crate::answer::AnswerFormat;
use crate::assignee::Assignee;
use crate::definition::DefinitionFields;
use crate::due::Due;
use crate::id::ItemId;
use crate::item::{Actor, AspectVersions, Attested, Item, Kind, Origin, Status};
use crate::proposal::Proposal;
use crate::signal::Signal;
use crate::text::Text;
#[cfg(feature = "records")]
use crate::text::text_hash;
use crate::time::Timestamp;

/// The item record of answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Item))]
#[serde(rename_all = "PascalCase")]
pub struct ItemView {
    /// Unique in its list.
    pub id: ItemId,
    /// The key of the template item that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_key: Option<String>,
    /// Who brought it into the list.
    pub origin: Origin,
    /// Item, section or info row.
    pub kind: Kind,
    /// The section that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<ItemId>,
    /// Position among its siblings, compared as text.
    pub sort_key: String,
    /// What is to be done, in the reader's language.
    pub text: String,
    /// What a tick may send as `SeenTextHash`: lowercase hex SHA-256 of `Text`.
    // A rendered list leaves it out: its reader has the text, and random characters do not compress.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub text_hash: String,
    /// Markdown source, in the reader's language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Whether a person has replaced the template's text.
    pub text_overridden: bool,
    /// The template's present text, on offer where a person has replaced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_text: Option<String>,
    /// Open, done or not applicable.
    pub status: Status,
    /// Why it does not apply, or why somebody has overridden its signal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who set the status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Actor>))]
    pub status_by: Option<Arc<Actor>>,
    /// When the status was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_at: Option<Timestamp>,
    /// The wording that was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attested: Option<Attested>,
    /// Whether it counts under `CompletionRule: Required`.
    pub required: bool,
    /// Whether a person may say that it does not apply.
    pub allow_not_applicable: bool,
    /// Whether that needs a reason.
    pub not_applicable_needs_reason: bool,
    /// Whether only a person may resolve it: programs and agents can propose a status. Absent means
    /// `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_person: bool,
    /// Whether it takes a second person to resolve the item: one does it, and another one confirms.
    /// Absent means `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_person: bool,
    /// Whether it is done only with evidence: the name and address of something that supports it. Absent
    /// means `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub requires_evidence: bool,
    /// What it asks for beyond a tick: it is done only with an answer of that format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_format: Option<Box<AnswerFormat>>,
    /// What was answered; absent unless the item is done.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The signal that sets its status, with what it has reported last. A person can set another status,
    /// with a reason; setting the one that the signal says ends that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<Box<Signal>>,
    /// Whether one person has done it, and it waits for a second one: `Proposal` says who, and which
    /// status. Until then `Status` is `Open`. Absent means `false`.
    #[cfg(feature = "records")]
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub awaiting_confirmation: bool,
    /// The status that somebody proposes, for a person to accept or decline; with `Accepted` the one
    /// that led to the present status, or the evidence that came with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Box<Proposal>>,
    /// Who should do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Assignee>,
    /// When it is due: a moment, or a day without a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    /// While the list was never written, instead of `Due`: ISO 8601 duration from its first write
    /// to the due date. The template's item says what it is counted in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_offset: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Counts every change, from 1.
    pub version: u64,
    /// Who made it.
    #[cfg_attr(feature = "openapi", schema(value_type = Actor))]
    pub created_by: Arc<Actor>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who changed it last.
    #[cfg_attr(feature = "openapi", schema(value_type = Actor))]
    pub modified_by: Arc<Actor>,
    /// When it was changed last.
    pub modified_at: Timestamp,
    /// Since when the template no longer has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
    /// Of a deleted item: since when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// Of a deleted item: who deleted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Actor>))]
    pub deleted_by: Option<Arc<Actor>>,
    /// Of a deleted item: until when `RestoreItems` brings it back for certain. Absent where the
    /// template has taken it away; it comes back with a version that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restorable_until: Option<Timestamp>,
    /// Whether the template's wording has changed since it was checked.
    pub changed_since_checked: bool,
}

/// The record that the rules work on, its texts in the reader's language. What does not travel is
/// what it is for an item that nobody has changed: the server alone decides conflicts by it.
impl From<ItemView> for Item {
    fn from(view: ItemView) -> Self {
        Self {
            id: view.id,
            template_key: view.template_key,
            origin: view.origin,
            kind: view.kind,
            parent_id: view.parent_id,
            sort_key: view.sort_key,
            text: Text::Plain(view.text),
            help: view.help.map(Text::Plain),
            text_overridden: view.text_overridden,
            template_text: view.template_text.map(Text::Plain),
            status: view.status,
            reason: view.reason,
            status_by: view.status_by,
            status_at: view.status_at,
            attested: view.attested,
            required: view.required,
            allow_not_applicable: view.allow_not_applicable,
            not_applicable_needs_reason: view.not_applicable_needs_reason,
            needs_person: view.needs_person,
            second_person: view.second_person,
            requires_evidence: view.requires_evidence,
            answer_format: view.answer_format,
            signal: view.signal,
            proposal: view.proposal,
            assignee: view.assignee,
            assignee_by_person: false,
            due: view.due,
            due_by_person: false,
            definition_by_person: DefinitionFields::default(),
            note: view.note,
            version: view.version,
            changed_in: AspectVersions::default(),
            revision: 0,
            created_by: view.created_by,
            created_at: view.created_at,
            modified_by: view.modified_by,
            modified_at: view.modified_at,
            retired_at: view.retired_at,
            deleted_at: view.deleted_at,
            changed_since_checked: view.changed_since_checked,
        }
    }
}

#[cfg(feature = "records")]
impl ItemView {
    /// The item as a reader of those languages sees it.
    #[must_use]
    pub fn of(item: &Item, languages: &[&str]) -> Self {
        let text = item.text.resolve(languages).to_owned();
        let resolve =
            |text: &Option<Text>| text.as_ref().map(|text| text.resolve(languages).to_owned());
        Self {
            id: item.id,
            template_key: item.template_key.clone(),
            origin: item.origin,
            kind: item.kind,
            parent_id: item.parent_id,
            sort_key: item.sort_key.clone(),
            text_hash: text_hash(&text),
            text,
            help: resolve(&item.help),
            text_overridden: item.text_overridden,
            template_text: resolve(&item.template_text),
            status: item.status,
            reason: item.reason.clone(),
            status_by: item.status_by.clone(),
            status_at: item.status_at,
            attested: item.attested.clone(),
            required: item.required,
            allow_not_applicable: item.allow_not_applicable,
            not_applicable_needs_reason: item.not_applicable_needs_reason,
            needs_person: item.needs_person,
            second_person: item.second_person,
            requires_evidence: item.requires_evidence,
            answer_format: resolved(item.answer_format.as_deref(), languages).map(Box::new),
            answer: item.answer().map(|answer| as_read(item, answer, languages)),
            signal: item.signal.clone(),
            awaiting_confirmation: item.awaits_confirmation(),
            proposal: proposal_as_read(item, languages),
            assignee: item.assignee.clone(),
            due: item.due,
            due_offset: None,
            note: item.note.clone(),
            version: item.version,
            created_by: item.created_by.clone(),
            created_at: item.created_at,
            modified_by: item.modified_by.clone(),
            modified_at: item.modified_at,
            retired_at: item.retired_at,
            deleted_at: item.deleted_at,
            deleted_by: item.deleted_at.map(|_| item.modified_by.clone()),
            restorable_until: None,
            changed_since_checked: item.changed_since_checked,
        }
    }
}

#[cfg(feature = "records")]
pub(super) fn resolved(format: Option<&AnswerFormat>, languages: &[&str]) -> Option<AnswerFormat> {
    format.map(|format| format.resolved(languages))
}

#[cfg(feature = "records")]
fn as_read(item: &Item, answer: &Answer, languages: &[&str]) -> Answer {
    let format = item.answer_format.as_deref();
    format.map_or_else(
        || answer.clone(),
        |format| format.as_read(answer, languages),
    )
}

/// The proposal, its answer in the reader's language.
#[cfg(feature = "records")]
fn proposal_as_read(item: &Item, languages: &[&str]) -> Option<Box<Proposal>> {
    let mut proposal = item.proposal.clone()?;
    if let Some(answer) = &mut proposal.answer {
        *answer = as_read(item, answer, languages);
    }
    Some(proposal)
}
