//! What a store does for the services: a dozen use cases, each atomic.
//!
//! The rules run in the services: [`Store::write_list`] hands what a call needs to a pure
//! closure and saves what it decided, together with the audit trail, the journal and the
//! remembered answer, in one transaction and on exactly the state that was decided on. Nothing
//! here is SQLite's, so that another database can be a second implementation of the same trait.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::item::Actor;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ProblemCode;
use checklist_shared::progress::Counts;
use checklist_shared::template::Template;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use checklist_shared::wire::admin::{
    AuditPage, JournalPage, PutType, TemplateHistory, TemplateRow, Type,
};
use checklist_shared::wire::write::WriteAnswer;

use crate::audit::Verdict;
use crate::auth::ContextScope;
use crate::error::ServiceError;
use crate::storage::administration::Act;
use crate::storage::expected::{ExpectedState, PreconditionError};
use crate::storage::feed::{ChangesSince, Feed};
use crate::storage::keyset::Keyset;
use crate::storage::platform_types::{TypeRows, UnreadableType};
use crate::storage::presence::PresenceSender;

/// What a store's method gives back, later.
pub type Reply<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Where everything is kept.
pub trait Store:
    super::directory::Directory
    + super::connections::Connections
    + super::computers::Computers
    + super::workflows::Workflows
    + super::webhooks::Webhooks
{
    /// What is known about these lists, in the order asked for, each from one moment. A list that
    /// cannot be read fails alone.
    fn read_lists<'a>(
        &'a self,
        tenant: &'a str,
        wanted: Vec<ListRequest>,
    ) -> Reply<'a, Vec<ListFactsResult>>;

    /// One writing call on one list, in one transaction: a known operation is answered again,
    /// else `decide` is asked and what it decided is saved whole. Answers only after the commit.
    fn write_list(&self, write: ListWrite) -> Reply<'_, Result<WriteAnswer, ServiceError>>;

    /// All types of a tenant, by name, and which of them cannot be read.
    fn types<'a>(&'a self, tenant: &'a str) -> Reply<'a, TypeRows>;

    /// Changes a type, or writes a new one, unless it is not as expected; holds for the very next
    /// call. Returns the type as it is then. One that cannot be read is written over by a change
    /// that names every field.
    fn put_type<'a>(
        &'a self,
        tenant: &'a str,
        name: &'a str,
        change: PutType,
        expected: ExpectedState,
        stamp: Stamp,
    ) -> Reply<'a, Result<Type, PreconditionError>>;

    /// A published version of a template, the newest without `version`.
    fn template<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        version: Option<u32>,
    ) -> Reply<'a, Option<Arc<Template>>>;

    /// One row a template, by id; those past an id.
    fn templates<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<String>,
    ) -> Reply<'a, Vec<TemplateRow>>;

    /// Every version of a template in short, the draft and the newest published one in full.
    fn template_history<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<TemplateHistory>>;

    /// Writes the draft, whose version is the next one whatever `template` says, unless the
    /// template is not as expected. Returns the template as it is then. `action` is what the
    /// audit trail calls it.
    fn put_draft<'a>(
        &'a self,
        tenant: &'a str,
        template: Template,
        expected: ExpectedState,
        stamp: Stamp,
        action: Action,
    ) -> Reply<'a, Result<TemplateHistory, PreconditionError>>;

    /// Takes the draft away, and with it a template that has no other version.
    fn discard_draft<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        expected: ExpectedState,
        stamp: Stamp,
    ) -> Reply<'a, Result<(), PreconditionError>>;

    /// Publishes the draft, unless the template is not as expected. A version with
    /// `RefreshPolicy: Auto` is noted as pending in the same transaction.
    fn publish<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
        expected: ExpectedState,
    ) -> Reply<'a, Result<Arc<Template>, PreconditionError>>;

    /// How many lists follow an older version of the template than `version`, and a page of
    /// them, each past the one numbered `after`.
    fn lists_behind<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        version: u32,
        after: u64,
        limit: u32,
    ) -> Reply<'a, OutdatedLists>;

    /// Published versions whose lists still have to be brought along.
    fn pending_refreshes(&self) -> Reply<'_, Vec<PendingRefresh>>;

    /// Forgets a pending refresh that has come to its end.
    fn refresh_finished(&self, pending: PendingRefresh) -> Reply<'_, ()>;

    /// Journal entries past a cursor, in the order of the filter.
    fn journal<'a>(&'a self, tenant: &'a str, filter: LogFilter) -> Reply<'a, JournalPage>;

    /// Audit rows past a sequence number, in the order of the filter.
    fn audit<'a>(&'a self, tenant: &'a str, filter: LogFilter) -> Reply<'a, AuditPage>;

    /// Walks the audit chain of a tenant, or of each. Nothing for a tenant that there is not.
    fn verify_audit(&self, tenant: Option<&str>) -> Reply<'_, Vec<Verdict>>;

    /// Whether anything is kept of that tenant: a registration, a list, a type, a template, a row.
    fn has_tenant<'a>(&'a self, tenant: &'a str) -> Reply<'a, bool>;

    /// Records an act that writes nothing else.
    fn record_act<'a>(&'a self, tenant: &'a str, act: Act) -> Reply<'a, ()>;

    /// Removes items deleted before `items` and operations remembered before `operations`.
    fn purge(&self, items: Timestamp, operations: Timestamp) -> Reply<'_, PurgeCounts>;

    /// Every commit from now on, told after it has happened. Costs a store next to nothing while
    /// nobody holds a feed.
    fn commits(&self) -> Feed;

    /// Says who is on which list to the other nodes of the same database; `None` where there are
    /// none. What they say comes by the feed.
    fn voice(&self) -> Option<PresenceSender> {
        None
    }

    /// What became of these lists after that row of the audit trail, from one moment.
    fn changes_since<'a>(
        &'a self,
        tenant: &'a str,
        lists: Vec<Context>,
        after: u64,
    ) -> Reply<'a, ChangesSince>;

    /// Finishes what was accepted and makes the files whole. Nothing is accepted afterwards.
    fn close(&self) -> Reply<'_, ()>;
}

