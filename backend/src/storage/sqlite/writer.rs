//! The one thread that writes, and the batches it commits.
//!
//! It takes what is waiting, up to a bound, runs it in one transaction, and only after the commit
//! lets anybody have an answer: full durability at the price of one sync a batch. When a job
//! fails or panics, all of the batch is undone and each runs again for itself, so that nobody
//! loses more than what was their own. What a job finds and tells meanwhile is in `context`.

mod context;

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use super::Shared;
use super::audit_rows::{self, Heads};
use super::journal_rows::Cursors;
use super::list_rows::StoredList;
use super::wal_checkpointer::WalCheckpointer;
use super::webhook_rows::Listeners;
use crate::storage::feed::{Announcement, Commit};
use crate::storage::list_key::ListKey;
use crate::storage::store::{Reply, StoreError};

/// Jobs that may wait; more are told to come back.
const QUEUE: usize = 1_024;

/// Jobs in one transaction: enough to share a sync, few enough to keep waiting short.
const BATCH: usize = 256;

/// What somebody has asked the writer for.
trait Job: Send {
    /// Does the work in the present transaction. Called once more, alone, when a transaction
    /// with others had to be undone.
    fn run(&mut self, work: &mut BatchContext<'_>) -> Result<(), StoreError>;

    /// Tells whoever asked, once it is known what came of the commit.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

struct WriteJob<T, W> {
    work: W,
    outcome: Result<T, StoreError>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W> Job for WriteJob<T, W>
where
    T: Send,
    W: FnMut(&mut BatchContext<'_>) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, work: &mut BatchContext<'_>) -> Result<(), StoreError> {
        self.outcome = catch_unwind(AssertUnwindSafe(|| (self.work)(work)))
            .unwrap_or_else(|_| Err(StoreError::Broken("a job panicked".to_owned())));
        match &self.outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(error.clone()),
        }
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        // Whoever asked may have gone away; the work is done all the same.
        let _ = self
            .answer
            .send(self.outcome.and_then(|value| committed.map(|()| value)));
    }
}

struct QueuedJob {
    job: Box<dyn Job>,
    /// Where whoever asked is waiting.
    runtime: Option<Handle>,
}

/// The queue to the thread.
pub(super) struct Writer {
    queue: mpsc::Sender<QueuedJob>,
}

/// What a job works with.
pub(super) struct BatchContext<'a> {
    pub(super) connection: &'a Connection,
    pub(super) shared: &'a Shared,
    /// Lists that this batch has changed, to be published and told of after the commit.
    changed: HashMap<ListKey, ChangedList>,
    /// Templates that this batch has published: tenant and id.
    published: Vec<(String, String)>,
    heads: Heads,
    /// The tenants whose chain this batch has continued; their new ends are noted with the commit.
    continued: HashSet<String>,
    cursors: Cursors,
    catalogue_changed: bool,
    lists_changed_at_large: bool,
    /// The webhooks that are on; read anew after one was changed, here or by another program.
    listeners: Option<Listeners>,
    /// How many commits of others this batch knows of.
    seen_of_others: i64,
    /// Whether this batch has made deliveries.
    deliveries: bool,
    /// Whether a run that may be due was written by this batch.
    has_due_run: bool,
}

/// A list that the present batch has changed.
struct ChangedList {
    stored: Arc<StoredList>,
    /// How often.
    times: u32,
    /// What the caller named the last operation.
    operation: Option<String>,
}

impl Writer {
    /// Starts the thread. It ends when the writer is dropped and the queue is empty, and then
    /// writes the log back into the database file, if that is its business at all.
    pub(super) fn start(
        mut connection: Connection,
        shared: Arc<Shared>,
        log: Option<WalCheckpointer>,
    ) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                if log.is_some() {
                    WalCheckpointer::count(&mut connection);
                }
                if let Some(log) = run(&connection, &shared, jobs, log) {
                    // Ends its thread, so that nobody else is at it.
                    drop(log);
                    write_back(&connection);
                }
            })?;
        Ok((Self { queue }, thread))
    }

    /// Hands a job in. The reply comes after the commit.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut BatchContext<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let (answer, reply) = oneshot::channel();
        let job = QueuedJob {
            job: Box::new(WriteJob {
                work,
                outcome: Err(StoreError::Closed),
                answer,
            }),
            runtime: Handle::try_current().ok(),
        };
        let refused = match self.queue.try_send(job) {
            Ok(()) => None,
            Err(mpsc::error::TrySendError::Full(_)) => Some(StoreError::Busy),
            Err(mpsc::error::TrySendError::Closed(_)) => Some(StoreError::Closed),
        };
        Box::pin(async move {
            match refused {
                Some(error) => Err(error),
                None => reply.await.unwrap_or(Err(StoreError::Closed)),
            }
        })
    }
}

fn run(
    connection: &Connection,
    shared: &Shared,
    mut jobs: mpsc::Receiver<QueuedJob>,
    mut log: Option<WalCheckpointer>,
) -> Option<WalCheckpointer> {
    let mut work = BatchContext {
        connection,
        shared,
        changed: HashMap::new(),
        published: Vec::new(),
        heads: Heads::new(),
        continued: HashSet::new(),
        cursors: Cursors::new(),
        catalogue_changed: false,
        lists_changed_at_large: false,
        listeners: None,
        seen_of_others: 0,
        deliveries: false,
        has_due_run: false,
    };
    while let Some(first) = jobs.blocking_recv() {
        work.batch(first, &mut jobs);
        if let Some(log) = &mut log {
            log.after_commit(connection);
        }
    }
    log
}

