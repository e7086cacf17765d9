//! What happened to an item, as the journal and the audit trail record it.
//!
//! `change`, `refresh` and `undo` return events for every change. The server writes each into the
//! audit trail in the same transaction and folds them into journal entries.

use serde::{Deserialize, Serialize};

use crate::answer::Answer;
use crate::assignee::Assignee;
use crate::definition::DefinitionField;
use crate::facts::Facts;
use crate::id::ItemId;
use crate::item::{AspectVersions, Basis, Item, Status};
use crate::proposal::Evidence;
use crate::time::Timestamp;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Event {
    /// What happened.
    pub what: What,
    /// To which item; `None` for the list as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
    /// The item's text at that moment, in full.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The value before, where one value changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The value after; of a status the reason, else the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Of an assignee: the id before, where it is not the name in `Before`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_id: Option<String>,
    /// Of an assignee: the id after, where it is not the name in `After`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_id: Option<String>,
    /// For a status: how sure we are of the wording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// For a proposal or a signal: the status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// For a status or a proposal: what supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// For a status or a proposal: what was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// For what a signal reported: the time that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Timestamp>,
    /// For a decision about a proposal: the revision of the list with the row that proposed it, and
    /// so who did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposed_in: Option<u64>,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum What {
    /// An item was added.
    Added,
    /// Status set to done.
    Checked,
    /// Said to be done, or not applicable, once more: after the wording had changed, or with other
    /// evidence. `Before` is the wording confirmed until then.
    Confirmed,
    /// Status set back to open.
    Reopened,
    /// Status set to not applicable.
    MarkedNotApplicable,
    /// The reason of "not applicable" changed.
    ReasonChanged,
    /// The text changed.
    TextChanged,
    /// The note changed.
    NoteChanged,
    /// The assignee changed.
    AssigneeChanged,
    /// The due date changed.
    DueChanged,
    /// An item became an information row, or such a row an item; `After` is the `Kind`.
    KindChanged,
    /// An item became required, or no longer is; `After` is `true` or `false`.
    RequiredChanged,
    /// The help changed.
    HelpChanged,
    /// The item moved.
    Moved,
    /// A status was proposed.
    Proposed,
    /// A proposal was declined, or taken back by whoever made it.
    ProposalDeclined,
    /// A signal reported a status that the item has already, or that a person has overridden.
    Signalled,
    /// The item was deleted.
    Deleted,
    /// The item came back.
    Restored,
    /// The template no longer has the item, but it was touched: kept, read-only.
    Retired,
    /// The template changed the item's text, help, flags or order.
    FollowedTemplate,
    /// The list was made from its template.
    Created,
    /// The list was brought to another template version.
    Refreshed,
    /// The list has other facts; `After` has the names of those that changed, never their values.
    FactsChanged,
    /// The list was locked.
    Locked,
    /// The list was unlocked.
    Unlocked,
    /// The list may pass although items are open; `After` says why.
    Waived,
    /// The waiver was revoked; `After` says why.
    WaiverRevoked,
    /// An operation was taken back.
    Undone,
    /// The run of the list was closed, and the next one began; `After` says why.
    StartedAgain,
}

impl Event {
    /// An event about an item, with its present wording.
    #[must_use]
    pub fn about(what: What, item: &Item, languages: &[&str]) -> Self {
        Self {
            item_id: Some(item.id),
            text: item.text.resolve(languages).to_owned(),
            ..Self::of_list(what)
        }
    }

    /// An event about the whole list.
    #[must_use]
    pub const fn of_list(what: What) -> Self {
        Self {
            what,
            item_id: None,
            text: String::new(),
            before: None,
            after: None,
            before_id: None,
            after_id: None,
            basis: None,
            status: None,
            evidence: None,
            answer: None,
            as_of: None,
            proposed_in: None,
        }
    }

    /// The same with what belongs to the status of the item: why, what supports it, what was answered.
    #[must_use]
    pub(crate) fn with_support(mut self, item: &Item) -> Self {
        self.evidence = item.evidence().cloned();
        self.answer = item.answer().cloned();
        self.after = status_detail(item.reason.as_ref(), self.answer.as_ref());
        self
    }

    /// An event about other facts of the list.
    #[must_use]
    pub fn of_facts(before: &Facts, after: &Facts) -> Self {
        let names = before.changed_names(after).join(", ");
        Self::of_list(What::FactsChanged).changing(None, Some(names))
    }

    /// What somebody wrote with it: reason, evidence, and an answer in words.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        let reason = match self.what {
            What::MarkedNotApplicable
            | What::Checked
            | What::Confirmed
            | What::ReasonChanged
            | What::Proposed
            | What::Locked
            | What::Waived
            | What::WaiverRevoked
            | What::StartedAgain => self.after.as_deref(),
            // Of a refresh both are wordings.
            What::Reopened if self.before.is_none() => self.after.as_deref(),
            _ => None,
        };
        // What was answered stands there in words.
        let answered = self.answer.as_ref().map(Answer::sentence);
        let reason = reason.filter(|reason| answered.as_deref() != Some(reason));
        let evidence = self.evidence.iter();
        let evidence = evidence.flat_map(|evidence| [evidence.name.as_str(), &evidence.url]);
        let answer = self.answer.as_ref().and_then(Answer::words);
        reason.into_iter().chain(evidence).chain(answer)
    }

    /// The same with the values before and after.
    #[must_use]
    pub fn changing(mut self, before: Option<String>, after: Option<String>) -> Self {
        self.before = before;
        self.after = after;
        self
    }

    /// The same with the values before and after, and their ids.
    #[must_use]
    pub(crate) fn between(mut self, before: Value, after: Value) -> Self {
        (self.before, self.before_id) = (before.text, before.id);
        (self.after, self.after_id) = (after.text, after.id);
        self
    }

    /// The ids of the assignees before and after; a name without an id is one.
    pub fn assignees(&self) -> impl Iterator<Item = &str> {
        let is_assigned = self.what == What::AssigneeChanged;
        let before = self.before_id.as_deref().or(self.before.as_deref());
        let after = self.after_id.as_deref().or(self.after.as_deref());
        before.into_iter().chain(after).filter(move |_| is_assigned)
    }
}

