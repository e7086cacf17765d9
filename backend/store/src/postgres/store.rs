//! The store in PostgreSQL: its state, and the methods that are not the same on SQLite.
//!
//! A tenant's data is accessed in that tenant's session. What several nodes have to know is
//! announced with the commit.

use std::sync::Arc;

use checklist_shared::administration::Action;
use checklist_shared::audit_trail::merkle::Hash;
use checklist_shared::audit_trail::tile::Tile;
use checklist_shared::context::Context;
use checklist_shared::template::Template;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{
    AuditPage, JournalPage, PutType, TemplateHistory, TemplateRow, Type,
};
use checklist_shared::wire::write::WriteAnswer;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::announcer::Announcer;
use super::error::PostgresError;
use super::memory::Memory;
use super::open::OpenError;
use super::options::PostgresOptions;
use super::session::{Pool, Session, is_nobody};
use super::writer::Writers;
use super::{catalogue_queries, open, purge, read};
use crate::Store;
use crate::administration::{Act, Target};
use crate::audit::{AuditKey, Checkpoint, StoredRow, StoredTile, TreeState};
use crate::error::ServiceError;
use crate::expected::{ExpectedState, PreconditionError};
use crate::feed::{ChangesSince, Feed};
use crate::found_items::{ItemHit, ItemSearch, ListSearch};
use crate::job_notifier::JobNotifier;
use crate::keyset::Keyset;
use crate::list_key::ListKey;
use crate::lists::{DeleteOutcome, ListFilter, ListRecord, OverviewRecord};
use crate::monitoring::{Backlog, StoreLoad};
use crate::platform_types::TypeRows;
use crate::presence::PresenceSender;
use crate::sql::store_methods::cold_methods;
use crate::sql::{
    View, audit_keys, audit_pages, audit_rows, audit_tree, backlog, changes, journal_pages,
    journal_purge, templates, tenants,
};
use crate::store::{
    ListFactsResult, ListRequest, ListWrite, LogFilter, OutdatedLists, PendingRefresh, PurgeCounts,
    Reply, Stamp, StoreError, TemplateChoice,
};

/// The store in PostgreSQL.
pub struct PostgresStore {
    pub(super) pool: Pool,
    memory: Arc<Memory>,
    writers: Writers,
    pub(super) announcer: Arc<Announcer>,
    listener: AbortHandle,
}

impl PostgresStore {
    /// Connects to the database and migrates an older schema.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub async fn open(options: &PostgresOptions) -> Result<Self, OpenError> {
        let (pool, announcer, listener) = open::open(options).await?;
        let memory = Arc::new(Memory::new(options.list_memory));
        // Half of the connections, so that reads go on during writes.
        let at_once = (options.connections / 2).max(1);
        let writers = Writers::new(&pool, &memory, &announcer, at_once);
        Ok(Self {
            pool,
            memory,
            writers,
            announcer,
            listener,
        })
    }

    /// Runs work in a transaction in the tenant's session. Rolls back on an error and if the future
    /// is dropped.
    async fn transaction<T>(
        &self,
        tenant: &str,
        begin: &str,
        work: impl AsyncFnOnce(&mut Session) -> Result<T, PostgresError>,
    ) -> Result<T, PostgresError> {
        let mut session = self.pool.of(tenant).await?;
        session.transaction(begin, work).await
    }

    /// All tenants: those that are registered, and those that have lists, types or templates.
    async fn tenants_with_trail(&self) -> Result<Vec<String>, StoreError> {
        let mut all = self.tenants_with_lists().await?;
        let registered = tenants::all(&mut *self.pool.sign_in().await?).await?;
        all.extend(registered.into_iter().map(|tenant| tenant.id));
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Removes deliveries with lower ids; returns how many.
    pub(crate) async fn purge_deliveries_before(&self, id: String) -> Result<u64, StoreError> {
        let mut purged = 0;
        for tenant in self.tenants_with_lists().await? {
            let mut session = self.pool.of(&tenant).await?;
            purged += purge::deliveries(&mut session, &tenant, &id).await?;
        }
        Ok(purged)
    }

    pub(crate) fn notifier_of_jobs(&self) -> Arc<JobNotifier> {
        Arc::clone(self.announcer.job_notifier())
    }

    pub(crate) fn outbox_notify(&self) -> Arc<Notify> {
        self.announcer.outbox()
    }

    /// The tenants that have lists, types or templates.
    async fn tenants_with_lists(&self) -> Result<Vec<String>, PostgresError> {
        catalogue_queries::tenants(&mut *self.pool.any().await?).await
    }
}

