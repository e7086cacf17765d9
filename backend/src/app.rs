//! What the running server shares: the store, the clock, the limits.
//!
//! Opened once by the command line, cloned into every handler, asked by the services.

use std::path::PathBuf;
use std::sync::Arc;

use checklist_shared::limits::Limits;

use crate::auth::trust_cache::TrustCache;
use crate::clock::{Clock, SystemClock};
use crate::config::Database;
use crate::egress::Egress;
use crate::live::{Hub, STREAMS};
use crate::services::connections::AccessTokens;
use crate::services::sites::OpenSites;
use crate::storage::Store;
use crate::storage::sqlite::{SqliteOptions, SqliteStore};
use crate::storage::store::StoreError;

use crate::storage::postgres::{self, PostgresOptions, PostgresStore};
use crate::storage::sqlite;
use crate::vault::VaultKeys;
use crate::workflow::retry::RetryPolicy;

/// How many seconds the handle of a site connection holds, unless the operator says otherwise.
pub const HANDLE_SECONDS: u32 = 60 * 60;

/// Why no store could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data directory or its file.
    #[error(transparent)]
    Sqlite(#[from] sqlite::OpenError),
    /// The shared database.
    #[error(transparent)]
    Postgres(#[from] postgres::OpenError),
    /// No request could be sent.
    #[error("no request can be sent to other systems: {0}")]
    Egress(site_lists::TransportError),
}

/// How to open an [`App`].
pub struct AppOptions {
    /// Where the data is kept.
    pub database: Database,
    /// Whether this is a demonstration; its database is marked.
    pub demo: bool,
    /// Work beside a server that has the directory, to change who may sign in.
    pub beside: bool,
    /// The limits in force.
    pub limits: Limits,
    /// How many live streams there may be at once.
    pub streams: usize,
    /// Every acknowledged write survives a loss of power.
    pub synchronous_full: bool,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Opens and seals what authenticates towards other systems.
    pub vault: Option<VaultKeys>,
    /// Carries outgoing requests; `None` for public addresses alone.
    pub egress: Option<Arc<Egress>>,
    /// How many seconds the handle of a site connection holds.
    pub handle_seconds: u32,
    /// How long runs try to reach a site that is away.
    pub run_retries: RetryPolicy,
}

impl AppOptions {
    /// The defaults for a data directory.
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
            synchronous_full: true,
            clock: Arc::new(SystemClock),
            vault: None,
            egress: None,
            handle_seconds: HANDLE_SECONDS,
            run_retries: RetryPolicy::default(),
        }
    }
}

/// The parts that all requests share; cheap to clone.
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
    handle_seconds: u32,
    run_retries: RetryPolicy,
}

impl App {
    /// Opens the database, makes it if there is none, and brings an older layout up to date.
    ///
    /// # Errors
    /// Whatever can be wrong with a data directory or a shared database, told apart.
    pub async fn open(options: AppOptions) -> Result<Self, OpenError> {
        let store: Arc<dyn Store> = match options.database {
            Database::Folder(data_dir) => Arc::new(SqliteStore::open(&SqliteOptions {
                demo: options.demo,
                beside: options.beside,
                synchronous_full: options.synchronous_full,
                ..SqliteOptions::new(data_dir)
            })?),
            Database::Shared(url) => {
                let options = PostgresOptions::new(url.reveal().to_owned());
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
        }
        Ok(app)
    }

    /// From parts that are there already, without a vault.
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
            handle_seconds: HANDLE_SECONDS,
            run_retries: RetryPolicy::default(),
        }))
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &dyn Store {
        &*self.0.store
    }

    /// The store, to be kept.
    #[must_use]
    pub fn shared_store(&self) -> Arc<dyn Store> {
        Arc::clone(&self.0.store)
    }

    /// What credentials are judged by.
    #[must_use]
    pub fn trusted(&self) -> &Arc<TrustCache> {
        &self.0.trusted
    }

    /// The clock.
    #[must_use]
    pub fn clock(&self) -> &dyn Clock {
        &*self.0.clock
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Who follows which lists.
    #[must_use]
    pub fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    /// Opens and seals what authenticates towards other systems, where there is a key for it.
    #[must_use]
    pub fn vault(&self) -> Option<&VaultKeys> {
        self.0.vault.as_ref()
    }

    /// Carries outgoing requests.
    #[must_use]
    pub fn egress(&self) -> &Arc<Egress> {
        &self.0.egress
    }

    /// Access tokens for sites, as far as this node has fetched them.
    #[must_use]
    pub fn access_tokens(&self) -> &AccessTokens {
        &self.0.access_tokens
    }

    /// Sites that are open on this node.
    #[must_use]
    pub fn open_sites(&self) -> &OpenSites {
        &self.0.open_sites
    }

    /// How many seconds the handle of a site connection holds.
    #[must_use]
    pub fn handle_seconds(&self) -> u32 {
        self.0.handle_seconds
    }

    /// How long runs try to reach a site that is away.
    #[must_use]
    pub fn run_retries(&self) -> RetryPolicy {
        self.0.run_retries
    }

    /// Finishes what was accepted and makes the files whole.
    ///
    /// # Errors
    /// The store did not end well; nothing acknowledged is lost even so.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.store().close().await
    }
}
