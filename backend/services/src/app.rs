//! The state that all requests share: store, clock, limits.
//!
//! The command line opens it once; handlers get clones.

use std::path::PathBuf;
use std::sync::Arc;

use checklist_shared::limits::Limits;

use crate::access_tokens::AccessTokens;
use crate::open_sites::OpenSites;
use crate::retention::Retention;
use crate::webhooks::attempt_counts::AttemptCounts;

use checklist_auth::trust_cache::TrustCache;
use checklist_egress::Egress;
use checklist_live::{Hub, STREAMS};
use checklist_runtime::clock::{Clock, SystemClock};
use checklist_store::Store;
use checklist_store::database::Database;
use checklist_store::list_cache::LIST_MEMORY;
use checklist_store::postgres::{self, PostgresOptions, PostgresStore};
use checklist_store::sqlite;
use checklist_store::sqlite::{SqliteOptions, SqliteStore};
use checklist_store::store::StoreError;
use checklist_vault::VaultKeys;
use checklist_workflow::retry::RetryPolicy;

/// The default lifetime of a connection handle, in seconds.
pub const HANDLE_SECONDS: u32 = 60 * 60;

/// Why an [`App`] could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data directory or its database file.
    #[error(transparent)]
    Sqlite(#[from] sqlite::OpenError),
    /// The PostgreSQL database.
    #[error(transparent)]
    Postgres(#[from] postgres::OpenError),
    /// The client for outgoing requests.
    #[error("no request can be sent to other systems: {0}")]
    Egress(site_lists::TransportError),
}

/// The options of [`App::open`].
pub struct AppOptions {
    /// The location of the database.
    pub database: Database,
    /// Whether this is a demo; its database is marked as one.
    pub demo: bool,
    /// Opens a data directory that a running server holds, to change who may sign in.
    pub beside: bool,
    /// The limits to enforce.
    pub limits: Limits,
    /// The maximum number of concurrent live streams.
    pub streams: usize,
    /// How many bytes the lists in use take in memory at most.
    pub list_memory: usize,
    /// Whether an acknowledged write survives a power loss.
    pub synchronous_full: bool,
    /// The clock, which tests replace.
    pub clock: Arc<dyn Clock>,
    /// Encrypts and decrypts credentials for other systems.
    pub vault: Option<VaultKeys>,
    /// The client for outgoing requests; `None` permits public addresses only.
    pub egress: Option<Arc<Egress>>,
    /// The lifetime of a connection handle, in seconds.
    pub handle_seconds: u32,
    /// How long runs retry a site that does not respond.
    pub run_retries: RetryPolicy,
    /// How long rows are kept.
    pub retention: Retention,
    /// Whether reading the audit trail is a row in it.
    pub audit_reads: bool,
}

impl AppOptions {
    /// The defaults for SQLite in a data directory.
    #[must_use]
    pub fn new(data_dir: PathBuf) -> Self {
        Self::on(Database::Folder(data_dir))
    }

    /// The defaults for a database.
    #[must_use]
    pub fn on(database: Database) -> Self {
        Self {
            database,
            demo: false,
            beside: false,
            limits: Limits::default(),
            streams: STREAMS,
            list_memory: LIST_MEMORY,
            synchronous_full: true,
            clock: Arc::new(SystemClock),
            vault: None,
            egress: None,
            handle_seconds: HANDLE_SECONDS,
            run_retries: RetryPolicy::default(),
            retention: Retention::default(),
            audit_reads: false,
        }
    }
}

/// The state that all requests share. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    store: Arc<dyn Store>,
    trusted: Arc<TrustCache>,
    clock: Arc<dyn Clock>,
    limits: Limits,
    hub: Arc<Hub>,
    vault: Option<VaultKeys>,
    egress: Arc<Egress>,
    access_tokens: AccessTokens,
    open_sites: OpenSites,
    attempts: AttemptCounts,
    handle_seconds: u32,
    run_retries: RetryPolicy,
    retention: Retention,
    audit_reads: bool,
}

