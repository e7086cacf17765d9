//! What the calls of the store take and return, and its errors.
//!
//! Invariant: nothing here is specific to a database, and nothing decides a rule.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use checklist_shared::checklist::{Checklist, TemplateRef};
use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::item::Actor;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ProblemCode;
use checklist_shared::progress::Counts;
use checklist_shared::run::ClosedRun;
use checklist_shared::template::Template;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use checklist_shared::wire::admin::Type;
use checklist_shared::wire::write::WriteAnswer;

use crate::error::ServiceError;
use crate::scope::ContextScope;
use crate::unreadable_type::UnreadableType;

/// The future of a store's method.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A list to read, and what for.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// The list.
    pub context: Context,
    /// The template that the caller's credential names. It comes after the context's template and
    /// before the type's.
    pub fallback: Option<String>,
    /// Decides which templates are read.
    pub purpose: Purpose,
}

/// What the facts about a list are needed for. Decides which templates are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To show it: the version that it follows, and the newest one.
    Show,
    /// To change it: the template only if the list was never written, or is led back to it.
    Change,
    /// To refresh it to a version; the newest one without a number.
    Refresh(Option<u32>),
}

/// What the store knows about a list at one moment.
#[derive(Clone, Debug, Default)]
pub struct ListFacts {
    /// The list, if it was ever written.
    pub list: Option<Arc<Checklist>>,
    /// A reader with an older revision has to read the whole list again.
    pub purged_revision: u64,
    /// Its type, if it is registered.
    pub kind: Option<Arc<Type>>,
    /// The version that the list follows, or is projected from.
    pub current: Option<Arc<Template>>,
    /// The version to compare with, to refresh to, or to be led back to by an undo.
    pub target: Option<Arc<Template>>,
    /// The requested template, if it does not exist.
    pub missing: Option<TemplateChoice>,
    /// The template that the list would follow from now on, if it is retired: it does not.
    pub retired: Option<String>,
    /// The number of lists of the object; counted only for a list that was never written.
    pub purposes: usize,
}

/// The facts about one list, or why it cannot be read.
pub type ListFactsResult = Result<ListFacts, StoreError>;

/// A template and its version; the newest published one without a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateChoice {
    /// The id of the template.
    pub id: String,
    /// The version number.
    pub version: Option<u32>,
}

impl ListRequest {
    /// The template that the list would follow from now on, and does not yet.
    #[must_use]
    pub fn new_template<'a>(
        &'a self,
        list: Option<&Checklist>,
        kind: Option<&'a Type>,
    ) -> Option<&'a String> {
        let named = self.context.template_id.as_ref();
        match list {
            None => {
                let of_type = || kind.and_then(|kind| kind.templates.get(&self.context.purpose));
                named.or(self.fallback.as_ref()).or_else(of_type)
            }
            Some(list) => {
                let own = list.template.as_ref().map(|own| &own.id);
                let moves = matches!(self.purpose, Purpose::Refresh(_));
                named.filter(|named| moves && own != Some(named))
            }
        }
    }

    /// The templates that the facts contain: current and target. This is the one rule for which
    /// template applies. A written list keeps its own until a refresh names another. One that was
    /// never written takes the context's template, else the credential's, else the type's for the
    /// purpose; if that `is_retired`, it has none. The target of an `undo` is the version that it
    /// leads back to.
    #[must_use]
    pub fn templates(
        &self,
        list: Option<&Checklist>,
        kind: Option<&Type>,
        is_retired: bool,
        undo: Option<&UndoRecord>,
    ) -> (Option<TemplateChoice>, Option<TemplateChoice>) {
        let newest = |id: &str| TemplateChoice {
            id: id.to_owned(),
            version: None,
        };
        let exact = |own: &TemplateRef| TemplateChoice {
            id: own.id.clone(),
            version: Some(own.version),
        };
        let Some(list) = list else {
            let id = self.new_template(None, kind).filter(|_| !is_retired);
            return match (id, self.purpose) {
                (Some(id), Purpose::Refresh(version)) => (
                    None,
                    Some(TemplateChoice {
                        id: id.clone(),
                        version,
                    }),
                ),
                (Some(id), _) => (Some(newest(id)), None),
                (None, _) => (None, None),
            };
        };
        let current = list.template.as_ref();
        let own = current.map(exact);
        match self.purpose {
            Purpose::Change => (
                None,
                undo.and_then(|undo| undo.template.as_ref()).map(exact),
            ),
            Purpose::Show => (own, current.map(|own| newest(&own.id))),
            Purpose::Refresh(version) => {
                let id = self
                    .context
                    .template_id
                    .as_ref()
                    .or(current.map(|own| &own.id));
                (
                    own,
                    id.map(|id| TemplateChoice {
                        id: id.clone(),
                        version,
                    }),
                )
            }
        }
    }
}

/// A writing call on one list.
pub struct ListWrite {
    /// The caller's tenant.
    pub tenant: String,
    /// The list, and the templates that the decision needs.
    pub wanted: ListRequest,
    /// The operation, if the caller named one.
    pub operation: Option<Operation>,
    /// The operation to undo; the decision needs its undo record.
    pub undoes: Option<UndoTarget>,
    /// The caller's present permissions. A repeat needs those that the operation used.
    pub permissions: Permissions,
    /// The time that the expiry of idempotency records is measured against.
    pub now: Timestamp,
    /// Makes the decision. Must not block.
    pub decide: Decide,
}

