//! The store in one SQLite file: its threads, and the methods that are not the same on PostgreSQL.
//!
//! What is cached is answered without a thread. Everything else runs on a reader or on the writer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

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
use rusqlite::Connection;
use tokio::sync::Notify;

use super::decision::Call;
use super::facts::{FactsSource, Memory};
use super::open_error::OpenError;
use super::options::SqliteOptions;
use super::shared::Shared;
use super::threads::StoreThreads;
use super::writer::BatchContext;
use super::{facts, list_write, open, purge};
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
use crate::sql::store_methods::cold_methods;
use crate::sql::{
    View, audit_keys, audit_pages, audit_rows, audit_tree, backlog, changes, journal_pages,
    journal_purge, templates, tenants,
};
use crate::store::{
    ListFactsResult, ListRequest, ListWrite, LogFilter, OutdatedLists, PendingRefresh, PurgeCounts,
    Reply, Stamp, StoreError, TemplateChoice,
};

/// The store in one SQLite file.
pub struct SqliteStore {
    shared: Arc<Shared>,
    running: Mutex<Option<StoreThreads>>,
}

impl SqliteStore {
    /// Opens the database in the data directory, creates it if there is none, and migrates an older
    /// schema.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(options: &SqliteOptions) -> Result<Self, OpenError> {
        let opened = open::open(options)?;
        let shared = Arc::new(Shared::new(options.list_memory));
        let running =
            StoreThreads::start(opened, &shared).map_err(|error| OpenError::Unwritable {
                path: options.data_dir.clone(),
                reason: format!("no thread could be started: {error}"),
            })?;
        Ok(Self {
            shared,
            running: Mutex::new(Some(running)),
        })
    }

    fn with<T>(&self, handle: impl FnOnce(&StoreThreads) -> Reply<'static, T>) -> Reply<'static, T>
    where
        T: Send + 'static,
    {
        match &*self.running.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(running) => handle(running),
            None => Box::pin(async { Err(StoreError::Closed) }),
        }
    }

    pub(super) fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection, &Shared) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let shared = Arc::clone(&self.shared);
        self.with(|running| {
            running
                .readers
                .submit(move |connection| read(connection, &shared))
        })
    }

    /// Removes deliveries with lower ids, in small transactions; returns how many.
    pub(crate) async fn purge_deliveries_before(&self, id: String) -> Result<u64, StoreError> {
        let mut purged = 0;
        loop {
            let id = id.clone();
            let step = self.write(move |work| Ok(purge::deliveries(work.connection, &id)?));
            let deleted = step.await?;
            purged += deleted;
            if deleted < purge::DELIVERIES_AT_ONCE {
                return Ok(purged);
            }
        }
    }

    /// The tenants that have an audit trail, or should have one.
    async fn tenants_with_trail(&self) -> Result<Vec<String>, StoreError> {
        self.read(|connection, _| Ok(super::audit_rows::tenants(connection)?))
            .await
    }

    pub(crate) fn notifier_of_jobs(&self) -> Arc<JobNotifier> {
        Arc::clone(&self.shared.job_notifier)
    }

    pub(crate) fn outbox_notify(&self) -> Arc<Notify> {
        Arc::clone(&self.shared.outbox)
    }

    pub(super) fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut BatchContext<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        self.with(|running| running.writer.submit(work))
    }
}

impl Store for SqliteStore {
    cold_methods!();