impl App {
    /// Opens the database, creates it if necessary, and applies migrations.
    ///
    /// # Errors
    /// The data directory or the database cannot be used; the variants say why.
    pub async fn open(options: AppOptions) -> Result<Self, OpenError> {
        let store: Arc<dyn Store> = match options.database {
            Database::Folder(data_dir) => Arc::new(SqliteStore::open(&SqliteOptions {
                demo: options.demo,
                beside: options.beside,
                synchronous_full: options.synchronous_full,
                list_memory: options.list_memory,
                ..SqliteOptions::new(data_dir)
            })?),
            Database::Shared(url) => {
                let options = PostgresOptions {
                    list_memory: options.list_memory,
                    ..PostgresOptions::new(url.reveal().to_owned())
                };
                Arc::new(PostgresStore::open(&options).await?)
            }
        };
        let egress = match options.egress {
            Some(egress) => egress,
            None => Arc::new(Egress::new([]).map_err(OpenError::Egress)?),
        };
        let mut app = Self::with(store, options.clock, options.limits, egress);
        if let Some(parts) = Arc::get_mut(&mut app.0) {
            parts.hub = Arc::new(Hub::of(options.streams));
            parts.vault = options.vault;
            parts.handle_seconds = options.handle_seconds;
            parts.run_retries = options.run_retries;
            parts.retention = options.retention;
            parts.audit_reads = options.audit_reads;
        }
        Ok(app)
    }

    /// Builds an app from existing parts, without a vault.
    #[must_use]
    pub fn with(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        limits: Limits,
        egress: Arc<Egress>,
    ) -> Self {
        Self(Arc::new(Parts {
            trusted: Arc::new(TrustCache::new(Arc::clone(&store))),
            store,
            clock,
            limits,
            hub: Arc::default(),
            vault: None,
            egress,
            access_tokens: AccessTokens::default(),
            open_sites: OpenSites::default(),
            attempts: AttemptCounts::default(),
            handle_seconds: HANDLE_SECONDS,
            run_retries: RetryPolicy::default(),
            retention: Retention::default(),
            audit_reads: false,
        }))
    }

    /// The same app with keys that encrypt. Has no effect on an app that is shared already.
    #[must_use]
    pub fn with_vault(mut self, vault: VaultKeys) -> Self {
        if let Some(parts) = Arc::get_mut(&mut self.0) {
            parts.vault = Some(vault);
        }
        self
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.0.store
    }

    /// A shared reference to the store.
    #[must_use]
    pub fn shared_store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.0.store)
    }

    /// The cached directory data that credentials are checked against.
    #[must_use]
    pub fn trust_cache(&self) -> &Arc<TrustCache> {
        &self.0.trusted
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// The limits to enforce.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The hub of the live streams.
    #[must_use]
    pub fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    /// Encrypts and decrypts credentials for other systems, if a key is configured.
    #[must_use]
    pub fn vault(&self) -> Option<&VaultKeys> {
        self.0.vault.as_ref()
    }

    /// The client for outgoing requests.
    #[must_use]
    pub fn egress(&self) -> &Arc<Egress> {
        &self.0.egress
    }

    /// The cached access tokens for sites on this node.
    #[must_use]
    pub fn access_tokens(&self) -> &AccessTokens {
        &self.0.access_tokens
    }

    /// How long rows are kept.
    #[must_use]
    pub fn retention(&self) -> Retention {
        self.0.retention
    }

    /// Whether reading the audit trail is a row in it.
    #[must_use]
    pub fn audit_reads(&self) -> bool {
        self.0.audit_reads
    }

    /// How often this node has tried to send webhooks.
    #[must_use]
    pub fn attempts(&self) -> &AttemptCounts {
        &self.0.attempts
    }

    /// The open sites of this node.
    #[must_use]
    pub fn open_sites(&self) -> &OpenSites {
        &self.0.open_sites
    }

    /// The lifetime of a connection handle, in seconds.
    #[must_use]
    pub fn handle_seconds(&self) -> u32 {
        self.0.handle_seconds
    }

    /// How long runs retry a site that does not respond.
    #[must_use]
    pub fn run_retries(&self) -> RetryPolicy {
        self.0.run_retries
    }

    /// Finishes pending writes and closes the database cleanly.
    ///
    /// # Errors
    /// The store did not close cleanly. Acknowledged writes are safe even then.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.store().close().await
    }
}
