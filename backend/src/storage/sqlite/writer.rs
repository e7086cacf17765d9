//! The one thread that writes, and the batches it commits.
//!
//! It takes what is waiting, up to a bound, runs each job in a savepoint, commits once, and
//! only then lets anybody have an answer: full durability at the price of one sync a batch.
//! A job that fails or panics takes nothing with it but its own changes.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};

use super::Shared;
use super::audit_rows::{self, Head, Heads};
use super::catalogue::Since;
use super::facts::{File, Source};
use super::journal_rows::{self, Cursors};
use super::list_rows::Stored;
use crate::storage::feed::{Announcement, Commit};
use crate::storage::list_key::ListKey;
use crate::storage::store::{Reply, StoreError};

/// Jobs that may wait; more are told to come back.
const QUEUE: usize = 1_024;

/// Jobs in one transaction: enough to share a sync, few enough to keep waiting short.
const BATCH: usize = 256;

/// Runs in the writer's thread; told when there is no transaction to run in. What it returns
/// is called after the commit with what came of it.
type Run = Box<dyn FnOnce(Result<&mut Work<'_>, StoreError>) -> Completion + Send>;
type Completion = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

struct Job {
    run: Run,
    /// Where whoever asked is waiting.
    runtime: Option<Handle>,
}

/// The queue to the thread.
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
}

/// What a job works with.
pub(super) struct Work<'a> {
    pub(super) connection: &'a Connection,
    pub(super) shared: &'a Shared,
    /// Lists that this batch has changed, to be published and told of after the commit.
    changed: HashMap<ListKey, Changed>,
    /// Templates that this batch has published: tenant and id.
    published: Vec<(String, String)>,
    heads: Heads,
    cursors: Cursors,
    catalogue_changed: bool,
    lists_changed_at_large: bool,
}

/// A list that the present batch has changed.
struct Changed {
    stored: Arc<Stored>,
    /// How often.
    times: u32,
    /// What the caller named the last operation.
    operation: Option<String>,
}

impl Writer {
    /// Starts the thread. It ends when the writer is dropped and the queue is empty, and then
    /// writes the log back into the database file.
    pub(super) fn start(
        connection: Connection,
        shared: Arc<Shared>,
    ) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || run(&connection, &shared, jobs))?;
        Ok((Self { queue }, thread))
    }

    /// Hands a job in. The reply comes after the commit.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Work<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let (answer, reply) = oneshot::channel();
        let run: Run = Box::new(move |state| {
            let outcome = state.and_then(|state| state.guarded(work));
            Box::new(move |committed| {
                // Whoever asked may have gone away; the work is done all the same.
                let _ = answer.send(outcome.and_then(|value| committed.map(|()| value)));
            })
        });
        let job = Job {
            run,
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

fn run(connection: &Connection, shared: &Shared, mut jobs: mpsc::Receiver<Job>) {
    let mut work = Work {
        connection,
        shared,
        changed: HashMap::new(),
        published: Vec::new(),
        heads: Heads::new(),
        cursors: Cursors::new(),
        catalogue_changed: false,
        lists_changed_at_large: false,
    };
    while let Some(first) = jobs.blocking_recv() {
        work.batch(first, &mut jobs);
    }
    // So that what lies on the disk is one whole file. A failure costs nothing: the log is
    // read again at the next start.
    if let Err(error) = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)") {
        tracing::warn!(%error, "the log could not be written back");
    }
}

