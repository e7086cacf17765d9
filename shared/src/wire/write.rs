//! The writing calls: add, update, delete, refresh, undo, lock, waive, and their common answer.
//!
//! The `Request → Change` conversions are here too, so that both sides interpret a request alike.
//! Every request names the language of its answer ([`ReaderLanguage`](super::ReaderLanguage)).

use serde::{Deserialize, Serialize};

use super::item::ItemView;
use super::list::Blocker;
#[cfg(any(feature = "records", feature = "openapi"))]
use crate::assignee;
use crate::assignee::Assignee;
#[cfg(feature = "records")]
use crate::change::NewProposal;
use crate::change::{Change, ItemPatch, NewItem};
use crate::checklist::ListMark;
use crate::context::Context;
use crate::due::Due;
use crate::facts::FactValue;
use crate::id::ItemId;
use crate::item::{Kind, Origin, Status};
use crate::limits::Limits;
use crate::order::Place;
use crate::patch::Patch;
use crate::permission::{Permission, Permissions};
use crate::problem::ItemProblem;
use crate::progress::{Counts, State};
use crate::proposal::{Decision, Evidence};

/// The writing calls that may write to the journal: what all of them have, around what is their own.
macro_rules! writing_calls {
    ($(
        $(#[$about:meta])*
        $name:ident { $($(#[$about_field:meta])* $field:ident: $type:ty,)+ }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "PascalCase", deny_unknown_fields)]
        pub struct $name {
            /// Which list.
            pub context: Context,
            /// Makes a repeat harmless for 24 hours.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub operation_id: Option<String>,
            $($(#[$about_field])* pub $field: $type,)+
            /// Ask for a journal entry.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub log_in_journal: Option<bool>,
            /// The reader's language, of the texts in the answer; else the token's, else
            /// Accept-Language.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub language: Option<String>,
        }

        impl $name {
            /// A call without an `OperationId`, that leaves journal and language to the server.
            #[must_use]
            pub const fn new(context: Context, $($field: $type),+) -> Self {
                Self {
                    context,
                    operation_id: None,
                    $($field,)+
                    log_in_journal: None,
                    language: None,
                }
            }
        }
    )+};
}

#[cfg(feature = "records")]
pub(super) use writing_calls;

writing_calls! {
    /// `POST /AddItems`.
    AddItems {
        /// What to add, in this order.
        items: Vec<AddItem>,
    }

    /// `POST /UpdateItems`.
    UpdateItems {
        /// All or nothing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        atomic: bool,
        /// What to change, in this order.
        items: Vec<UpdateItem>,
    }

    /// `POST /ProposeItems`.
    ProposeItems {
        /// What to propose, in this order.
        items: Vec<ProposeItem>,
    }

    /// `POST /DeleteItems`.
    DeleteItems {
        /// What to delete.
        ids: Vec<ItemId>,
    }

    /// `POST /RestoreItems`.
    RestoreItems {
        /// What to bring back.
        ids: Vec<ItemId>,
    }

    /// `POST /RefreshItemsOnTemplateChange`. Another `TemplateId` in the context than the list's moves
    /// the list to that template; facts in the context or the token take the place of the list's.
    RefreshItems {
        /// The version to go to; the newest published one otherwise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_version: Option<u32>,
        /// Only tell what would change.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        dry_run: bool,
        /// Change nothing when the list has another revision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected_revision: Option<u64>,
    }

    /// `POST /Undo`.
    Undo {
        /// The operation to take back.
        undoes: String,
    }

    /// `POST /Waive`: lets a list pass although items are open, or revokes that.
    Waive {
        /// Why, for everybody to read; not blank.
        reason: String,
        /// Revoke the waiver.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        revoke: bool,
        /// Change nothing when the list has another revision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        expected_revision: Option<u64>,
    }
}

/// One item to add.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct AddItem {
    /// A UUIDv7 of the client's; the server makes one otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<ItemId>,
    /// What is to be done.
    pub text: String,
    /// Item, section or info row.
    #[serde(default)]
    pub kind: Kind,
    /// The section to stand in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<ItemId>,
    /// Stand right after that item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_id: Option<ItemId>,
    /// Stand right before that item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_id: Option<ItemId>,
    /// Whether it counts under `CompletionRule: Required`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Markdown source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Who should do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "records",
        serde(deserialize_with = "assignee::reading::requested")
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<assignee::NewAssignee>))]
    pub assignee: Option<Assignee>,
    /// When it is due: a moment, or a day without a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
}

/// Changes of one item: an absent field leaves what it names, `null` clears it where it can be empty and is
/// else the same as absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct UpdateItem {
    /// Which item.
    pub id: ItemId,
    /// The version that the caller looked at; needed for `Text` and moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_version: Option<u64>,
    /// The status to set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Why it does not apply.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub reason: Patch<String>,
    /// Lowercase hex SHA-256 of the wording that was on the screen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_text_hash: Option<String>,
    /// What supports the `Status`, which resolves the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The answer, where the item has an `AnswerFormat`: a text, a number, or the key of a choice. It
    /// makes the item `Done`, and goes when the item is opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<FactValue>,
    /// Accepts or declines the proposal of the item, as it was read in `BaseVersion`; accepting sets
    /// the status that it proposes, so `Status` may be absent, and `Reason` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Decision>,
    /// The new text; `null` goes back to the template's.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub text: Patch<String>,
    /// The note.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub note: Patch<String>,
    /// Who should do it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(
        feature = "records",
        serde(deserialize_with = "assignee::reading::requested_patch")
    )]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<assignee::NewAssignee>))]
    pub assignee: Patch<Assignee>,
    /// When it is due: a moment, or a day without a time.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Due>))]
    pub due: Patch<Due>,
    /// The help, in Markdown. As `Required` and `Kind`: of an item of the template only where `Changeable`
    /// of the list has it.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub help: Patch<String>,
    /// Whether it counts under `CompletionRule: Required`. `false` needs `DeleteRequired`, too, where the
    /// item is the template's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// `Info` for an open item without answer, signal and open proposal, and `Item` for such a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// The section to stand in; `null` for the top level.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ItemId>))]
    pub parent_id: Patch<ItemId>,
    /// Stand right after that item; `null` means first of its section.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ItemId>))]
    pub after_id: Patch<ItemId>,
    /// Stand right before that item; `null` means last of its section.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<ItemId>))]
    pub before_id: Patch<ItemId>,
}

