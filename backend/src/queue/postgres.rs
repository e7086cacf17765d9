//! The queue of several nodes: words travel through tables of apalis in the shared database, in a
//! schema of their own, and reach one node each.
//!
//! Set up with the first run, so that a database without runs has nothing of it. A node that dies
//! with a word in its hands loses it to another one after a few seconds.

use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use apalis_core::backend::TaskSink as _;
use apalis_core::task::builder::TaskBuilder;
use apalis_core::worker::builder::WorkerBuilder;
use apalis_postgres::{Config, PostgresStorage};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgSslMode};
use tokio::sync::{Mutex, Notify, OnceCell};
use tokio::task::JoinHandle;
use tokio_postgres::config::SslMode;

use super::{QUEUE, Waiting, heard};
use crate::clock;
use crate::config::DatabaseUrl;
use crate::storage::postgres::{Roots, Trust, split};

/// How often a node says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// After how many of them missing its words go to others.
const MISSED: usize = 3;
/// How long it waits for the database, and after it did not answer.
const PAUSE: Duration = Duration::from_secs(5);
/// However often nodes die with it, a word is not given up.
const ATTEMPTS: usize = 1_000_000;
/// Connections of the queue, beside those of the store: one listens, one works, one tells.
const CONNECTIONS: u32 = 3;

/// The queue in the database.
pub(super) struct Shared {
    options: PgConnectOptions,
    bell: Arc<Notify>,
    /// Connected and set up.
    pool: OnceCell<PgPool>,
    listener: Mutex<Option<JoinHandle<()>>>,
}

impl Shared {
    pub(super) fn new(url: &DatabaseUrl, bell: Arc<Notify>) -> Result<Self, String> {
        Ok(Self {
            options: options_of(url)?,
            bell,
            pool: OnceCell::new(),
            listener: Mutex::default(),
        })
    }

    async fn pool(&self) -> Result<&PgPool, String> {
        self.pool
            .get_or_try_init(|| async {
                let pool = PgPoolOptions::new()
                    .max_connections(CONNECTIONS)
                    .acquire_timeout(PAUSE)
                    .connect_with(self.options.clone())
                    .await
                    .map_err(|error| error.to_string())?;
                PostgresStorage::setup(&pool)
                    .await
                    .map_err(|error| error.to_string())?;
                Ok(pool)
            })
            .await
    }

    pub(super) async fn listen(&self) {
        let mut listener = self.listener.lock().await;
        if listener.is_some() {
            return;
        }
        match self.pool().await {
            Ok(pool) => {
                *listener = Some(tokio::spawn(listen(pool.clone(), Arc::clone(&self.bell))));
            }
            Err(error) => {
                tracing::warn!(
                    error,
                    "the queue of runs cannot be used; workers look by themselves"
                );
            }
        }
    }

    pub(super) async fn tell(&self, word: Waiting) {
        let told = async {
            let pool = self.pool().await?;
            let mut storage = storage(pool);
            let task = TaskBuilder::new(word).max_attempts(ATTEMPTS).build();
            storage
                .push_task(task)
                .await
                .map_err(|error| error.to_string())
        };
        match told.await {
            Ok(()) => self.listen().await,
            Err(error) => {
                tracing::warn!(
                    error,
                    "no node could be told of a run; workers look by themselves"
                );
                self.bell.notify_one();
            }
        }
    }

    pub(super) async fn close(&self) {
        if let Some(listener) = self.listener.lock().await.take() {
            listener.abort();
        }
        if let Some(pool) = self.pool.get() {
            pool.close().await;
        }
    }
}

fn storage(pool: &PgPool) -> PostgresStorage<Waiting> {
    let config = Config::default()
        .queue(QUEUE)
        .heartbeat_interval(HEARTBEAT)
        .missed_heartbeats(MISSED);
    PostgresStorage::new(pool).with_config(config)
}

/// Hears words until it is aborted.
async fn listen(pool: PgPool, bell: Arc<Notify>) {
    loop {
        let name = name();
        let bell = Arc::clone(&bell);
        let worker = WorkerBuilder::new(name.as_str())
            .backend(storage(&pool).with_pubsub())
            .build(move |word: Waiting| {
                heard(&bell, &word);
                std::future::ready(())
            });
        if let Err(error) = worker.run().await {
            tracing::warn!(%error, "the queue of runs does not answer");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// A name that no other node has, nor this one in an earlier life.
fn name() -> String {
    let mut bytes = [0; 16];
    // Without randomness the process and the next restart still tell it from the others.
    let _ = clock::random(&mut bytes);
    format!(
        "node-{}",
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    )
}

/// The same database, as safe as the URL asks for.
fn options_of(url: &DatabaseUrl) -> Result<PgConnectOptions, String> {
    let (rest, protection) = split(url.reveal())?;
    let options = PgConnectOptions::from_str(&rest).map_err(|_| "it is not understood")?;
    let with = |options: PgConnectOptions, roots: Roots| match roots {
        Roots::System => options,
        Roots::File(file) => options.ssl_root_cert(file),
    };
    Ok(match (protection.trust, protection.mode) {
        (Trust::Anybody, SslMode::Disable) => options.ssl_mode(PgSslMode::Disable),
        (Trust::Anybody, SslMode::Require) => options.ssl_mode(PgSslMode::Require),
        (Trust::Anybody, _) => options.ssl_mode(PgSslMode::Prefer),
        (Trust::Authority(roots), _) => with(options.ssl_mode(PgSslMode::VerifyCa), roots),
        (Trust::Name(roots), _) => with(options.ssl_mode(PgSslMode::VerifyFull), roots),
    })
}