/// A value as an event tells it.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Value {
    text: Option<String>,
    id: Option<String>,
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        Self { text, id: None }
    }
}

impl From<Option<&Assignee>> for Value {
    fn from(who: Option<&Assignee>) -> Self {
        Self {
            text: who.map(|who| who.name.clone()),
            id: who.and_then(Assignee::other_id).map(str::to_owned),
        }
    }
}

/// What the record of a status says beside it: why, else what was answered.
pub(crate) fn status_detail(reason: Option<&String>, answer: Option<&Answer>) -> Option<String> {
    let answer = || answer.map(Answer::sentence);
    reason.cloned().or_else(answer)
}

impl What {
    /// The event of setting that status.
    #[must_use]
    pub const fn of_status(status: Status) -> Self {
        match status {
            Status::Open => Self::Reopened,
            Status::Done => Self::Checked,
            Status::NotApplicable => Self::MarkedNotApplicable,
        }
    }

    /// The event of changing that field of the definition.
    pub(crate) const fn of_definition(field: DefinitionField) -> Self {
        match field {
            DefinitionField::Kind => Self::KindChanged,
            DefinitionField::Required => Self::RequiredChanged,
            DefinitionField::Help => Self::HelpChanged,
        }
    }

    /// The event that best describes the change from restoring `before` in `item`.
    pub(crate) fn of_restoring(item: &Item, before: &Item) -> Self {
        let was_there = |item: &Item| (item.is_live(), item.retired_at.is_some());
        let changed = AspectVersions::default().with_changes(item, before, 1);
        if was_there(item) != was_there(before) {
            return if before.is_live() {
                Self::Restored
            } else {
                Self::Deleted
            };
        }
        if item.status != before.status {
            return Self::of_status(before.status);
        }
        let of_definition = if item.kind != before.kind {
            Self::KindChanged
        } else if item.required != before.required {
            Self::RequiredChanged
        } else {
            Self::HelpChanged
        };
        [
            (changed.text, Self::TextChanged),
            (changed.note, Self::NoteChanged),
            (changed.assignee, Self::AssigneeChanged),
            (changed.due, Self::DueChanged),
            (changed.definition, of_definition),
            (changed.place, Self::Moved),
        ]
        .into_iter()
        .find_map(|(version, what)| (version > 0).then_some(what))
        .unwrap_or_else(|| match &before.proposal {
            // What supports a status is a statement of whoever set it.
            Some(own) if own.accepted && item.proposal != before.proposal => {
                Self::of_status(before.status)
            }
            Some(_) if item.proposal != before.proposal => Self::Proposed,
            None if item.proposal.is_some() => Self::ProposalDeclined,
            _ => Self::Restored,
        })
    }

    /// The value that such an event is about.
    pub(crate) fn value(self, item: &Item, languages: &[&str]) -> Value {
        match self {
            Self::TextChanged => Some(item.text.resolve(languages).to_owned()).into(),
            Self::NoteChanged => item.note.clone().into(),
            Self::AssigneeChanged => item.assignee.as_ref().into(),
            Self::DueChanged => item.due.map(|due| due.to_string()).into(),
            Self::KindChanged => Some(item.kind.name().to_owned()).into(),
            Self::RequiredChanged => Some(item.required.to_string()).into(),
            Self::HelpChanged => {
                let help = item.help.as_ref();
                help.map(|help| help.resolve(languages).to_owned()).into()
            }
            _ => Value::default(),
        }
    }

    /// The kinds that a sentence of the journal counts, in its order, with their words after the
    /// number.
    pub const COUNTED: &[(Self, &str)] = &[
        (Self::Checked, "checked"),
        (Self::MarkedNotApplicable, "not applicable"),
        (Self::Confirmed, "confirmed in their new wording"),
        (Self::Reopened, "reopened"),
        (Self::Added, "added"),
        (Self::TextChanged, "reworded"),
        (Self::ReasonChanged, "reasons changed"),
        (Self::NoteChanged, "notes changed"),
        (Self::AssigneeChanged, "reassigned"),
        (Self::DueChanged, "due dates changed"),
        (Self::KindChanged, "turned into another kind"),
        (Self::RequiredChanged, "made required or optional"),
        (Self::HelpChanged, "help texts changed"),
        (Self::Proposed, "proposed"),
        (Self::ProposalDeclined, "proposals declined"),
        (Self::Signalled, "reported by a signal"),
        (Self::Moved, "moved"),
        (Self::Deleted, "deleted"),
        (Self::Restored, "restored"),
        (Self::Retired, "retired"),
        (Self::FollowedTemplate, "updated from the template"),
        (Self::Refreshed, "brought to another template version"),
        (Self::FactsChanged, "given other facts"),
        (Self::Undone, "taken back"),
        (Self::Locked, "locked"),
        (Self::Unlocked, "unlocked"),
        (Self::Waived, "waived"),
        (Self::WaiverRevoked, "waiver revoked"),
        (Self::StartedAgain, "started again"),
    ];
}
