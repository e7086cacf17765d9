//! An item of a checklist, with everything that an auditor will ask about it later.
//!
//! This is the record of the rules and the store; `wire::item` is its form on the wire. Only
//! `change`, `refresh` and `undo` change it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use crate::actor::{Actor, ActorKind, ActorMode, ActorSource, Software};
use crate::answer::AnswerFormat;
use crate::assignee::Assignee;
use crate::definition::DefinitionFields;
use crate::due::Due;
use crate::id::ItemId;
use crate::names::names;
use crate::proposal::Proposal;
use crate::signal::Signal;
use crate::text::Text;
use crate::time::Timestamp;

/// One row of a checklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Item {
    /// Unique in its list; the client may choose it.
    pub id: ItemId,
    /// The key of the template item that this came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_key: Option<String>,
    /// Who brought the item into the list.
    pub origin: Origin,
    /// Item, section or info row.
    pub kind: Kind,
    /// The section that holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<ItemId>,
    /// Position among its siblings; compared as text, owned by the server.
    pub sort_key: String,
    /// What is to be done.
    pub text: Text,
    /// Markdown source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<Text>,
    /// Whether a person has replaced the template's text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text_overridden: bool,
    /// The template's present text where a person has replaced it: the text on offer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template_text: Option<Text>,
    /// Open, done or not applicable.
    pub status: Status,
    /// Why it does not apply, or why somebody has overridden its signal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who set the status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_by: Option<Arc<Actor>>,
    /// When the status was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_at: Option<Timestamp>,
    /// The wording that was confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attested: Option<Attested>,
    /// Whether it counts under `CompletionRule::Required`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether a person may say that it does not apply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_not_applicable: bool,
    /// Whether that needs a reason.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
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
    pub answer_format: Option<Box<AnswerFormat>>,
    /// The signal that sets its status, with what it has reported last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<Box<Signal>>,
    /// The status that somebody proposes, or has proposed and a person has accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Box<Proposal>>,
    /// Who should do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<Assignee>,
    /// Whether a person, not the template, said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub assignee_by_person: bool,
    /// When it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    /// Whether a person, not the template, said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub due_by_person: bool,
    /// What of its definition people, not the template, have set.
    #[serde(default, skip_serializing_if = "DefinitionFields::is_empty")]
    pub definition_by_person: DefinitionFields,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Counts every change, from 1.
    pub version: u64,
    /// The version at which each aspect changed last: what conflicts are decided by.
    pub changed_in: AspectVersions,
    /// The list's revision at the last change.
    pub revision: u64,
    /// Who made it.
    pub created_by: Arc<Actor>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who changed it last; of a deleted item, who deleted it.
    pub modified_by: Arc<Actor>,
    /// When it was changed last; of a deleted item, when it was deleted.
    pub modified_at: Timestamp,
    /// Since when the template no longer has it; read-only and out of the counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retired_at: Option<Timestamp>,
    /// Since when it is deleted (softly, until it is purged).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
    /// Whether the template's wording has changed since it was checked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed_since_checked: bool,
}

names! {
    /// Who brought an item into the list.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Origin {
        /// The template.
        Template,
        /// A person.
        Local,
        /// A program.
        Api,
    }
}

names! {
    /// What a row is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Kind {
        /// Something to resolve.
        #[default]
        Item,
        /// A heading that holds items.
        Section,
        /// Something to read.
        Info,
    }
}

names! {
    /// The status of an item; always set, never toggled.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum Status {
        /// Still to do.
        #[default]
        Open,
        /// Checked.
        Done,
        /// Resolved without being done.
        NotApplicable,
    }
}

/// What was confirmed when an item was resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Attested {
    /// The wording.
    pub text: String,
    /// Its language, where it came from a template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The template version in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_version: Option<u32>,
    /// Whether the caller proved which wording was on the screen.
    pub basis: Basis,
}

/// How sure we are of the attested wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Basis {
    /// The caller sent the hash of the wording it showed.
    Seen,
    /// The caller sent no hash; the wording in force is assumed.
    Assumed,
}

/// The item version at which each aspect changed last. A change that names its base version
/// conflicts only when the aspect it touches is newer, so a tick beside an edit is no conflict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct AspectVersions {
    /// Status and reason.
    pub status: u64,
    /// Text.
    pub text: u64,
    /// Note.
    pub note: u64,
    /// Assignee.
    pub assignee: u64,
    /// Due date.
    pub due: u64,
    /// Kind, *required* and help.
    pub definition: u64,
    /// Section and order.
    pub place: u64,
}

impl AspectVersions {
    /// All aspects changed at that version, as those of a new item.
    #[must_use]
    pub const fn all(version: u64) -> Self {
        Self {
            status: version,
            text: version,
            note: version,
            assignee: version,
            due: version,
            definition: version,
            place: version,
        }
    }

