//! The queue of a server that has its database to itself: words stay within the program, and the
//! unfinished runs of an earlier life are told again at its start.
//! Made by `queue` where the database is a SQLite file.

use std::sync::Arc;

use apalis_core::backend::memory::{MemorySink, MemoryStorage, MemoryStorageError};
use apalis_core::task::Task;
use apalis_core::worker::builder::WorkerBuilder;
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::sync::Notify;

use super::{Waiting, heard};

/// Words on their way.
pub(super) struct Memory(futures_channel::mpsc::UnboundedSender<Task<Waiting>>);

impl Memory {
    pub(super) fn start(bell: Arc<Notify>) -> Self {
        let (sender, receiver) = futures_channel::mpsc::unbounded();
        let sink = sender
            .clone()
            .sink_map_err(|error| MemoryStorageError::Other(error.into()));
        let sink = MemorySink::new(Arc::new(futures_util::lock::Mutex::new(Box::new(sink))));
        let worker = WorkerBuilder::new("runs")
            .backend(MemoryStorage::new_with(sink, receiver.boxed()))
            .build(move |word: Waiting| {
                heard(&bell, &word);
                std::future::ready(())
            });
        tokio::spawn(async move {
            if let Err(error) = worker.run().await {
                tracing::warn!(%error, "nobody is told of runs any more; workers look by themselves");
            }
        });
        Self(sender)
    }

    pub(super) fn tell(&self, word: Waiting) {
        // A worker that has ended hears nothing; the run is found by looking.
        let _ = self.0.unbounded_send(Task::new(word));
    }
}
