//! The threads of the store: readers, the writer, and the WAL checkpointer.
//!
//! They hold the lock of the file as long as they run.

use std::fs::File;
use std::sync::Arc;
use std::thread::JoinHandle;

use super::open::OpenedDatabase;
use super::readers::Readers;
use super::shared::Shared;
use super::wal_checkpointer::WalCheckpointer;
use super::writer::Writer;

/// What has to end when the store closes.
pub(super) struct StoreThreads {
    pub(super) writer: Writer,
    pub(super) readers: Readers,
    thread: JoinHandle<()>,
    /// `None` if a server holds it.
    lock: Option<File>,
}

impl StoreThreads {
    /// Starts the threads on the connections of an opened file.
    pub(super) fn start(opened: OpenedDatabase, shared: &Arc<Shared>) -> std::io::Result<Self> {
        let readers = Readers::start(opened.readers)?;
        let counts = || Arc::clone(&shared.checkpoints);
        let log = opened.log.map(|log| WalCheckpointer::start(log, counts()));
        let log = log.transpose()?;
        let (writer, thread) = Writer::start(opened.writer, Arc::clone(shared), log)?;
        Ok(Self {
            writer,
            readers,
            thread,
            lock: opened.lock,
        })
    }

    /// Waits until accepted calls are done and the WAL is checkpointed.
    pub(super) fn end(self) -> std::thread::Result<()> {
        let Self {
            writer,
            readers,
            thread,
            lock,
        } = self;
        // The readers first: a checkpoint is complete only when nobody reads the WAL.
        drop(readers);
        drop(writer);
        let ended = thread.join();
        drop(lock);
        ended
    }
}
