//! What a change asks for, who asks, and what becomes of it.

use crate::assignee::Assignee;
use crate::due::Due;
use crate::event::Event;
use crate::facts::FactValue;
use crate::id::ItemId;
use crate::item::{Actor, Kind, Origin, Status};
use crate::limits::Limits;
use crate::order::Place;
use crate::patch::Patch;
use crate::permission::Permissions;
use crate::proposal::{Decision, Evidence};
use crate::time::Timestamp;

/// The caller, the time and the limits of a change.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    /// Who makes the change.
    pub actor: &'a Actor,
    /// The caller's permissions.
    pub permissions: Permissions,
    /// The time of the change, from the caller's clock.
    pub now: Timestamp,
    /// The limits in force.
    pub limits: &'a Limits,
    /// The reader's languages, most wanted first; decides which wording is attested.
    pub languages: &'a [&'a str],
}

/// One change of one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Adds an item.
    Add(NewItem),
    /// Changes fields of an item; boxed, because it is the largest.
    Update(Box<ItemPatch>),
    /// Proposes a status of an item; no person in the control does.
    #[cfg(feature = "records")]
    Propose(Box<NewProposal>),
    /// Takes what a signal reports about an item.
    #[cfg(feature = "records")]
    Report(Box<NewReport>),
    /// Deletes an item, softly. A section takes its items along.
    Delete(ItemId),
}

/// An item to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewItem {
    /// Its id; adding the same id with the same text again is `Unchanged`.
    pub id: ItemId,
    /// Whether a person or a program adds it.
    pub origin: Origin,
    /// The text, as written by the person.
    pub text: String,
    /// Item, section or info row.
    pub kind: Kind,
    /// The parent section; `None` for the neighbour's, or the top level.
    pub parent: Option<ItemId>,
    /// The position among its siblings.
    pub place: Place,
    /// Whether it counts under `CompletionRule::Required`.
    pub required: bool,
    /// Markdown source.
    pub help: Option<String>,
    /// A remark.
    pub note: Option<String>,
    /// Who should do it.
    pub assignee: Option<Assignee>,
    /// When it is due.
    pub due: Option<Due>,
}

/// A status to be proposed.
#[cfg(feature = "records")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewProposal {
    /// Of which item.
    pub id: ItemId,
    /// The status.
    pub status: Status,
    /// Why.
    pub reason: Option<String>,
    /// Hash of the wording that was read, see [`crate::text::text_hash`].
    pub seen_text_hash: Option<String>,
    /// What supports it.
    pub evidence: Option<Evidence>,
    /// The answer, where the item asks for one.
    pub answer: Option<FactValue>,
}

/// What a signal reports.
#[cfg(feature = "records")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReport {
    /// About which item, which is bound to the signal.
    pub id: ItemId,
    /// `Open` or `Done`.
    pub status: Status,
    /// The time that the report is about.
    pub as_of: Timestamp,
    /// What supports it.
    pub evidence: Option<Evidence>,
}

/// Fields of an item to be changed; what is not named stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemPatch {
    /// Which item.
    pub id: ItemId,
    /// The version that the caller looked at.
    pub base_version: Option<u64>,
    /// The status to set.
    pub status: Option<Status>,
    /// Why it does not apply.
    pub reason: Patch<String>,
    /// Hash of the wording that was on the screen, see [`crate::text::text_hash`].
    pub seen_text_hash: Option<String>,
    /// What supports the status; only with one that resolves the item.
    pub evidence: Option<Evidence>,
    /// The answer, where the item asks for one: it makes the item done.
    pub answer: Option<FactValue>,
    /// What becomes of the proposal; accepting sets status and reason.
    pub proposal: Option<Decision>,
    /// The new text; `Clear` goes back to the template's.
    pub text: Patch<String>,
    /// The note.
    pub note: Patch<String>,
    /// Who should do it.
    pub assignee: Patch<Assignee>,
    /// When it is due.
    pub due: Patch<Due>,
    /// The help, in Markdown.
    pub help: Patch<String>,
    /// Whether it is required.
    pub required: Option<bool>,
    /// An item, or an information row.
    pub kind: Option<Kind>,
    /// The parent section; `Clear` for the top level.
    pub parent: Patch<ItemId>,
    /// The new position.
    pub place: Option<Place>,
}

impl ItemPatch {
    /// A patch that changes nothing yet.
    #[must_use]
    pub const fn of(id: ItemId) -> Self {
        Self {
            id,
            base_version: None,
            status: None,
            reason: Patch::Keep,
            seen_text_hash: None,
            evidence: None,
            answer: None,
            proposal: None,
            text: Patch::Keep,
            note: Patch::Keep,
            assignee: Patch::Keep,
            due: Patch::Keep,
            help: Patch::Keep,
            required: None,
            kind: None,
            parent: Patch::Keep,
            place: None,
        }
    }

    /// Whether what changed last in that version of the item has changed since the patch was made.
    pub(crate) fn is_behind(&self, version: u64) -> bool {
        self.base_version.is_some_and(|base| version > base)
    }

    /// Whether section or order are to change.
    #[must_use]
    pub const fn moves(&self) -> bool {
        self.place.is_some() || !self.parent.is_keep()
    }
}

/// What became of a change that was not refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The list changed; what happened, for journal and audit. Never empty, unless the feature
    /// `records` is off: nobody keeps it then.
    Changed(Vec<Event>),
    /// Everything was as wanted already; nobody's credit changes.
    Unchanged,
}