    fn read_lists<'a>(
        &'a self,
        tenant: &'a str,
        wanted: Vec<ListRequest>,
    ) -> Reply<'a, Vec<ListFactsResult>> {
        let keys: Vec<ListKey> = wanted
            .iter()
            .map(|wanted| ListKey::of(tenant, &wanted.context))
            .collect();
        let cached: Result<Vec<ListFactsResult>, _> = keys
            .iter()
            .zip(&wanted)
            .map(|(key, wanted)| {
                facts::gather(&mut Memory(&self.shared), key, wanted, None)
                    .map(|(facts, _)| Ok(facts))
            })
            .collect();
        if let Ok(cached) = cached {
            return Box::pin(async { Ok(cached) });
        }
        self.read(move |connection, shared| {
            let mut file = facts::File { connection, shared };
            let lists = keys.iter().zip(&wanted);
            let gathered = lists.map(|(key, wanted)| {
                let gather = AssertUnwindSafe(|| facts::gather(&mut file, key, wanted, None));
                let gathered = catch_unwind(gather)
                    .map_err(|_| StoreError::Broken("the read of a list panicked".to_owned()))?;
                let (facts, _) = gathered?;
                Ok(facts)
            });
            Ok(gathered.collect())
        })
    }

    fn write_list(&self, write: ListWrite) -> Reply<'_, Result<WriteAnswer, ServiceError>> {
        let mut call = match Call::new(&self.shared, write) {
            Ok(call) => call,
            Err(error) => return Box::pin(async { Err(error) }),
        };
        if !call.waits_for_the_file() {
            return self.write(move |work| list_write::run(work, &mut call));
        }
        // Something is not cached. A reader loads it, because there are several of them and only
        // one writer, which should do nothing but write.
        Box::pin(async move {
            let looked = self.read(move |connection, shared| {
                call.look(connection, shared)?;
                Ok(call)
            });
            let mut call = looked.await?;
            self.write(move |work| list_write::run(work, &mut call))
                .await
        })
    }

    fn types<'a>(&'a self, tenant: &'a str) -> Reply<'a, TypeRows> {
        let tenant = tenant.to_owned();
        self.read(move |connection, shared| {
            Ok(facts::File { connection, shared }.types(&tenant)?.rows())
        })
    }

    fn template<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        version: Option<u32>,
    ) -> Reply<'a, Option<Arc<Template>>> {
        let choice = TemplateChoice {
            id: id.to_owned(),
            version,
        };
        if let Some(template) = self.shared.catalogue.template(tenant, &choice) {
            return Box::pin(async { Ok(Some(template)) });
        }
        let tenant = tenant.to_owned();
        self.read(move |connection, shared| {
            facts::File { connection, shared }.template(&tenant, &choice)
        })
    }

    fn pending_refreshes(&self) -> Reply<'_, Vec<PendingRefresh>> {
        Box::pin(self.read_moment(View::SignIn, async |session| {
            let mut pending = Vec::new();
            for tenant in templates::tenants_with_pending_refreshes(session).await? {
                pending.extend(templates::pending_refreshes(session, &tenant).await?);
            }
            Ok(pending)
        }))
    }

    fn purge(&self, items: Timestamp, operations: Timestamp) -> Reply<'_, PurgeCounts> {
        self.write(move |work| {
            let purged = purge::run(work.connection, items, operations)?;
            if purged.items > 0 {
                work.lists_have_changed();
            }
            Ok(purged)
        })
    }

    fn load(&self) -> StoreLoad {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running
            .as_ref()
            .map_or_else(StoreLoad::default, |running| StoreLoad {
                pools: vec![running.readers.load(), running.writer.load(&self.shared)],
                checkpoints: Some(self.shared.checkpoints.counts()),
            })
    }

    fn commits(&self) -> Feed {
        self.shared.commits.subscribe()
    }

    fn close(&self) -> Reply<'_, ()> {
        let running = self
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        Box::pin(async move {
            let Some(running) = running else {
                return Ok(());
            };
            match tokio::task::spawn_blocking(|| running.end()).await {
                Ok(Ok(())) => Ok(()),
                _ => Err(StoreError::Broken(
                    "the writing thread did not end well".to_owned(),
                )),
            }
        })
    }
}

/// Dropping a store without closing it leaves the directory consistent and unlocked.
impl Drop for SqliteStore {
    fn drop(&mut self) {
        let running = self
            .running
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if running.is_some_and(|running| running.end().is_err()) {
            tracing::error!("the writing thread did not end well");
        }
    }
}
