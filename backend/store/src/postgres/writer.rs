//! The lanes and batches of a node's writing calls (group commit).
//!
//! A call is queued in the lane of its tenant and answered after the commit of its batch. A tenant
//! has one batch in flight, so that the calls that arrive meanwhile make the next one larger. The
//! next one also waits a moment for the callers that were just answered, to share its round trips
//! and its sync with them, as long as they do call again. Tenants do not wait for each other. Locks
//! in the database separate the nodes. The calls of a failed batch run again one by one, so that a
//! bad call affects nobody else.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::sync::{Notify, Semaphore, oneshot};

use super::announcer::Announcer;
use super::batch::{self, BatchError, BatchResult, UnclearCommit};
use super::batch_decision::WriteReply;
use super::call::Call;
use super::error::PostgresError;
use super::memory::Memory;
use super::session::Pool;
use crate::store::{ListWrite, Reply, StoreError};

/// The most calls in all lanes; further ones get `Busy`.
const QUEUE: usize = 1_024;

/// The most calls in one transaction: enough to share its round trips, few enough for short waits.
const BATCH: usize = 256;

/// The most tries of a batch that meets a conflict or loses its connection.
const TRIES: u32 = 6;

/// The next batch gathers for the duration of the last one, divided by this.
const GATHERING: u32 = 4;

/// The shortest time for gathering: timers measure no shorter one.
const SHORTEST: Duration = Duration::from_millis(1);

/// The longest time for gathering.
const LONGEST: Duration = Duration::from_millis(5);

/// After a gathering in vain, this many batches skip it; twice as many each time, up to the
/// maximum.
const LEAST_REST: u32 = 4;
const MOST_REST: u32 = 256;

/// A call with its reply channel.
struct Job {
    call: Call,
    answer: oneshot::Sender<WriteReply>,
}

/// The lanes of a node.
#[derive(Clone)]
pub(super) struct Writers(Arc<Shared>);

struct Shared {
    pool: Pool,
    memory: Arc<Memory>,
    announcer: Arc<Announcer>,
    lanes: Mutex<Lanes>,
    /// Limits the batches in flight: some connections are reserved for reads.
    turns: Semaphore,
    /// Notified when the last lane is empty.
    idle: Notify,
}

#[derive(Default)]
struct Lanes {
    closed: bool,
    /// The number of calls in all lanes.
    waiting: usize,
    /// The lanes by tenant. Each existing lane has a task that works on it.
    of: HashMap<String, Lane>,
}

struct Lane {
    jobs: Vec<Job>,
    /// The number of calls that the gathering waits for.
    expected: usize,
    /// Notified when there are that many.
    gathered: Arc<Notify>,
}

impl Lane {
    fn new(job: Job) -> Self {
        Self {
            jobs: vec![job],
            expected: usize::MAX,
            gathered: Arc::default(),
        }
    }
}

impl Writers {
    /// Creates lanes with a limit on the batches in flight.
    pub(super) fn new(
        pool: &Pool,
        memory: &Arc<Memory>,
        announcer: &Arc<Announcer>,
        at_once: usize,
    ) -> Self {
        Self(Arc::new(Shared {
            pool: pool.clone(),
            memory: Arc::clone(memory),
            announcer: Arc::clone(announcer),
            lanes: Mutex::default(),
            turns: Semaphore::new(at_once),
            idle: Notify::new(),
        }))
    }

