//! The writer thread and its batches (group commit).
//!
//! The thread takes what is queued, up to a bound, runs it in one transaction and answers only
//! after the commit: full durability for one sync per batch. If a job fails or panics, the batch is
//! rolled back and each job runs again in a transaction of its own, so that a failure affects
//! nobody else. `context` is what a job reads and reports within the transaction.

mod context;

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use super::audit_rows::{self, Heads};
use super::journal_rows::Cursors;
use super::list_rows::StoredList;
use super::shared::Shared;
use super::wal_checkpointer::WalCheckpointer;
use super::webhook_rows::Listeners;
use crate::feed::{Announcement, Commit};
use crate::list_key::ListKey;
use crate::monitoring::PoolLoad;
use crate::store::{Reply, StoreError};

/// The most jobs in the queue; further ones get `Busy`.
const QUEUE: usize = 1_024;

/// The most jobs in one transaction: enough to share a sync, few enough for short waits.
const BATCH: usize = 256;

/// A job for the writer.
trait Job: Send {
    /// Does the work in the present transaction. Called a second time, alone, if a shared
    /// transaction was rolled back.
    fn run(&mut self, work: &mut BatchContext<'_>) -> Result<(), StoreError>;

    /// Answers the caller, once the result of the commit is known.
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
        // The caller may be gone; the job runs nevertheless.
        let _ = self
            .answer
            .send(self.outcome.and_then(|value| committed.map(|()| value)));
    }
}

struct QueuedJob {
    job: Box<dyn Job>,
    /// The runtime on which the caller waits.
    runtime: Option<Handle>,
}

/// The queue of the writer thread.
pub(super) struct Writer {
    queue: mpsc::Sender<QueuedJob>,
}

/// The transaction of a batch, as its jobs see it.
pub(crate) struct BatchContext<'a> {
    pub(super) connection: &'a Connection,
    pub(super) shared: &'a Shared,
    /// Lists that this batch has changed. Published and announced after the commit.
    changed: HashMap<ListKey, ChangedList>,
    /// Templates that this batch has published: tenant and id.
    published: Vec<(String, String)>,
    heads: Heads,
    /// The tenants whose audit trail this batch has extended. The new ends are stored before the
    /// commit.
    continued: HashSet<String>,
    cursors: Cursors,
    catalogue_changed: bool,
    lists_changed_at_large: bool,
    /// The webhooks that are on; loaded again after this or another program has changed one.
    listeners: Option<Listeners>,
    /// The last `data_version`: changes when another connection commits.
    seen_of_others: i64,
    /// Whether this batch has created deliveries.
    deliveries: bool,
    /// Whether this batch has written a run that may be due.
    has_due_run: bool,
}

/// A list that the present batch has changed.
struct ChangedList {
    stored: Arc<StoredList>,
    /// The number of changes.
    times: u32,
    /// The client's id of the last operation.
    operation: Option<String>,
}

impl Writer {
    /// Starts the thread. It ends when the writer is dropped and the queue is empty. Then it
    /// checkpoints the WAL, unless a server has the file.
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
                    // Ends the checkpointer thread, so that no other connection interferes.
                    drop(log);
                    write_back(&connection);
                }
            })?;
        Ok((Self { queue }, thread))
    }

    /// How busy the thread is.
    pub(super) fn load(&self, shared: &Shared) -> PoolLoad {
        let waiting = self.queue.max_capacity() - self.queue.capacity();
        PoolLoad {
            name: "writer",
            in_use: u64::from(shared.is_writing.load(Ordering::Relaxed)),
            limit: 1,
            waiting: waiting as u64,
        }
    }

    /// Queues a job. The reply comes after the commit.
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
        shared.is_writing.store(true, Ordering::Relaxed);
        work.batch(first, &mut jobs);
        shared.is_writing.store(false, Ordering::Relaxed);
        if let Some(log) = &mut log {
            log.after_commit(connection);
        }
    }
    log
}

/// Leaves one complete file on the disk. An error costs nothing: the next start reads the WAL.
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
            // One job failed and the shared transaction was rolled back. Each runs alone now, so
            // that an error affects its own job only.
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
            // Wakes the tasks from within the runtime: one system call for all of them.
            Some(runtime) => drop(runtime.spawn(async { answer() })),
            None => answer(),
        }
    }

    /// Runs a batch, and jobs that arrive meanwhile, in one transaction. Savepoints around the jobs
    /// would copy every page that a job touches, for an error that hardly ever happens.
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

    /// Begins a transaction, and drops cached state if another program has written to the file.
    fn begin(&mut self) -> Result<(), StoreError> {
        self.statement("BEGIN IMMEDIATE")?;
        match self.commits_of_others() {
            Ok(count) if count == self.seen_of_others => {}
            Ok(count) => {
                self.seen_of_others = count;
                self.listeners = None;
                // The command line extends the audit trail, too.
                self.heads.clear();
            }
            Err(error) => {
                self.roll_back();
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// `PRAGMA data_version`: changes when another connection commits.
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
        // A later subscriber reads what was just committed anyway.
        let has_subscribers = self.shared.commits.receiver_count() > 0;
        let mut commits = Vec::new();
        for (key, changed) in self.changed.drain() {
            if has_subscribers {
                commits.push(changed.to_commit(&key));
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
        if has_subscribers {
            commits.extend(templates.map(|(tenant, id)| Commit::Template { tenant, id }));
            if !commits.is_empty() {
                // Without subscribers the announcement is not needed.
                let _ = self
                    .shared
                    .commits
                    .send(Arc::new(Announcement::Commits(commits)));
            }
        }
        Ok(())
    }

    /// Stores the new ends of the audit trails, once for the whole batch.
    fn note_heads(&mut self) -> Result<(), StoreError> {
        for tenant in self.continued.drain() {
            if let Some(head) = self.heads.get(&tenant) {
                audit_rows::note_head(self.connection, &tenant, *head)?;
            }
        }
        Ok(())
    }

    /// Rolls the transaction back, and drops the cached state that it may have changed.
    fn roll_back(&mut self) {
        // On a full disk SQLite rolls back by itself.
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
    fn to_commit(&self, key: &ListKey) -> Commit {
        Commit::List {
            list: key.clone(),
            revision: self.stored.list.revision,
            sequence: self.stored.logs.audit_sequence,
            operation: self.operation.clone().filter(|_| self.times == 1),
        }
    }
}
