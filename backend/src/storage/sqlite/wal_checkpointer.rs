//! Writing the log back into the database file, beside the thread that writes.
//!
//! A commit only appends to the log. What stands there has to come to its place in the file some time:
//! thousands of pages, for which the disk takes as long as for hundreds of commits. A thread of its
//! own does that while commits go on. The writer itself writes back what was appended meanwhile,
//! because the log begins anew only when the file lacks nothing of it. Owned by `writer`.

use std::cell::Cell;
use std::ffi::c_int;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use rusqlite::Connection;
use rusqlite::hooks::Wal;

/// Pages that the log grows by before it is written back, some 40 MB: one that changes all the time is
/// written back once, not every few hundred ticks.
const STEP: c_int = 10_000;

/// What may be left to the writer, if that can be had.
const FEW: i64 = 500;

/// Attempts to leave no more than that to the writer, who goes on appending.
const PASSES: usize = 3;

thread_local! {
    /// Pages in the log after the last commit of this thread.
    static PAGES: Cell<c_int> = const { Cell::new(0) };
}

/// The thread that writes back.
pub(super) struct WalCheckpointer {
    /// None when the thread is to end.
    bell: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
    /// Set when no more than the rest is missing in the file.
    rest: Arc<AtomicBool>,
    /// Pages in the log at which the thread is called next.
    due: c_int,
}

impl WalCheckpointer {
    /// Starts the thread with a connection of its own. It ends when this is dropped.
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (bell, calls) = sync_channel(1);
        let rest = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&rest);
        let thread = std::thread::Builder::new()
            .name("sqlite-log".to_owned())
            .spawn(move || run(&connection, &calls, &told))?;
        Ok(Self {
            bell: Some(bell),
            thread: Some(thread),
            rest,
            due: STEP,
        })
    }

    /// Has the log counted at each commit of this connection, which is then no longer written back by it.
    /// To be called in the thread that commits.
    pub(super) fn count(writer: &mut Connection) {
        let counted = writer.wal_hook(Some(|_: &mut Wal, pages| {
            PAGES.set(pages);
            Ok(())
        }));
        if let Err(error) = counted {
            tracing::warn!(%error, "commits write the log back themselves");
        }
    }

    /// Calls the thread, or does the rest. To be called in the thread that commits, when those who
    /// wait for the commit have their answers.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        if self.rest.swap(false, Ordering::Acquire) {
            checkpoint_passive(writer);
            return;
        }
        let pages = PAGES.get();
        if pages < self.due - STEP {
            // The log has begun anew.
            self.due = STEP;
        }
        if pages >= self.due
            && let Some(bell) = &self.bell
            && bell.try_send(()).is_ok()
        {
            self.due = pages + STEP;
        }
    }
}

impl Drop for WalCheckpointer {
    fn drop(&mut self) {
        self.bell = None;
        if self
            .thread
            .take()
            .is_some_and(|thread| thread.join().is_err())
        {
            tracing::error!("the thread that writes the log back did not end well");
        }
    }
}

fn run(connection: &Connection, calls: &Receiver<()>, rest: &AtomicBool) {
    while calls.recv().is_ok() {
        let mut left = None;
        for _ in 0..PASSES {
            left = checkpoint_passive(connection);
            if left.is_none_or(|left| left <= FEW) {
                break;
            }
        }
        // After a failure nothing is asked of the writer: the log waits, and nothing is lost.
        rest.store(left.is_some(), Ordering::Release);
    }
}

/// Writes back what can be without waiting for anybody. How many pages are missing then.
fn checkpoint_passive(connection: &Connection) -> Option<i64> {
    let outcome = connection
        .prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")
        .and_then(|mut statement| {
            statement.query_row([], |row| {
                let (log, done): (i64, i64) = (row.get(1)?, row.get(2)?);
                Ok(log - done)
            })
        });
    match outcome {
        Ok(left) => Some(left),
        Err(error) => {
            tracing::warn!(%error, "the log could not be written back");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use super::*;

    fn open(file: &Path) -> Connection {
        let connection = Connection::open(file).unwrap();
        connection
            .pragma_update(None, "journal_mode", "WAL")
            .unwrap();
        connection
            .pragma_update(None, "synchronous", "OFF")
            .unwrap();
        connection
    }

    /// A writer, whose log is written back beside it.
    fn writer(file: &Path) -> (Connection, WalCheckpointer) {
        let mut writer = open(file);
        writer
            .execute_batch("CREATE TABLE page (content BLOB)")
            .unwrap();
        WalCheckpointer::count(&mut writer);
        (writer, WalCheckpointer::start(open(file)).unwrap())
    }

    fn commit(writer: &Connection, log: &mut WalCheckpointer, pages: usize) {
        writer.execute_batch("BEGIN").unwrap();
        for _ in 0..pages {
            writer
                .execute("INSERT INTO page VALUES (zeroblob(4000))", [])
                .unwrap();
        }
        writer.execute_batch("COMMIT").unwrap();
        log.after_commit(writer);
    }

    fn commit_until_the_log_begins_anew(writer: &Connection, log: &mut WalCheckpointer) {
        let begun = Instant::now();
        while PAGES.get() > 100 {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never does");
            std::thread::yield_now();
            commit(writer, log, 1);
        }
    }

    #[test]
    fn a_log_that_has_grown_is_written_back_beside_the_writer_and_begins_anew() {
        let directory = tempfile::tempdir().unwrap();
        let (writer, mut log) = writer(&directory.path().join("file"));
        for _ in 0..3 {
            while PAGES.get() < STEP {
                commit(&writer, &mut log, 1_000);
            }
            commit_until_the_log_begins_anew(&writer, &mut log);
        }
    }

    #[test]
    fn a_log_that_somebody_reads_from_for_long_begins_anew_afterwards() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("file");
        let (writer, mut log) = writer(&file);
        let reader = open(&file);
        reader.execute_batch("BEGIN").unwrap();
        let count = || -> i64 {
            reader
                .query_row("SELECT count(*) FROM page", [], |row| row.get(0))
                .unwrap()
        };
        let seen = count();
        while PAGES.get() < 2 * STEP {
            commit(&writer, &mut log, 1_000);
        }
        assert_eq!(count(), seen, "the reader's moment has not moved");
        reader.execute_batch("COMMIT").unwrap();
        while PAGES.get() > STEP && PAGES.get() < 5 * STEP {
            commit(&writer, &mut log, 1_000);
        }
        commit_until_the_log_begins_anew(&writer, &mut log);
    }
}