    /// Queues a call. The reply comes after the commit.
    pub(super) fn submit(&self, write: ListWrite) -> Reply<'static, AnswerOf> {
        let (answer, reply) = oneshot::channel();
        let call = Call::new(write);
        let refused = self.queue(Job { call, answer }).err();
        Box::pin(async move {
            match refused {
                Some(error) => Err(error),
                None => reply.await.unwrap_or(Err(StoreError::Closed)),
            }
        })
    }

    fn queue(&self, job: Job) -> Result<(), StoreError> {
        let mut lanes = self.0.lanes();
        if lanes.closed {
            return Err(StoreError::Closed);
        }
        if lanes.waiting >= QUEUE {
            return Err(StoreError::Busy);
        }
        lanes.waiting += 1;
        if let Some(lane) = lanes.of.get_mut(&job.call.list.tenant) {
            lane.jobs.push(job);
            if lane.jobs.len() >= lane.expected {
                lane.gathered.notify_one();
            }
            return Ok(());
        }
        let tenant = job.call.list.tenant.clone();
        lanes.of.insert(tenant.clone(), Lane::new(job));
        drop(lanes);
        tokio::spawn(Arc::clone(&self.0).work(tenant));
        Ok(())
    }

    /// Rejects further calls, and waits until the accepted ones are done.
    pub(super) async fn close(&self) {
        self.0.lanes().closed = true;
        loop {
            let idle = self.0.idle.notified();
            if self.0.lanes().of.is_empty() {
                return;
            }
            idle.await;
        }
    }
}

/// The store's answer to a writing call.
type AnswerOf = crate::error::ServiceResult<checklist_shared::wire::write::WriteAnswer>;