    /// The same, with `version` for each aspect in which the two items differ.
    #[must_use]
    pub fn with_changes(mut self, before: &Item, after: &Item, version: u64) -> Self {
        let set = |aspect: &mut u64, differs: bool| {
            if differs {
                *aspect = version;
            }
        };
        let status = before.status != after.status || before.reason != after.reason;
        let place = before.sort_key != after.sort_key || before.parent_id != after.parent_id;
        set(&mut self.status, status);
        set(&mut self.text, before.text != after.text);
        set(&mut self.note, before.note != after.note);
        set(&mut self.assignee, before.assignee != after.assignee);
        set(&mut self.due, before.due != after.due);
        let definition = |item: &Item| (item.kind, item.required, item.help.clone());
        set(
            &mut self.definition,
            definition(before) != definition(after),
        );
        set(&mut self.place, place);
        self
    }
}

impl Item {
    /// An open item with a text and nothing else, made by that actor at that time. It has no
    /// position yet.
    #[must_use]
    pub fn new(id: ItemId, origin: Origin, text: Text, by: Actor, at: Timestamp) -> Self {
        let by = Arc::new(by);
        Self {
            id,
            template_key: None,
            origin,
            kind: Kind::Item,
            parent_id: None,
            sort_key: String::new(),
            text,
            help: None,
            text_overridden: false,
            template_text: None,
            status: Status::Open,
            reason: None,
            status_by: None,
            status_at: None,
            attested: None,
            required: false,
            allow_not_applicable: false,
            not_applicable_needs_reason: false,
            needs_person: false,
            second_person: false,
            requires_evidence: false,
            answer_format: None,
            signal: None,
            proposal: None,
            assignee: None,
            assignee_by_person: false,
            due: None,
            due_by_person: false,
            definition_by_person: DefinitionFields::default(),
            note: None,
            version: 1,
            changed_in: AspectVersions::all(1),
            revision: 0,
            created_by: by.clone(),
            created_at: at,
            modified_by: by,
            modified_at: at,
            retired_at: None,
            deleted_at: None,
            changed_since_checked: false,
        }
    }

    /// A digest of everything that a person can change or see, except the position.
    pub(crate) fn content_digest(&self) -> u64 {
        // Only ever compared within a day. Should the algorithm change with a new compiler, an undo
        // of an older operation is refused, nothing worse.
        let mut hasher = DefaultHasher::new();
        (
            (&self.text, &self.help, self.text_overridden),
            (&self.template_text, self.kind, self.required),
            (self.status, &self.reason, &self.status_by, self.status_at),
            (&self.attested, self.changed_since_checked),
            (self.allow_not_applicable, self.not_applicable_needs_reason),
            (self.needs_person, self.second_person),
            (self.requires_evidence, &self.answer_format),
            (&self.proposal, self.reported()),
            (&self.assignee, self.assignee_by_person),
            (self.due, self.due_by_person),
            (&self.note, self.definition_by_person),
            (self.retired_at, self.deleted_at),
        )
            .hash(&mut hasher);
        hasher.finish()
    }

    /// What its signal says; a report that says the same again changes nothing here.
    fn reported(&self) -> Option<(&str, Status)> {
        let signal = self.signal.as_deref();
        signal.map(|signal| (signal.source.as_str(), signal.reported()))
    }

    /// Whether the item is in the list at all: not deleted.
    #[must_use]
    pub const fn is_live(&self) -> bool {
        self.deleted_at.is_none()
    }

    /// Whether it counts towards completion.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.kind == Kind::Item && self.is_live() && self.retired_at.is_none()
    }

    /// Whether the template requires it of this list, or asks for a second person, so that not
    /// everybody may delete it: whoever does completes the list without it.
    #[must_use]
    pub fn is_protected(&self) -> bool {
        (self.required || self.second_person) && self.origin == Origin::Template && self.counts()
    }

    /// Whether the text says something else by now than what was confirmed. A translation that was
    /// added, or a wording that came back, is no new wording for the person who confirmed it.
    #[must_use]
    pub fn has_new_wording(&self) -> bool {
        self.attested.as_ref().is_none_or(|attested| {
            let languages: Vec<&str> = attested.language.as_deref().into_iter().collect();
            self.text.resolve(&languages) != attested.text
        })
    }

    /// Whether somebody has left a mark that a refresh must not lose.
    #[must_use]
    pub fn is_touched(&self) -> bool {
        self.status != Status::Open
            // Also what the first of two people has done.
            || self.open_proposal().is_some()
            // Why it is open although its signal says that it is done.
            || self.reason.is_some()
            || self.text_overridden
            || self.note.is_some()
            || (self.assignee_by_person && self.assignee.is_some())
            || (self.due_by_person && self.due.is_some())
            || !self.definition_by_person.is_empty()
    }
}