/// A list that somebody asks about, and what for.
#[derive(Clone, Debug)]
pub struct ListRequest {
    /// Which list.
    pub context: Context,
    /// The template that the caller's credential names, after the context's and before the type's.
    pub fallback: Option<String>,
    /// What for.
    pub purpose: Purpose,
}

/// What the facts about a list are for; decides which templates come along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To show it: the version it follows and the newest one.
    Show,
    /// To change it: the template only while the list was never written.
    Change,
    /// To bring it to a version, the newest without a number.
    Refresh(Option<u32>),
}

/// What is known about a list at one moment.
#[derive(Clone, Debug, Default)]
pub struct ListFacts {
    /// The list, unless it was never written.
    pub list: Option<Arc<Checklist>>,
    /// Whoever holds an older revision has to read the whole list again.
    pub purged_revision: u64,
    /// Its type, where it is registered.
    pub kind: Option<Arc<Type>>,
    /// The version that the list follows, or is projected from.
    pub current: Option<Arc<Template>>,
    /// The version to compare with or to go to.
    pub target: Option<Arc<Template>>,
    /// The template that was asked for and is not there.
    pub missing: Option<TemplateChoice>,
    /// How many lists the object has; only counted for a list that was never written.
    pub purposes: usize,
}

/// What came of reading one list.
pub type ListFactsResult = Result<ListFacts, StoreError>;

/// A template by name, and which version of it (the newest published one without a number).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateChoice {
    /// The template's id.
    pub id: String,
    /// The version.
    pub version: Option<u32>,
}

