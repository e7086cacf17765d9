//! The interface of the store: a dozen use cases for the services, each of them atomic.
//!
//! The rules run in the services. [`Store::write_list`] passes what a call needs to a pure closure.
//! It saves the decision together with the audit trail, the journal and the idempotency record, in
//! one transaction and on exactly the state that the decision was based on. Nothing here is
//! specific to a database: SQLite and PostgreSQL implement the same trait.

use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::audit_trail::merkle::Hash;
use checklist_shared::audit_trail::tile::Tile;
use checklist_shared::context::Context;
use checklist_shared::run::ClosedRun;
use checklist_shared::template::Template;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{
    AuditPage, JournalPage, PutType, TemplateHistory, TemplateRow, Type,
};
use checklist_shared::wire::write::WriteAnswer;

use crate::administration::Act;
use crate::audit::{AuditKey, Checkpoint, StoredRow, StoredTile, TreeState};
use crate::due_items::DueTenant;
use crate::error::ServiceError;
use crate::expected::{ExpectedState, PreconditionError};
use crate::feed::{ChangesSince, Feed};
use crate::found_items::{ItemHit, ItemSearch, ListSearch};
use crate::keyset::Keyset;
use crate::lists::{DeleteOutcome, ListFilter, ListRecord, OverviewRecord};
use crate::monitoring::{Backlog, StoreLoad};
use crate::open_item_sweep::{OpenItemKey, SweepBatch};
use crate::platform_types::TypeRows;
use crate::presence::PresenceSender;
use crate::store::{
    ListFactsResult, ListRequest, ListWrite, LogFilter, OutdatedLists, PendingRefresh, PurgeCounts,
    Reply, Stamp,
};
use crate::template_health::{HealthRows, HealthSearch};

