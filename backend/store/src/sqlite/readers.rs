//! The reader threads, each with a connection of its own.
//!
//! In WAL mode a read never waits for a write, and works on a full disk. The store sends them what
//! is not cached.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::monitoring::{JobCounts, PoolLoad};
use crate::store::{Reply, StoreError};

/// The most reads in the queue; further ones get `Busy`.
const QUEUE: usize = 4_096;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The queue of the reader threads.
pub(super) struct Readers {
    queue: SyncSender<Job>,
    threads: u64,
    counts: Arc<JobCounts>,
}

impl Readers {
    /// Starts one thread per connection. They end when the readers are dropped.
    pub(super) fn start(connections: Vec<Connection>) -> std::io::Result<Self> {
        let (queue, jobs) = sync_channel::<Job>(QUEUE);
        let jobs = Arc::new(Mutex::new(jobs));
        let threads = connections.len() as u64;
        let counts = Arc::new(JobCounts::default());
        for connection in connections {
            let (jobs, counts) = (Arc::clone(&jobs), Arc::clone(&counts));
            std::thread::Builder::new()
                .name("sqlite-reader".to_owned())
                .spawn(move || run(&connection, &jobs, &counts))?;
        }
        Ok(Self {
            queue,
            threads,
            counts,
        })
    }

    /// How busy the threads are.
    pub(super) fn load(&self) -> PoolLoad {
        self.counts.load("readers", self.threads)
    }

    /// Queues a read.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let (answer, reply) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // The caller may be gone.
            let _ = answer.send(read(connection));
        });
        self.counts.queued();
        let refused = match self.queue.try_send(job) {
            Ok(()) => None,
            Err(TrySendError::Full(_)) => Some(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Some(StoreError::Closed),
        };
        if refused.is_some() {
            self.counts.rejected();
        }
        Box::pin(async move {
            match refused {
                Some(error) => Err(error),
                // The reply is missing only if the read panicked.
                None => reply
                    .await
                    .unwrap_or_else(|_| Err(StoreError::Broken("a read panicked".to_owned()))),
            }
        })
    }
}

fn run(connection: &Connection, jobs: &Mutex<Receiver<Job>>, counts: &JobCounts) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        counts.begun();
        if catch_unwind(AssertUnwindSafe(|| job(connection))).is_err() {
            tracing::error!("a read panicked");
        }
        if !connection.is_autocommit() {
            // A read transaction that was left open would block checkpoints.
            let _ = connection.execute_batch("ROLLBACK");
        }
        counts.ended();
    }
}