/// The pure part of a writing call. A store may run it early, before the call's batch, and again if
/// the list has changed in between. The last decision counts.
pub type Decide =
    Box<dyn Fn(&ListFacts, Option<&UndoRecord>) -> Result<Decision, ServiceError> + Send>;

/// Identifies an operation, to recognize a repeat.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The caller's id, which never changes.
    pub scope: String,
    /// The name of the call.
    pub call: &'static str,
    /// The id that the client chose.
    pub id: String,
    /// SHA-256 of the request's body.
    pub body_hash: [u8; 32],
}

/// The operation to undo.
#[derive(Clone, Debug)]
pub struct UndoTarget {
    /// The caller's id, which never changes.
    pub scope: String,
    /// The operation id that the client chose, for any call.
    pub id: String,
}

/// The calls that an operation id can belong to.
pub const CALLS: [&str; 11] = [
    "AddItems",
    "UpdateItems",
    "ProposeItems",
    "DeleteItems",
    "RestoreItems",
    "RefreshItemsOnTemplateChange",
    "ApplyTemplate",
    "Undo",
    "Lock",
    "Waive",
    "StartAgain",
];

/// How long an idempotency record is kept.
pub const REMEMBERED_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// How long a deleted item is kept and can be restored.
pub const DELETED_MILLIS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// The result of the pure closure of a writing call.
pub struct Decision {
    /// The answer, final except for the number of journal entries.
    pub answer: WriteAnswer,
    /// The permissions that the operation used.
    pub used: Permissions,
    /// What to save; `None` if nothing changed.
    pub save: Option<Box<Save>>,
}

/// The changes of a writing call.
pub struct Save {
    /// The new list, with its new revision.
    pub list: Checklist,
    /// The events, for the audit trail.
    pub events: Vec<Event>,
    /// The actor.
    pub actor: Actor,
    /// The time of the change.
    pub at: Timestamp,
    /// Whether to write a journal entry for the host.
    pub journal: bool,
    /// The counts after the change.
    pub counts: Counts,
    /// What an undo writes back.
    pub undo: UndoRecord,
    /// The run that was closed, if `list` is the next one.
    pub closes: Option<Box<ClosedRun>>,
}

/// Who did something, and when.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// The actor.
    pub actor: Actor,
    /// The time.
    pub at: Timestamp,
}

/// Lists that follow an older version of their template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutdatedLists {
    /// The total number of lists.
    pub total: u64,
    /// One page of them.
    pub lists: Vec<Context>,
    /// The value of `after` for the next page.
    pub after: u64,
}

/// A published version with lists that still have to be refreshed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingRefresh {
    /// The tenant.
    pub tenant: String,
    /// The id of the template.
    pub template: String,
    /// The version number to refresh to.
    pub version: u32,
    /// Who published the version.
    pub published_by: Option<Actor>,
}

/// Which rows of an audit trail to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogRows {
    /// All rows.
    #[default]
    All,
    /// Changes of lists.
    Lists,
    /// Administrators' acts, including sign-ins.
    Administration,
}

/// Which entries of the journal or the audit trail to read.
#[derive(Clone, Debug)]
pub struct LogFilter {
    /// The page starts after this cursor in the requested order; 0 for the first page.
    pub after: u64,
    /// Newest first instead of oldest first.
    pub newest_first: bool,
    /// Which rows; the journal contains changes of lists only.
    pub rows: LogRows,
    /// Skips entries that ended before this moment.
    pub from: Option<Timestamp>,
    /// Skips entries that began at this moment or later.
    pub to: Option<Timestamp>,
    /// The maximum number of entries.
    pub limit: u32,
    /// Only entries of that object type.
    pub object_type: Option<String>,
    /// Only entries of that object.
    pub object_id: Option<String>,
    /// Only entries of that purpose.
    pub purpose: Option<String>,
    /// The contexts that the caller's credential covers.
    pub scope: ContextScope,
}

/// The numbers of rows that a purge removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PurgeCounts {
    /// Deleted items.
    pub items: u64,
    /// Idempotency records.
    pub operations: u64,
}

/// Errors of a store.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The queue is full.
    #[error("the store is at its limit")]
    Busy,
    /// The disk is full; reads still work.
    #[error("the disk is full")]
    Full,
    /// The store is closed.
    #[error("the store is closed")]
    Closed,
    /// The database does not answer; a retry may succeed.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The row of a list's type cannot be read. It has been logged already.
    #[error(transparent)]
    UnreadableType(#[from] UnreadableType),
    /// An internal error.
    #[error("{0}")]
    Broken(String),
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => Self::new(
                ProblemCode::Busy,
                "Too many requests are waiting; try again in a moment.",
            )
            .retry_after(1),
            StoreError::Closed => {
                Self::new(ProblemCode::Busy, "The server is stopping.").retry_after(5)
            }
            StoreError::Full => Self::new(
                ProblemCode::StorageFull,
                "Nothing can be written until there is room; reading goes on.",
            ),
            StoreError::Unreachable(what) => {
                tracing::warn!(what, "the database cannot be reached");
                Self::new(
                    ProblemCode::Busy,
                    "The database does not answer; try again in a moment, with the same OperationId.",
                )
                .retry_after(2)
            }
            StoreError::UnreadableType(kind) => Self::unreadable_type(&kind.name),
            StoreError::Broken(what) => {
                tracing::error!(what, "the store failed");
                Self::new(
                    ProblemCode::Internal,
                    "The store could not do this; the server's log says why.",
                )
            }
        }
    }
}