/// A status to propose for one item, for a person to accept or decline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ProposeItem {
    /// Which item.
    pub id: ItemId,
    /// The status that it should have.
    pub status: Status,
    /// Why; with `NotApplicable` it becomes the item's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Lowercase hex SHA-256 of the wording that was read: the `TextHash` of the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen_text_hash: Option<String>,
    /// What supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// The answer, where the item has an `AnswerFormat`, with the status `Done`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<FactValue>,
}

/// `POST /Lock`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct LockList {
    /// Which list.
    pub context: Context,
    /// Locked afterwards or not.
    pub locked: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Makes a repeat harmless for 24 hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<String>,
    /// The reader's language, of the texts in the answer; else the token's, else Accept-Language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

/// The answer to every writing call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WriteAnswer {
    /// The list's revision afterwards.
    pub revision: u64,
    /// The state afterwards.
    pub state: State,
    /// True only for `Complete`.
    pub completed: bool,
    /// The counts afterwards.
    pub counts: Counts,
    /// The first items that keep it from being complete.
    pub blockers: Vec<Blocker>,
    /// Whether everything, something or nothing was applied.
    pub applied: AppliedShare,
    /// One entry for each item of the request; RestoreItems tells what came along after them.
    pub results: Vec<WriteResult>,
    /// What became of the wish for a journal entry.
    pub journal: JournalResult,
    /// Of a refresh: what changed, or would change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<RefreshChange>>,
    /// Of Lock: the lock in force afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locked: Option<ListMark>,
    /// Of Waive: the waiver in force afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waived: Option<ListMark>,
    /// Of StartAgain: the run that has begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// Whether items that nobody moved have another `SortKey` now, because there was no room left
    /// between two. `Results` does not hold them: whoever keeps the list reads what changed since
    /// the revision before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rebalanced: bool,
}

