//! The writers of a node: they take what is waiting, commit it together, and only then let
//! anybody have an answer.
//!
//! Two of them, so that one batch is decided while another is committed; what keeps them apart
//! are the database's locks, like any two nodes. Calls of one tenant share a transaction. A batch
//! that fails is tried call by call, so that one bad call takes nothing with it but itself.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as Turns, mpsc, oneshot};
use tokio::task::{JoinHandle, JoinSet};

use super::announcer::Announcer;
use super::batch::{self, Failure, Finished};
use super::call::Call;
use super::memory::Memory;
use super::session::Pool;
use super::trouble::Trouble;
use super::turn::Answer;
use crate::storage::store::{ListWrite, Reply, StoreError};

/// Calls that may wait; more are told to come back.
const QUEUE: usize = 1_024;

/// Calls in one transaction: enough to share its trips, few enough to keep waiting short.
const BATCH: usize = 256;

/// Batches on their way at once.
const WRITERS: usize = 2;

/// How often a batch is tried that met somebody else's or lost its connection.
const TRIES: u32 = 6;

/// A call, and where whoever asked is waiting.
struct Job {
    call: Call,
    answer: oneshot::Sender<Answer>,
}

/// The queue to the writers.
pub(super) struct Writers {
    queue: Mutex<Option<mpsc::Sender<Job>>>,
    running: Mutex<Vec<JoinHandle<()>>>,
}

impl Writers {
    /// Starts the writers. They end when the queue is closed and empty.
    pub(super) fn start(pool: &Pool, memory: &Arc<Memory>, announcer: &Arc<Announcer>) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let jobs = Arc::new(Turns::new(jobs));
        let running = (0..WRITERS)
            .map(|_| {
                let writer = Writer {
                    pool: pool.clone(),
                    memory: Arc::clone(memory),
                    announcer: Arc::clone(announcer),
                };
                tokio::spawn(writer.run(Arc::clone(&jobs)))
            })
            .collect();
        Self {
            queue: Mutex::new(Some(queue)),
            running: Mutex::new(running),
        }
    }

    /// Hands a call in. The reply comes after the commit.
    pub(super) fn submit(&self, write: ListWrite) -> Reply<'static, AnswerOf> {
        let (answer, reply) = oneshot::channel();
        let job = Job {
            call: Call::new(write),
            answer,
        };
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = match &*queue {
            None => Some(StoreError::Closed),
            Some(queue) => match queue.try_send(job) {
                Ok(()) => None,
                Err(mpsc::error::TrySendError::Full(_)) => Some(StoreError::Busy),
                Err(mpsc::error::TrySendError::Closed(_)) => Some(StoreError::Closed),
            },
        };
        Box::pin(async move {
            match refused {
                Some(error) => Err(error),
                None => reply.await.unwrap_or(Err(StoreError::Closed)),
            }
        })
    }

    /// Takes nothing more, and waits until what was accepted is done.
    pub(super) async fn close(&self) -> Result<(), StoreError> {
        drop(
            self.queue
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
        let running =
            std::mem::take(&mut *self.running.lock().unwrap_or_else(PoisonError::into_inner));
        for writer in running {
            writer
                .await
                .map_err(|_| StoreError::Broken("a writer did not end well".to_owned()))?;
        }
        Ok(())
    }
}

/// What the store answers to a writing call.
type AnswerOf = crate::error::ServiceResult<checklist_shared::wire::write::WriteAnswer>;

#[derive(Clone)]
struct Writer {
    pool: Pool,
    memory: Arc<Memory>,
    announcer: Arc<Announcer>,
}

