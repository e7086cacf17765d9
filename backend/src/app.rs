//! What the running server shares: the store, the clock, the limits.
//!
//! Opened once by the command line, cloned into every handler, asked by the services.

use std::path::PathBuf;
use std::sync::Arc;

use checklist_shared::limits::Limits;

use crate::auth::trusted::Trusted;
use crate::clock::{Clock, SystemClock};
use crate::live::Hub;
use crate::storage::Store;
use crate::storage::sqlite::{SqliteOptions, SqliteStore};
use crate::storage::store::StoreError;

pub use crate::storage::sqlite::OpenError;

/// How to open an [`App`].
pub struct AppOptions {
    /// Where the data lies.
    pub data_dir: PathBuf,
    /// Whether this is a demonstration; its database is marked.
    pub demo: bool,
    /// Work beside a server that has the directory, to change who may sign in.
    pub beside: bool,
    /// The limits in force.
    pub limits: Limits,
    /// Every acknowledged write survives a loss of power.
    pub synchronous_full: bool,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

impl AppOptions {
    /// The defaults for a data directory.
    #[must_use]
    pub fn new(data_dir: PathBuf) -> Self {
        Self {
            data_dir,
            demo: false,
            beside: false,
            limits: Limits::default(),
            synchronous_full: true,
            clock: Arc::new(SystemClock),
        }
    }
}

/// The parts that all requests share; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

struct Parts {
    store: Arc<dyn Store>,
    trusted: Arc<Trusted>,
    clock: Arc<dyn Clock>,
    limits: Limits,
    hub: Arc<Hub>,
}

impl App {
    /// Opens the embedded database.
    ///
    /// # Errors
    /// Whatever can be wrong with a data directory, told apart.
    pub fn open(options: AppOptions) -> Result<Self, OpenError> {
        let store = SqliteStore::open(&SqliteOptions {
            demo: options.demo,
            beside: options.beside,
            synchronous_full: options.synchronous_full,
            ..SqliteOptions::new(options.data_dir)
        })?;
        Ok(Self::with(Arc::new(store), options.clock, options.limits))
    }

    /// From parts that are there already.
    #[must_use]
    pub fn with(store: Arc<dyn Store>, clock: Arc<dyn Clock>, limits: Limits) -> Self {
        Self(Arc::new(Parts {
            trusted: Arc::new(Trusted::new(Arc::clone(&store))),
            store,
            clock,
            limits,
            hub: Arc::default(),
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
    pub fn trusted(&self) -> &Arc<Trusted> {
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

    /// Finishes what was accepted and makes the files whole.
    ///
    /// # Errors
    /// The store did not end well; nothing acknowledged is lost even so.
    pub async fn close(&self) -> Result<(), StoreError> {
        self.store().close().await
    }
}