impl Store for PostgresStore {
    cold_methods!();

    fn read_lists<'a>(
        &'a self,
        tenant: &'a str,
        wanted: Vec<ListRequest>,
    ) -> Reply<'a, Vec<ListFactsResult>> {
        Box::pin(async move {
            if wanted.is_empty() {
                return Ok(Vec::new());
            }
            let mut session = self.pool.of(tenant).await?;
            Ok(read::lists(&mut session, &self.memory, tenant, &wanted).await?)
        })
    }

    fn write_list(&self, write: ListWrite) -> Reply<'_, Result<WriteAnswer, ServiceError>> {
        self.writers.submit(write)
    }

    fn types<'a>(&'a self, tenant: &'a str) -> Reply<'a, TypeRows> {
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            let catalogue = catalogue_queries::present(&mut session, &self.memory, tenant).await?;
            Ok(catalogue.types.rows())
        })
    }

    fn template<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        version: Option<u32>,
    ) -> Reply<'a, Option<Arc<Template>>> {
        Box::pin(async move {
            if is_nobody(id) {
                return Ok(None);
            }
            let mut session = self.pool.of(tenant).await?;
            let catalogue = catalogue_queries::present(&mut session, &self.memory, tenant).await?;
            let choice = TemplateChoice {
                id: id.to_owned(),
                version,
            };
            let Some(version) = catalogue.version(&choice) else {
                return Ok(None);
            };
            if let Some(cached) = self.memory.template(tenant, id, version) {
                return Ok(Some(cached));
            }
            let wanted = [(choice.id, version)];
            let templates =
                catalogue_queries::load_templates(&mut session, &self.memory, tenant, &wanted)
                    .await?;
            Ok(templates.into_iter().next())
        })
    }

    fn pending_refreshes(&self) -> Reply<'_, Vec<PendingRefresh>> {
        Box::pin(async move {
            let mut pending = Vec::new();
            for tenant in self.tenants_with_lists().await? {
                let mut session = self.pool.of(&tenant).await?;
                pending.extend(templates::pending_refreshes(&mut *session, &tenant).await?);
            }
            Ok(pending)
        })
    }

    fn purge(&self, items: Timestamp, operations: Timestamp) -> Reply<'_, PurgeCounts> {
        Box::pin(async move {
            let mut purged = PurgeCounts::default();
            for tenant in self.tenants_with_lists().await? {
                let of_tenant = self
                    .transaction(&tenant, "BEGIN", async |session| {
                        purge::run(session, &tenant, items, operations).await
                    })
                    .await?;
                purged.items += of_tenant.items;
                purged.operations += of_tenant.operations;
            }
            Ok(purged)
        })
    }

    fn load(&self) -> StoreLoad {
        StoreLoad {
            pools: vec![self.pool.load()],
            checkpoints: None,
        }
    }

    fn commits(&self) -> Feed {
        self.announcer.subscribe()
    }

    fn voice(&self) -> Option<PresenceSender> {
        let announcer = Arc::clone(&self.announcer);
        Some(Arc::new(move |words| announcer.say(words)))
    }

    fn close(&self) -> Reply<'_, ()> {
        Box::pin(async move {
            self.writers.close().await;
            self.listener.abort();
            self.pool.close();
            Ok(())
        })
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.listener.abort();
    }
}