/// What a client needs of the answer to a writing call, whether something was applied
/// ([`WriteAnswer`]) or nothing was (409 `NotApplied`, a problem with `Revision` and `Results`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct WriteOutcome {
    /// The list's revision afterwards.
    pub revision: u64,
    /// One entry for each item of the request.
    pub results: Vec<WriteResult>,
    /// What became of the wish for a journal entry.
    #[serde(default)]
    pub journal: JournalResult,
    /// Of a refresh: what changed, or would change.
    #[serde(default)]
    pub changes: Vec<RefreshChange>,
    /// Whether items that nobody moved have another `SortKey` now.
    #[serde(default)]
    pub rebalanced: bool,
}

/// How much of a request was applied. Unchanged items count as applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum AppliedShare {
    /// Everything.
    All,
    /// Not everything.
    Some,
    /// Nothing; answered as the problem `NotApplied`, with the results.
    None,
}

/// What became of one item of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct WriteResult {
    /// The item.
    pub id: ItemId,
    /// What became of it.
    pub outcome: Outcome,
    /// The item as it is now; a conflict brings the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemView>,
    /// Why it was not changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<ItemProblem>,
}

/// What became of one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Outcome {
    /// It was added.
    Created,
    /// It was changed.
    Updated,
    /// It was deleted.
    Deleted,
    /// It was deleted and is back.
    Restored,
    /// Everything was as wanted already.
    Unchanged,
    /// Somebody else's change stands in the way.
    Conflict,
    /// It was refused; what a newer server says in another word counts as this.
    #[serde(other)]
    Failed,
}

/// What became of the wish for a journal entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct JournalResult {
    /// Whether something was written.
    pub written: bool,
    /// How many entries were begun or continued.
    pub entries: u32,
    /// Why nothing was written although it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// One change of a refresh.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct RefreshChange {
    /// Which case of the merge it is.
    pub case: RefreshCase,
    /// The key in the template.
    pub template_key: String,
    /// The item, where there is or will be one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<ItemId>,
    /// The text before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The text after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The cases of the merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum RefreshCase {
    /// New in the template, or applies by now: added, open.
    Added,
    /// Checked; the wording changed: stays checked and says so.
    ChangedSinceChecked,
    /// Checked; the template says Reopen: opened again.
    Reopened,
    /// A person's text stays; the template's is on offer.
    TextKept,
    /// Removed from the template or applies no longer, untouched: deleted.
    Removed,
    /// Removed from the template or applies no longer, touched: retired.
    Retired,
    /// The key returned, or applies again: back with its state.
    Returned,
    /// "Not applicable" is no longer allowed: opened again.
    NotApplicableNoLongerAllowed,
    /// Deleted by a person, but newly required: back, open.
    Resurrected,
    /// Only the order changed.
    Moved,
    /// Untouched: follows text, help, flags and section. So does whatever a newer server tells.
    #[serde(other)]
    Updated,
}

impl AddItem {
    /// An item with that text and nothing else, for the end of the list.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            id: None,
            text: text.into(),
            kind: Kind::Item,
            parent_id: None,
            after_id: None,
            before_id: None,
            required: false,
            help: None,
            note: None,
            assignee: None,
            due: None,
        }
    }

    /// The texts that have a limit: the name of the field, its value, its length at most.
    #[must_use]
    pub fn limited_texts(&self, limits: &Limits) -> [(&'static str, Option<&str>, usize); 5] {
        let [id, name] = Assignee::limited_texts(self.assignee.as_ref());
        [
            ("Text", Some(&self.text), limits.text),
            ("Help", self.help.as_deref(), limits.help),
            ("Note", self.note.as_deref(), limits.note),
            id,
            name,
        ]
    }

    /// The change that adds the item under `id`. `AfterId` wins over `BeforeId`.
    #[must_use]
    pub fn into_change(self, id: ItemId, origin: Origin) -> Change {
        let place = match (self.after_id, self.before_id) {
            (Some(after), _) => Place::After(after),
            (None, Some(before)) => Place::Before(before),
            (None, None) => Place::Last,
        };
        Change::Add(NewItem {
            id,
            origin,
            text: self.text,
            kind: self.kind,
            parent: self.parent_id,
            place,
            required: self.required,
            help: self.help,
            note: self.note,
            assignee: self.assignee,
            due: self.due,
        })
    }
}