impl Work<'_> {
    fn batch(&mut self, first: Job, jobs: &mut mpsc::Receiver<Job>) {
        let Job { run, runtime } = first;
        if let Err(error) = self.statement("BEGIN IMMEDIATE") {
            run(Err(error))(Ok(()));
            return;
        }
        let mut completions = vec![run(Ok(self))];
        while completions.len() < BATCH && !self.connection.is_autocommit() {
            let Ok(job) = jobs.try_recv() else { break };
            completions.push((job.run)(Ok(self)));
        }
        let committed = self.commit();
        let complete = move || {
            for completion in completions {
                completion(committed.clone());
            }
        };
        match runtime {
            // Woken from inside the runtime: one call into the system for all of them.
            Some(runtime) => drop(runtime.spawn(async { complete() })),
            None => complete(),
        }
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        // SQLite gives up the whole transaction when the disk is full, whichever job it hit.
        let outcome = if self.connection.is_autocommit() {
            Err(StoreError::Full)
        } else {
            self.statement("COMMIT")
        };
        if outcome.is_err() {
            if !self.connection.is_autocommit() {
                let _ = self.statement("ROLLBACK");
            }
            self.changed.clear();
            self.published.clear();
            self.heads.clear();
            self.cursors.clear();
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
        outcome
    }

    /// Runs a job so that its failure undoes its own changes and no others.
    fn guarded<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.statement("SAVEPOINT job")?;
        let outcome = catch_unwind(AssertUnwindSafe(|| work(self)))
            .unwrap_or_else(|_| Err(StoreError::Broken("a job panicked".to_owned())));
        if outcome.is_err() && !self.connection.is_autocommit() {
            // What other jobs of the batch have done stays; what this one remembered of the
            // ends of the logs is read again.
            self.heads.clear();
            self.cursors.clear();
            self.statement("ROLLBACK TO job")?;
        }
        if !self.connection.is_autocommit() {
            self.statement("RELEASE job")?;
        }
        outcome
    }

    fn statement(&self, sql: &str) -> Result<(), StoreError> {
        self.connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }

    /// The list is now this. To be called last, when nothing of the job can fail any more.
    pub(super) fn has_changed(
        &mut self,
        key: ListKey,
        stored: Stored,
        head: Head,
        cursor: Option<u64>,
        operation: Option<String>,
    ) {
        self.heads.insert(key.tenant.clone(), head);
        if let Some(cursor) = cursor {
            self.cursors.insert(key.tenant.clone(), cursor);
        }
        let stored = Arc::new(stored);
        let times = self.changed.get(&key).map_or(0, |before| before.times) + 1;
        let changed = Changed {
            stored,
            times,
            operation,
        };
        self.changed.insert(key, changed);
    }

    /// A version of the template was published.
    pub(super) fn has_published(&mut self, tenant: String, id: String) {
        self.published.push((tenant, id));
        self.catalogue_has_changed();
    }

    /// Types or templates were written.
    pub(super) fn catalogue_has_changed(&mut self) {
        self.shared.catalogue.forget();
        self.catalogue_changed = true;
    }

    /// Lists were written past [`Work::has_changed`].
    pub(super) fn lists_have_changed(&mut self) {
        self.lists_changed_at_large = true;
        self.changed.clear();
    }

    /// The list's row, if it is still the very one that somebody has looked at, and neither
    /// types nor templates were written since.
    pub(super) fn unchanged(
        &mut self,
        key: &ListKey,
        seen: &Arc<Stored>,
        since: Since,
    ) -> rusqlite::Result<Option<Arc<Stored>>> {
        if self.catalogue_changed || !self.shared.catalogue.is_unchanged(since) {
            return Ok(None);
        }
        let stored = self.stored(key)?;
        Ok(stored.filter(|stored| Arc::ptr_eq(stored, seen)))
    }

    /// Where the tenant's audit chain ends.
    pub(super) fn head(&self, tenant: &str) -> rusqlite::Result<Head> {
        match self.heads.get(tenant) {
            Some(head) => Ok(*head),
            None => audit_rows::head(self.connection, tenant),
        }
    }

    /// The newest cursor of the tenant's journal.
    pub(super) fn journal_cursor(&self, tenant: &str) -> rusqlite::Result<u64> {
        match self.cursors.get(tenant) {
            Some(cursor) => Ok(*cursor),
            None => journal_rows::newest(self.connection, tenant),
        }
    }
}

impl Changed {
    fn told_of(&self, key: &ListKey) -> Commit {
        Commit::List {
            list: key.clone(),
            revision: self.stored.list.revision,
            sequence: self.stored.logs.audit_sequence,
            operation: self.operation.clone().filter(|_| self.times == 1),
        }
    }
}

/// The file as the present transaction sees it.
impl Source for Work<'_> {
    type Error = rusqlite::Error;

    fn stored(&mut self, key: &ListKey) -> rusqlite::Result<Option<Arc<Stored>>> {
        if let Some(changed) = self.changed.get(key) {
            return Ok(Some(Arc::clone(&changed.stored)));
        }
        if self.lists_changed_at_large {
            return Ok(super::list_rows::load(self.connection, key)?.map(Arc::new));
        }
        File {
            connection: self.connection,
            shared: self.shared,
        }
        .stored(key)
    }

    fn types(&mut self, tenant: &str) -> rusqlite::Result<Arc<super::catalogue::TypesByName>> {
        if self.catalogue_changed {
            return Ok(Arc::new(super::catalogue::load_types(
                self.connection,
                tenant,
            )?));
        }
        File {
            connection: self.connection,
            shared: self.shared,
        }
        .types(tenant)
    }

    fn template(
        &mut self,
        tenant: &str,
        choice: &crate::storage::store::TemplateChoice,
    ) -> rusqlite::Result<Option<Arc<checklist_shared::Template>>> {
        if self.catalogue_changed {
            return Ok(
                super::catalogue::load_template(self.connection, tenant, choice)?.map(Arc::new),
            );
        }
        File {
            connection: self.connection,
            shared: self.shared,
        }
        .template(tenant, choice)
    }

    fn purposes(&mut self, key: &ListKey) -> rusqlite::Result<usize> {
        super::list_rows::purposes(self.connection, key)
    }
}