impl Shared {
    /// The lanes are consistent after every call, so a poisoned lock can be ignored.
    fn lanes(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on a tenant's lane until it is empty.
    async fn work(self: Arc<Self>, tenant: String) {
        let mut patience = GatherPolicy::default();
        loop {
            // The semaphore is never closed.
            let turn = self.turns.acquire().await;
            let Some(jobs) = self.next(&tenant) else {
                return;
            };
            let (start, answered) = (Instant::now(), jobs.len());
            let served = AssertUnwindSafe(self.serve(&tenant, jobs));
            if served.catch_unwind().await.is_err() {
                tracing::error!("a batch of writes panicked");
            }
            drop(turn);
            if patience.has_any() {
                let moment = (start.elapsed() / GATHERING).clamp(SHORTEST, LONGEST);
                patience.learn(self.gather(&tenant, answered, moment).await);
            }
        }
    }

    /// Gives the callers that were just answered a moment to call again; returns whether they did.
    /// A single caller is not waited for: there is nobody to share a batch with.
    async fn gather(&self, tenant: &str, answered: usize, moment: Duration) -> bool {
        let gathered = {
            let mut lanes = self.lanes();
            let Some(lane) = lanes.of.get_mut(tenant) else {
                return true;
            };
            if lane.jobs.len() + answered < 2 {
                return true;
            }
            lane.expected = lane.jobs.len() + answered;
            Arc::clone(&lane.gathered)
        };
        // Both outcomes are fine: all of them came, or only the fast ones.
        tokio::time::timeout(moment, gathered.notified())
            .await
            .is_ok()
    }

    /// The calls of the next batch. Removes the lane if it is empty.
    fn next(&self, tenant: &str) -> Option<Vec<Job>> {
        let mut lanes = self.lanes();
        let lane = lanes.of.get_mut(tenant)?;
        lane.expected = usize::MAX;
        if lane.jobs.is_empty() {
            lanes.of.remove(tenant);
            if lanes.of.is_empty() {
                self.idle.notify_waiters();
            }
            return None;
        }
        let taken = lane.jobs.len().min(BATCH);
        let jobs: Vec<Job> = lane.jobs.drain(..taken).collect();
        lanes.waiting -= jobs.len();
        Some(jobs)
    }

    async fn serve(&self, tenant: &str, jobs: Vec<Job>) {
        let (calls, waiting): (Vec<Call>, Vec<_>) =
            jobs.into_iter().map(|job| (job.call, job.answer)).unzip();
        let answers = match self.batch(tenant, &calls).await {
            Ok(answers) => answers,
            // One of them causes the error; it must not affect the others.
            Err(PostgresError::Broken(_)) if calls.len() > 1 => {
                let mut answers = Vec::with_capacity(calls.len());
                for call in calls.chunks(1) {
                    answers.extend(self.batch(tenant, call).await.unwrap_or_else(refused(1)));
                }
                answers
            }
            Err(error) => refused(calls.len())(error),
        };
        for (waiting, answer) in waiting.into_iter().zip(answers) {
            // The caller may be gone; the call was done nevertheless.
            let _ = waiting.send(answer);
        }
    }

    /// Runs a batch until it is committed, or no retry can help.
    async fn batch(&self, tenant: &str, calls: &[Call]) -> Result<Vec<WriteReply>, PostgresError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let tried = AssertUnwindSafe(self.try_batch(tenant, calls)).catch_unwind();
            let tried = tried.await.unwrap_or_else(|_| {
                Err(BatchError::Undone(PostgresError::Broken(
                    "a batch of writes panicked".to_owned(),
                )))
            });
            let error = match tried {
                Ok(finished) => return Ok(finished.publish(&self.memory, &self.announcer)),
                Err(BatchError::Undone(error)) => error,
                Err(BatchError::Unclear(commit)) => match self.outcome(tenant, &commit).await {
                    Some(true) => {
                        return Ok(commit.finished.publish(&self.memory, &self.announcer));
                    }
                    Some(false) => PostgresError::Unreachable("the connection broke".to_owned()),
                    None => {
                        return Err(PostgresError::Unreachable(
                            "whether the last writes were stored is not known".to_owned(),
                        ));
                    }
                },
            };
            match error {
                PostgresError::Collided(_) | PostgresError::Unreachable(_) if tries < TRIES => {
                    tracing::debug!(?error, tries, "a batch is tried again");
                    // Exponential backoff: the conflicting transaction may need a moment.
                    tokio::time::sleep(Duration::from_millis(5 << tries)).await;
                }
                error => return Err(error),
            }
        }
    }

    async fn try_batch(&self, tenant: &str, calls: &[Call]) -> Result<BatchResult, BatchError> {
        let mut session = self.pool.of(tenant).await?;
        let outcome = batch::run(&mut session, &self.memory, &self.announcer, tenant, calls).await;
        if let Err(BatchError::Undone(_)) = &outcome {
            session.roll_back().await;
        }
        outcome
    }

    /// Whether a transaction was committed whose connection broke during the commit; `None` if the
    /// database cannot tell.
    async fn outcome(&self, tenant: &str, commit: &UnclearCommit) -> Option<bool> {
        // Until it has ended it holds this lock.
        const ENDED: &str = "SELECT 1 FROM log_head WHERE tenant = $1 FOR SHARE";
        const LAST_ROW: &str = "SELECT hash FROM audit WHERE tenant = $1 AND sequence = $2";
        for wait in 0..TRIES {
            tokio::time::sleep(Duration::from_millis(20 << wait)).await;
            let Ok(mut session) = self.pool.of(tenant).await else {
                continue;
            };
            let found = session.transaction("BEGIN", async |session| {
                let head = session.query(ENDED, &[&tenant]).await?;
                let rows = session
                    .query(LAST_ROW, &[&tenant, &commit.sequence])
                    .await?;
                Ok((!head.is_empty()).then_some(rows))
            });
            // A tenant without logs has nothing to lock: its first write may still be under way.
            if let Ok(Some(rows)) = found.await {
                let hash = rows.first().map(|row| row.try_get::<_, Vec<u8>>(0));
                return match hash {
                    Some(Ok(hash)) => Some(hash == commit.hash),
                    Some(Err(_)) => None,
                    None => Some(false),
                };
            }
        }
        None
    }
}

/// Whether gathering is worthwhile. It is if callers call again at once; otherwise it delays the
/// others.
#[derive(Default)]
struct GatherPolicy {
    /// The number of batches that still skip the gathering.
    resting: u32,
    /// The length of the last such pause.
    rest: u32,
}

impl GatherPolicy {
    fn has_any(&mut self) -> bool {
        if self.resting == 0 {
            return true;
        }
        self.resting -= 1;
        false
    }

    fn learn(&mut self, came: bool) {
        self.rest = match came {
            true => 0,
            false => (self.rest * 2).clamp(LEAST_REST, MOST_REST),
        };
        self.resting = self.rest;
    }
}

/// The same error for all calls of a batch.
fn refused(calls: usize) -> impl Fn(PostgresError) -> Vec<WriteReply> {
    move |error| {
        let error = StoreError::from(error);
        (0..calls).map(|_| Err(error.clone())).collect()
    }
}
