//! The threads that read, each with a connection of its own.
//!
//! Reading never waits for writing (WAL), and goes on when the disk is full. Asked by the store
//! for whatever memory does not hold.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::storage::store::{Reply, StoreError};

/// Reads that may wait; more are told to come back.
const QUEUE: usize = 4_096;

type Job = Box<dyn FnOnce(&Connection) + Send>;

/// The queue to the threads.
pub(super) struct Readers {
    queue: SyncSender<Job>,
}

impl Readers {
    /// Starts one thread a connection. They end when the readers are dropped.
    pub(super) fn start(connections: Vec<Connection>) -> std::io::Result<Self> {
        let (queue, jobs) = sync_channel::<Job>(QUEUE);
        let jobs = Arc::new(Mutex::new(jobs));
        for connection in connections {
            let jobs = Arc::clone(&jobs);
            std::thread::Builder::new()
                .name("sqlite-reader".to_owned())
                .spawn(move || run(&connection, &jobs))?;
        }
        Ok(Self { queue })
    }

    /// Hands a read in.
    pub(super) fn submit<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Reply<'static, T> {
        let (answer, reply) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            // Whoever asked may have gone away.
            let _ = answer.send(read(connection));
        });
        let refused = match self.queue.try_send(job) {
            Ok(()) => None,
            Err(TrySendError::Full(_)) => Some(StoreError::Busy),
            Err(TrySendError::Disconnected(_)) => Some(StoreError::Closed),
        };
        Box::pin(async move {
            match refused {
                Some(error) => Err(error),
                // The answer is missing only when the read panicked.
                None => reply
                    .await
                    .unwrap_or_else(|_| Err(StoreError::Broken("a read panicked".to_owned()))),
            }
        })
    }
}

fn run(connection: &Connection, jobs: &Mutex<Receiver<Job>>) {
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        if catch_unwind(AssertUnwindSafe(|| job(connection))).is_err() {
            tracing::error!("a read panicked");
        }
        if !connection.is_autocommit() {
            // A read that broke off inside its snapshot would hold the log back.
            let _ = connection.execute_batch("ROLLBACK");
        }
    }
}