#[cfg(feature = "records")]
impl ProposeItem {
    /// The change that this asks for.
    #[must_use]
    pub fn into_change(self) -> Change {
        Change::Propose(Box::new(NewProposal {
            id: self.id,
            status: self.status,
            reason: self.reason,
            seen_text_hash: self.seen_text_hash,
            evidence: self.evidence,
            answer: self.answer,
        }))
    }
}

impl UpdateItem {
    /// An update that changes nothing yet.
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
            parent_id: Patch::Keep,
            after_id: Patch::Keep,
            before_id: Patch::Keep,
        }
    }

    /// Whether text or place are to change, or a proposal is decided, which needs `BaseVersion`.
    #[must_use]
    pub const fn needs_base_version(&self) -> bool {
        !self.text.is_keep()
            || !self.parent_id.is_keep()
            || !self.after_id.is_keep()
            || !self.before_id.is_keep()
            || self.proposal.is_some()
    }

    /// The texts that have a limit: the name of the field, its value, its length at most.
    #[must_use]
    pub fn limited_texts(&self, limits: &Limits) -> [(&'static str, Option<&str>, usize); 6] {
        fn set(patch: &Patch<String>) -> Option<&str> {
            patch.new_value().flatten().map(String::as_str)
        }
        let [id, name] = Assignee::limited_texts(self.assignee.new_value().flatten());
        [
            ("Text", set(&self.text), limits.text),
            ("Note", set(&self.note), limits.note),
            ("Help", set(&self.help), limits.help),
            ("Reason", set(&self.reason), limits.note),
            id,
            name,
        ]
    }

    /// The permissions that the update needs of everybody; to take back what somebody else has
    /// ticked needs one more.
    #[must_use]
    pub fn needed_permissions(&self) -> Permissions {
        let checks = self.status.is_some()
            || self.answer.is_some()
            || self.proposal.is_some()
            || !self.reason.is_keep();
        let edits = !(self.text.is_keep()
            && self.note.is_keep()
            && self.assignee.is_keep()
            && self.due.is_keep()
            && self.help.is_keep()
            && self.required.is_none()
            && self.kind.is_none());
        let moves =
            !(self.parent_id.is_keep() && self.after_id.is_keep() && self.before_id.is_keep());
        [
            checks.then_some(Permission::Check),
            edits.then_some(Permission::Edit),
            moves.then_some(Permission::Reorder),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The change that this asks for. `AfterId` wins over `BeforeId`.
    #[must_use]
    pub fn into_change(self) -> Change {
        let place = match (&self.after_id, &self.before_id) {
            (Patch::Set(after), _) => Some(Place::After(*after)),
            (_, Patch::Set(before)) => Some(Place::Before(*before)),
            (Patch::Clear, _) => Some(Place::First),
            (_, Patch::Clear) => Some(Place::Last),
            (Patch::Keep, Patch::Keep) => None,
        };
        Change::Update(Box::new(ItemPatch {
            id: self.id,
            base_version: self.base_version,
            status: self.status,
            reason: self.reason,
            seen_text_hash: self.seen_text_hash,
            evidence: self.evidence,
            answer: self.answer,
            proposal: self.proposal,
            text: self.text,
            note: self.note,
            assignee: self.assignee,
            due: self.due,
            help: self.help,
            required: self.required,
            kind: self.kind,
            parent: self.parent_id,
            place,
        }))
    }
}