/// So that what lies on the disk is one whole file. A failure costs nothing: the log is read
/// again at the next start.
fn write_back(connection: &Connection) {
    if let Err(error) = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)") {
        tracing::warn!(%error, "the log could not be written back");
    }
}

impl BatchContext<'_> {
    fn batch(&mut self, first: QueuedJob, jobs: &mut mpsc::Receiver<QueuedJob>) {
        let QueuedJob { job, runtime } = first;
        let mut batch = vec![job];
        let together = self.run_batch(&mut batch, jobs);
        let outcomes = match together {
            Ok(()) => vec![Ok(()); batch.len()],
            // One of them failed and took the others along. Each for itself, then, so that it
            // takes along nothing but its own.
            Err(_) => batch
                .iter_mut()
                .map(|job| self.run_single(&mut **job))
                .collect(),
        };
        let answer = move || {
            for (job, outcome) in batch.into_iter().zip(outcomes) {
                job.answer(outcome);
            }
        };
        match runtime {
            // Woken from inside the runtime: one call into the system for all of them.
            Some(runtime) => drop(runtime.spawn(async { answer() })),
            None => answer(),
        }
    }

    /// Runs the batch, and what comes in meanwhile, in one transaction. Savepoints around the
    /// jobs would keep a copy of every page that each of them touches, for a failure that hardly
    /// ever comes.
    fn run_batch(
        &mut self,
        batch: &mut Vec<Box<dyn Job>>,
        jobs: &mut mpsc::Receiver<QueuedJob>,
    ) -> Result<(), StoreError> {
        self.begin()?;
        let mut next = 0;
        while let Some(job) = batch.get_mut(next) {
            if let Err(error) = job.run(self) {
                self.roll_back();
                return Err(error);
            }
            next += 1;
            if next == batch.len()
                && next < BATCH
                && let Ok(waiting) = jobs.try_recv()
            {
                batch.push(waiting.job);
            }
        }
        self.commit()
    }

    /// Begins a transaction, and forgets what another program may have changed meanwhile.
    fn begin(&mut self) -> Result<(), StoreError> {
        self.statement("BEGIN IMMEDIATE")?;
        match self.commits_of_others() {
            Ok(count) if count == self.seen_of_others => {}
            Ok(count) => {
                self.seen_of_others = count;
                self.listeners = None;
                // The command line continues the audit trail, too.
                self.heads.clear();
            }
            Err(error) => {
                self.roll_back();
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// The file's count of commits that were not made over this connection.
    fn commits_of_others(&self) -> rusqlite::Result<i64> {
        self.connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))
    }

    fn run_single(&mut self, job: &mut dyn Job) -> Result<(), StoreError> {
        self.begin()?;
        if let Err(error) = job.run(self) {
            self.roll_back();
            return Err(error);
        }
        self.commit()
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        if let Err(error) = self.note_heads().and_then(|()| self.statement("COMMIT")) {
            self.roll_back();
            return Err(error);
        }
        // Whoever listens from here on reads what was just committed anyway.
        let told = self.shared.commits.receiver_count() > 0;
        let mut commits = Vec::new();
        for (key, changed) in self.changed.drain() {
            if told {
                commits.push(changed.told_of(&key));
            }
            self.shared.lists.publish(key, changed.stored);
        }
        if std::mem::take(&mut self.catalogue_changed) {
            self.shared.catalogue.forget();
        }
        if std::mem::take(&mut self.lists_changed_at_large) {
            self.shared.lists.clear();
        }
        if std::mem::take(&mut self.deliveries) {
            self.shared.outbox.notify_one();
        }
        if std::mem::take(&mut self.has_due_run) {
            self.shared.job_notifier.notify();
        }
        let templates = self.published.drain(..);
        if told {
            commits.extend(templates.map(|(tenant, id)| Commit::Template { tenant, id }));
            if !commits.is_empty() {
                // Nobody is left to be told: just as well.
                let _ = self
                    .shared
                    .commits
                    .send(Arc::new(Announcement::Commits(commits)));
            }
        }
        Ok(())
    }

    /// Notes the new ends of the audit trails, once for all that the batch has appended.
    fn note_heads(&mut self) -> Result<(), StoreError> {
        for tenant in self.continued.drain() {
            if let Some(head) = self.heads.get(&tenant) {
                audit_rows::note_head(self.connection, &tenant, head)?;
            }
        }
        Ok(())
    }

    /// Nothing of the transaction has happened; what was remembered of it is read again.
    fn roll_back(&mut self) {
        // SQLite has given up the transaction by itself when the disk is full.
        if !self.connection.is_autocommit()
            && let Err(error) = self.statement("ROLLBACK")
        {
            tracing::error!(%error, "a transaction could not be undone");
        }
        self.changed.clear();
        self.published.clear();
        self.heads.clear();
        self.continued.clear();
        self.cursors.clear();
        self.shared.recent.clear();
        self.catalogue_changed = false;
        self.lists_changed_at_large = false;
        self.listeners = None;
        self.deliveries = false;
        self.has_due_run = false;
    }

    fn statement(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}

impl ChangedList {
    fn told_of(&self, key: &ListKey) -> Commit {
        Commit::List {
            list: key.clone(),
            revision: self.stored.list.revision,
            sequence: self.stored.logs.audit_sequence,
            operation: self.operation.clone().filter(|_| self.times == 1),
        }
    }
}
