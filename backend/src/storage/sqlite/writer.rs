//! The one thread that writes, and the batches it commits.
//!
//! It takes what is waiting, up to a bound, runs it in one transaction, and only after the commit
//! lets anybody have an answer: full durability at the price of one sync a batch. When a job
//! fails or panics, all of the batch is undone and each runs again for itself, so that nobody
//! loses more than what was their own.

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
use super::recent::Recent;
use super::webhook_rows::{self, Listeners};
use crate::storage::feed::{Announcement, Commit};
use crate::storage::list_key::ListKey;
use crate::storage::outbox::Listener;
use crate::storage::store::{Reply, StoreError};
use crate::storage::webhooks::NewDelivery;

/// Jobs that may wait; more are told to come back.
const QUEUE: usize = 1_024;

/// Jobs in one transaction: enough to share a sync, few enough to keep waiting short.
const BATCH: usize = 256;

/// What somebody has asked the writer for.
trait Job: Send {
    /// Does the work in the present transaction. Called once more, alone, when a transaction
    /// with others had to be undone.
    fn run(&mut self, work: &mut Work<'_>) -> Result<(), StoreError>;

    /// Tells whoever asked, once it is known what came of the commit.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Asked<T, W> {
    work: W,
    outcome: Result<T, StoreError>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W> Job for Asked<T, W>
where
    T: Send,
    W: FnMut(&mut Work<'_>) -> Result<T, StoreError> + Send,
{
    fn run(&mut self, work: &mut Work<'_>) -> Result<(), StoreError> {
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

struct Waiting {
    job: Box<dyn Job>,
    /// Where whoever asked is waiting.
    runtime: Option<Handle>,
}

/// The queue to the thread.
pub(super) struct Writer {
    queue: mpsc::Sender<Waiting>,
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
    recent: Recent,
    catalogue_changed: bool,
    lists_changed_at_large: bool,
    /// The webhooks that are on; read anew after one was changed, here or by another program.
    listeners: Option<Listeners>,
    /// How many commits of others this batch knows of.
    seen_of_others: i64,
    /// Whether this batch has made deliveries.
    deliveries: bool,
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
    /// (`writes_back`) writes the log back into the database file.
    pub(super) fn start(
        connection: Connection,
        shared: Arc<Shared>,
        writes_back: bool,
    ) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                run(&connection, &shared, jobs);
                if writes_back {
                    write_back(&connection);
                }
            })?;
        Ok((Self { queue }, thread))
    }

    /// Hands a job in. The reply comes after the commit.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Work<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let (answer, reply) = oneshot::channel();
        let job = Waiting {
            job: Box::new(Asked {
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

fn run(connection: &Connection, shared: &Shared, mut jobs: mpsc::Receiver<Waiting>) {
    let mut work = Work {
        connection,
        shared,
        changed: HashMap::new(),
        published: Vec::new(),
        heads: Heads::new(),
        cursors: Cursors::new(),
        recent: Recent::new(),
        catalogue_changed: false,
        lists_changed_at_large: false,
        listeners: None,
        seen_of_others: 0,
        deliveries: false,
    };
    while let Some(first) = jobs.blocking_recv() {
        work.batch(first, &mut jobs);
    }
}

/// So that what lies on the disk is one whole file. A failure costs nothing: the log is read
/// again at the next start.
fn write_back(connection: &Connection) {
    if let Err(error) = connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)") {
        tracing::warn!(%error, "the log could not be written back");
    }
}

impl Work<'_> {
    fn batch(&mut self, first: Waiting, jobs: &mut mpsc::Receiver<Waiting>) {
        let Waiting { job, runtime } = first;
        let mut batch = vec![job];
        let together = self.together(&mut batch, jobs);
        let outcomes = match together {
            Ok(()) => vec![Ok(()); batch.len()],
            // One of them failed and took the others along. Each for itself, then, so that it
            // takes along nothing but its own.
            Err(_) => batch.iter_mut().map(|job| self.alone(&mut **job)).collect(),
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
    fn together(
        &mut self,
        batch: &mut Vec<Box<dyn Job>>,
        jobs: &mut mpsc::Receiver<Waiting>,
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

    fn alone(&mut self, job: &mut dyn Job) -> Result<(), StoreError> {
        self.begin()?;
        if let Err(error) = job.run(self) {
            self.roll_back();
            return Err(error);
        }
        self.commit()
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        if let Err(error) = self.statement("COMMIT") {
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
        self.cursors.clear();
        self.recent.clear();
        self.catalogue_changed = false;
        self.lists_changed_at_large = false;
        self.listeners = None;
        self.deliveries = false;
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

    /// The tenant's webhooks that are on.
    pub(super) fn listeners(&mut self, tenant: &str) -> rusqlite::Result<Arc<[Listener]>> {
        let listeners = match &mut self.listeners {
            Some(known) => known,
            unknown => unknown.insert(webhook_rows::listeners(self.connection)?),
        };
        Ok(listeners.get(tenant).cloned().unwrap_or_default())
    }

    /// A webhook was made, changed, turned off or deleted.
    pub(super) fn webhooks_have_changed(&mut self) {
        self.listeners = None;
    }

    /// Writes what webhooks are to be sent; whoever sends is told after the commit.
    pub(super) fn has_deliveries(
        &mut self,
        tenant: &str,
        deliveries: &[NewDelivery],
    ) -> rusqlite::Result<()> {
        webhook_rows::insert_deliveries(self.connection, tenant, deliveries)?;
        self.deliveries = true;
        Ok(())
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

    /// The number of a remembered operation that has changed the list.
    pub(super) fn recent_operation(
        &mut self,
        tenant: &str,
        stored: &Stored,
        key: &[u8; 32],
        since: i64,
    ) -> rusqlite::Result<Option<i64>> {
        self.recent
            .find(self.connection, tenant, stored, key, since)
    }

    /// An operation was remembered with the list that it has changed.
    pub(super) fn operation_was_remembered(
        &mut self,
        list: i64,
        previous: i64,
        key: &[u8; 32],
        number: i64,
    ) {
        self.recent.add(list, previous, key, number);
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