impl ListRequest {
    /// The templates that the facts have to hold: current and target. The one rule of which
    /// template applies: a written list keeps its own until a refresh names another; one never
    /// written takes the context's, else the credential's, else the type's for the purpose.
    #[must_use]
    pub fn templates(
        &self,
        list: Option<&Checklist>,
        kind: Option<&Type>,
    ) -> (Option<TemplateChoice>, Option<TemplateChoice>) {
        let newest = |id: &str| TemplateChoice {
            id: id.to_owned(),
            version: None,
        };
        let Some(list) = list else {
            let of_type = || kind.and_then(|kind| kind.templates.get(&self.context.purpose));
            let id = self
                .context
                .template_id
                .as_ref()
                .or(self.fallback.as_ref())
                .or_else(of_type);
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
        let own = current.map(|own| TemplateChoice {
            id: own.id.clone(),
            version: Some(own.version),
        });
        match self.purpose {
            Purpose::Change => (None, None),
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
    /// Which list, and which templates the decision needs.
    pub wanted: ListRequest,
    /// What the caller named the operation, if anything.
    pub operation: Option<Operation>,
    /// The operation whose undo record the decision needs.
    pub undoes: Option<UndoTarget>,
    /// What the caller may do now; a replay asks for what the operation made use of.
    pub permissions: Permissions,
    /// The time by which remembered operations are judged.
    pub now: Timestamp,
    /// Decides. Must not block.
    pub decide: Decide,
}

/// The pure part of a writing call. A store may ask before the call's turn has come, and once
/// more when the list has changed in between; the last decision counts.
pub type Decide =
    Box<dyn Fn(&ListFacts, Option<&UndoRecord>) -> Result<Decision, ServiceError> + Send>;

/// How an operation is recognised when it comes again.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The caller's stable id.
    pub scope: String,
    /// The call's name.
    pub call: &'static str,
    /// What the caller named it.
    pub id: String,
    /// SHA-256 of the request's body.
    pub body_hash: [u8; 32],
}

/// The operation to take back.
#[derive(Clone, Debug)]
pub struct UndoTarget {
    /// The caller's stable id.
    pub scope: String,
    /// What the caller named it, whichever call it was.
    pub id: String,
}

/// The calls that an operation id may have been used with.
pub const CALLS: [&str; 7] = [
    "AddItems",
    "UpdateItems",
    "DeleteItems",
    "RestoreItems",
    "RefreshItemsOnTemplateChange",
    "Undo",
    "Lock",
];

/// How long an operation is remembered.
pub const REMEMBERED_MILLIS: i64 = 24 * 60 * 60 * 1_000;

/// How long a deleted item is kept, and can be restored.
pub const DELETED_MILLIS: i64 = 30 * 24 * 60 * 60 * 1_000;

/// What became of a writing call.
pub struct Decision {
    /// The answer, final but for the number of journal entries.
    pub answer: WriteAnswer,
    /// The permissions that the operation made use of.
    pub used: Permissions,
    /// What is to be saved; `None` when nothing changed.
    pub save: Option<Box<Save>>,
}

/// What a writing call has changed.
pub struct Save {
    /// The list as it is to be, with its new revision.
    pub list: Checklist,
    /// What happened, for the audit trail.
    pub events: Vec<Event>,
    /// Who did it.
    pub actor: Actor,
    /// When.
    pub at: Timestamp,
    /// Whether the host's journal is to have it.
    pub journal: bool,
    /// The counts afterwards.
    pub counts: Counts,
    /// What an undo puts back.
    pub undo: UndoRecord,
}

/// Who did something, and when.
#[derive(Clone, Debug)]
pub struct Stamp {
    /// Who.
    pub actor: Actor,
    /// When.
    pub at: Timestamp,
}

/// Lists behind a version of their template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutdatedLists {
    /// How many there are in all.
    pub total: u64,
    /// A page of them.
    pub lists: Vec<Context>,
    /// What to pass as `after` for the next page.
    pub after: u64,
}

/// A published version whose lists still have to be brought along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingRefresh {
    /// Whose.
    pub tenant: String,
    /// Which template.
    pub template: String,
    /// To which version.
    pub version: u32,
    /// Who published it.
    pub published_by: Option<Actor>,
}

/// What the rows of an audit trail are to be about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogRows {
    /// Everything.
    #[default]
    All,
    /// Changes of lists.
    Lists,
    /// What administrators do, sign-ins with it.
    Administration,
}

/// Which entries of journal or audit trail to read.
#[derive(Clone, Debug)]
pub struct LogFilter {
    /// Past this cursor, in the order asked for; 0 begins where that order begins.
    pub after: u64,
    /// Newest first instead of oldest first.
    pub newest_first: bool,
    /// Of what; the journal knows lists alone.
    pub rows: LogRows,
    /// Nothing that ended before this moment.
    pub from: Option<Timestamp>,
    /// Nothing that began at this moment or later.
    pub to: Option<Timestamp>,
    /// How many at most.
    pub limit: u32,
    /// Of that type only.
    pub object_type: Option<String>,
    /// Of that object only.
    pub object_id: Option<String>,
    /// Of that purpose only.
    pub purpose: Option<String>,
    /// What the caller's credential covers.
    pub scope: ContextScope,
}

/// What a purge has removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PurgeCounts {
    /// Deleted items.
    pub items: u64,
    /// Remembered operations.
    pub operations: u64,
}

/// Why a store could not do it.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// Too much is waiting already.
    #[error("the store is at its limit")]
    Busy,
    /// There is no room left; reading goes on.
    #[error("the disk is full")]
    Full,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// The database does not answer; it may in a moment.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// The row of a list's type makes no sense. The log has named it already.
    #[error(transparent)]
    UnreadableType(#[from] UnreadableType),
    /// Something that should not happen.
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