/// The store.
pub trait Store:
    crate::directory::Directory
    + crate::connections::Connections
    + crate::computers::Computers
    + crate::workflows::Workflows
    + crate::template_runs::TemplateRuns
    + crate::webhooks::Webhooks
    + crate::erasure::Erasures
{
    /// The facts about these lists, in the requested order, each from one snapshot. A list that
    /// cannot be read fails alone.
    fn read_lists<'a>(
        &'a self,
        tenant: &'a str,
        wanted: Vec<ListRequest>,
    ) -> Reply<'a, Vec<ListFactsResult>>;

    /// One writing call on one list, in one transaction. A repeated operation is answered from its
    /// idempotency record. Otherwise `decide` runs and its decision is saved. Answers only after
    /// the commit.
    fn write_list(&self, write: ListWrite) -> Reply<'_, Result<WriteAnswer, ServiceError>>;

    /// Closed runs of a list with lower numbers than `below`, the newest first.
    fn closed_runs<'a>(
        &'a self,
        tenant: &'a str,
        list: &'a Context,
        below: u32,
        limit: u32,
    ) -> Reply<'a, Vec<ClosedRun>>;

    /// All types of a tenant, by name, and which of them cannot be read.
    fn types<'a>(&'a self, tenant: &'a str) -> Reply<'a, TypeRows>;

    /// Changes or creates a type if the precondition holds; takes effect with the next call.
    /// Returns the new type. A change that names every field replaces an unreadable row.
    fn put_type<'a>(
        &'a self,
        tenant: &'a str,
        name: &'a str,
        change: PutType,
        expected: ExpectedState,
        stamp: Stamp,
    ) -> Reply<'a, Result<Type, PreconditionError>>;

    /// Deletes a type if the precondition holds and no list is of it.
    fn delete_type<'a>(
        &'a self,
        tenant: &'a str,
        name: &'a str,
        expected: ExpectedState,
        stamp: Stamp,
    ) -> Reply<'a, DeleteOutcome>;

    /// The lists in the order of their keys.
    fn lists<'a>(&'a self, tenant: &'a str, filter: ListFilter) -> Reply<'a, Vec<ListRecord>>;

    /// Positions of items in an order, of lists that the search covers.
    fn find_items<'a>(&'a self, tenant: &'a str, search: ItemSearch) -> Reply<'a, Vec<ItemHit>>;

    /// Written lists that the search covers, by object id, object type and purpose.
    fn find_lists<'a>(&'a self, tenant: &'a str, search: ListSearch) -> Reply<'a, Vec<Context>>;

    /// A page of the lists that follow a template, with what its health is counted from, from one
    /// snapshot.
    fn template_health<'a>(
        &'a self,
        tenant: &'a str,
        search: HealthSearch,
    ) -> Reply<'a, HealthRows>;

    /// How many of everything the tenant has. Keys that have expired at `now` do not count.
    fn overview<'a>(&'a self, tenant: &'a str, now: Timestamp) -> Reply<'a, OverviewRecord>;

    /// A published version of a template; the newest one without `version`.
    fn template<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        version: Option<u32>,
    ) -> Reply<'a, Option<Arc<Template>>>;

    /// The templates by id, one row each. The page starts after an id.
    fn templates<'a>(
        &'a self,
        tenant: &'a str,
        page: Keyset<String>,
    ) -> Reply<'a, Vec<TemplateRow>>;

    /// A summary of every version of a template; the draft and the newest published version in
    /// full.
    fn template_history<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<TemplateHistory>>;

    /// Writes the draft if the precondition holds, and returns the template with it. The store
    /// assigns the next version number, whatever `template` says. `action` is the action in the
    /// audit trail.
    fn put_draft<'a>(
        &'a self,
        tenant: &'a str,
        template: Template,
        expected: ExpectedState,
        stamp: Stamp,
        action: Action,
    ) -> Reply<'a, Result<TemplateHistory, PreconditionError>>;

    /// Deletes the draft, and the template if it has no other version.
    fn discard_draft<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        expected: ExpectedState,
        stamp: Stamp,
    ) -> Reply<'a, Result<(), PreconditionError>>;

    /// Deletes a template with all its versions if the precondition holds, no list follows it and
    /// no type names it.
    fn delete_template<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        expected: ExpectedState,
        stamp: Stamp,
    ) -> Reply<'a, DeleteOutcome>;

    /// Retires a published template if the precondition holds, so that no list is begun from it, or
    /// offers it again. Takes effect with the next call. `NoDraft` if no version is published.
    fn retire_template<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        is_retired: bool,
        expected: ExpectedState,
        stamp: Stamp,
    ) -> Reply<'a, Result<TemplateHistory, PreconditionError>>;

    /// Publishes the draft if the precondition holds. A version with `RefreshPolicy: Auto` gets a
    /// pending refresh in the same transaction.
    fn publish<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
        expected: ExpectedState,
    ) -> Reply<'a, Result<Arc<Template>, PreconditionError>>;

    /// The number of lists that follow a version of the template older than `version`, and a page
    /// of them; `after` is the row number of the previous page's last list.
    fn lists_behind<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        version: u32,
        after: u64,
        limit: u32,
    ) -> Reply<'a, OutdatedLists>;

    /// Published versions with lists that still have to be refreshed.
    fn pending_refreshes(&self) -> Reply<'_, Vec<PendingRefresh>>;

    /// Deletes a pending refresh that is finished.
    fn refresh_finished(&self, pending: PendingRefresh) -> Reply<'_, ()>;

    /// The tenants with items that wait to be announced as due or overdue.
    fn due_tenants(&self) -> Reply<'_, Vec<DueTenant>>;

    /// Announces a batch of the tenant's items that are due or overdue at `now`, and returns of how
    /// many items it has looked at. In one transaction: what is announced is remembered with its
    /// deliveries, and other nodes skip the items meanwhile.
    fn announce_due_items<'a>(
        &'a self,
        tenant: &'a str,
        now: Timestamp,
        limit: u32,
    ) -> Reply<'a, u32>;

    /// Which rows of `open_item` are to be removed, because their items were resolved in the next
    /// `limit` rows of the tenant's audit trail.
    fn open_item_sweep<'a>(&'a self, tenant: &'a str, limit: u32) -> Reply<'a, SweepBatch>;

    /// Removes these rows, in one transaction, except for those of items that are open or being changed.
    /// Returns how many it has removed.
    fn remove_open_items<'a>(&'a self, tenant: &'a str, rows: Vec<OpenItemKey>)
    -> Reply<'a, usize>;

    /// Notes that a batch is done. `false` if another node has noted it.
    fn open_items_swept<'a>(&'a self, tenant: &'a str, after: u64, until: u64) -> Reply<'a, bool>;

    /// Journal entries after a cursor, in the filter's order.
    fn journal<'a>(&'a self, tenant: &'a str, filter: LogFilter) -> Reply<'a, JournalPage>;

    /// Audit rows after a sequence number, in the filter's order.
    fn audit<'a>(&'a self, tenant: &'a str, filter: LogFilter) -> Reply<'a, AuditPage>;

    /// The tenants that have an audit trail, or may have one.
    fn audited_tenants(&self) -> Reply<'_, Vec<String>>;

    /// How far a tenant's audit trail, its tiles and its checkpoints are.
    fn audit_tree<'a>(&'a self, tenant: &'a str) -> Reply<'a, TreeState>;

    /// The hashes of tiles, stored or from rows; fewer than asked for if there are no more.
    fn audit_tiles<'a>(&'a self, tenant: &'a str, tiles: Vec<Tile>) -> Reply<'a, Vec<Vec<Hash>>>;

    /// Stores complete tiles. One that is stored already stays.
    fn save_audit_tiles<'a>(&'a self, tenant: &'a str, tiles: Vec<StoredTile>) -> Reply<'a, ()>;

    /// Stores a checkpoint; `false` if there is one with that number.
    fn add_checkpoint<'a>(&'a self, tenant: &'a str, checkpoint: Checkpoint) -> Reply<'a, bool>;

    /// Checkpoints with higher numbers, in their order.
    fn audit_checkpoints<'a>(
        &'a self,
        tenant: &'a str,
        after: u64,
        limit: u32,
    ) -> Reply<'a, Vec<Checkpoint>>;

    /// The keys that sign a tenant's checkpoints, the oldest first.
    fn audit_keys<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<AuditKey>>;

    /// Stores a key; `false` if there is one with that number.
    fn add_audit_key(&self, key: AuditKey, act: Act) -> Reply<'_, bool>;

    /// Replaces the ciphertext of a key.
    fn reseal_audit_key(&self, key: AuditKey) -> Reply<'_, ()>;

    /// Audit rows as they are stored, in the order of their numbers: those after `after`, or from
    /// the first on.
    fn audit_rows<'a>(
        &'a self,
        tenant: &'a str,
        after: Option<u64>,
        limit: u32,
    ) -> Reply<'a, Vec<StoredRow>>;

    /// A list whose newest audit row, by its own account, is missing, and the row's number.
    fn missing_audit_row<'a>(&'a self, tenant: &'a str) -> Reply<'a, Option<(Context, u64)>>;

    /// Whether there is any data of that tenant: a registration, a list, a type, a template or a
    /// row.
    fn has_tenant<'a>(&'a self, tenant: &'a str) -> Reply<'a, bool>;

    /// Audits an act that writes nothing else.
    fn record_act<'a>(&'a self, tenant: &'a str, act: Act) -> Reply<'a, ()>;

    /// Removes items that were deleted before `items`, and idempotency records from before
    /// `operations`.
    fn purge(&self, items: Timestamp, operations: Timestamp) -> Reply<'_, PurgeCounts>;

    /// Removes entries of the journal that were last continued before a moment, except each tenant's
    /// newest; returns how many.
    fn purge_journal(&self, before: Timestamp) -> Reply<'_, u64>;

    /// How much work waits, over all tenants.
    fn backlog(&self, now: Timestamp) -> Reply<'_, Backlog>;

    /// How busy the connections are; does not ask the database.
    fn load(&self) -> StoreLoad;

    /// Subscribes to all commits from now on; each is announced after it has happened. Costs next
    /// to nothing while nobody is subscribed.
    fn commits(&self) -> Feed;

    /// Sends presence messages to the other nodes of the database; `None` if there are none. Their
    /// messages arrive on the feed.
    fn voice(&self) -> Option<PresenceSender> {
        None
    }

    /// The progress of these lists after that row of the audit trail, from one snapshot.
    fn changes_since<'a>(
        &'a self,
        tenant: &'a str,
        lists: Vec<Context>,
        after: u64,
    ) -> Reply<'a, ChangesSince>;

    /// Finishes accepted calls and closes the files cleanly. Later calls are rejected.
    fn close(&self) -> Reply<'_, ()>;
}