impl Writer {
    async fn run(self, jobs: Arc<Turns<mpsc::Receiver<Job>>>) {
        loop {
            let mut waiting = Vec::new();
            if jobs.lock().await.recv_many(&mut waiting, BATCH).await == 0 {
                return;
            }
            let mut tenants: BTreeMap<String, Vec<Job>> = BTreeMap::new();
            for job in waiting {
                let tenant = job.call.list.tenant.clone();
                tenants.entry(tenant).or_default().push(job);
            }
            if tenants.len() == 1 {
                for (tenant, jobs) in tenants {
                    self.serve(&tenant, jobs).await;
                }
                continue;
            }
            let mut side_by_side = JoinSet::new();
            for (tenant, jobs) in tenants {
                let writer = self.clone();
                side_by_side.spawn(async move { writer.serve(&tenant, jobs).await });
            }
            side_by_side.join_all().await;
        }
    }

    async fn serve(&self, tenant: &str, jobs: Vec<Job>) {
        let (calls, waiting): (Vec<Call>, Vec<_>) =
            jobs.into_iter().map(|job| (job.call, job.answer)).unzip();
        let answers = match self.batch(tenant, &calls).await {
            Ok(answers) => answers,
            // One of them is to blame; the others shall not suffer for it.
            Err(Trouble::Broken(_)) if calls.len() > 1 => {
                let mut answers = Vec::with_capacity(calls.len());
                for call in calls.chunks(1) {
                    answers.extend(self.batch(tenant, call).await.unwrap_or_else(refused(1)));
                }
                answers
            }
            Err(trouble) => refused(calls.len())(trouble),
        };
        for (waiting, answer) in waiting.into_iter().zip(answers) {
            // Whoever asked may have gone away; the work is done all the same.
            let _ = waiting.send(answer);
        }
    }

    /// Runs a batch until it is stored, or there is no hope.
    async fn batch(&self, tenant: &str, calls: &[Call]) -> Result<Vec<Answer>, Trouble> {
        let mut tries = 0;
        loop {
            tries += 1;
            let trouble = match self.try_batch(tenant, calls).await {
                Ok(finished) => return Ok(finished.publish(&self.memory, &self.announcer)),
                Err(Failure::Undone(trouble)) => trouble,
                Err(Failure::Unclear {
                    transaction,
                    finished,
                }) => match self.outcome(&transaction).await {
                    Some(true) => return Ok(finished.publish(&self.memory, &self.announcer)),
                    Some(false) => Trouble::Unreachable("the connection broke".to_owned()),
                    None => {
                        return Err(Trouble::Unreachable(
                            "whether the last writes were stored is not known".to_owned(),
                        ));
                    }
                },
            };
            match trouble {
                Trouble::Collided(_) | Trouble::Unreachable(_) if tries < TRIES => {
                    tracing::debug!(?trouble, tries, "a batch is tried again");
                    // Longer each time: whoever it met may need a moment.
                    tokio::time::sleep(Duration::from_millis(5 << tries)).await;
                }
                trouble => return Err(trouble),
            }
        }
    }

    async fn try_batch(&self, tenant: &str, calls: &[Call]) -> Result<Finished, Failure> {
        let mut session = self.pool.of(tenant).await?;
        let outcome = batch::run(&mut session, &self.memory, &self.announcer, tenant, calls).await;
        if let Err(Failure::Undone(_)) = &outcome {
            session.roll_back().await;
        }
        outcome
    }

    /// Whether a transaction was committed whose connection broke in the last moment; `None`
    /// when the database does not say.
    async fn outcome(&self, transaction: &str) -> Option<bool> {
        for wait in 0..TRIES {
            tokio::time::sleep(Duration::from_millis(20 << wait)).await;
            let Ok(mut session) = self.pool.any().await else {
                continue;
            };
            let status = session
                .query("SELECT pg_xact_status($1::text::xid8)", &[&transaction])
                .await;
            let status: Option<String> = match status.as_deref() {
                Ok([row]) => row.get(0),
                _ => continue,
            };
            match status.as_deref() {
                Some("committed") => return Some(true),
                Some("aborted") => return Some(false),
                _ => {}
            }
        }
        None
    }
}

/// The same refusal for all calls of a batch.
fn refused(calls: usize) -> impl Fn(Trouble) -> Vec<Answer> {
    move |trouble| {
        let error = StoreError::from(trouble);
        (0..calls).map(|_| Err(error.clone())).collect()
    }
}
