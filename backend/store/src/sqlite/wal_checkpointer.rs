//! Copies the WAL into the database file on a thread of its own (checkpoint).
//!
//! A commit only appends to the WAL. Copying its pages into the database takes the disk as long as
//! hundreds of commits, so this thread does it while commits go on: little by little, as commits
//! wait for a disk that syncs many pages. Once the WAL is long, the writer checkpoints the rest that
//! was appended meanwhile, because the WAL restarts only when the database file has all of it.

use std::cell::Cell;
use std::ffi::c_int;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::hooks::Wal;

use crate::monitoring::Checkpoints;

/// The number of pages, some 40 MB, at which the WAL restarts if it can. Under full load it is copied
/// then and not before, so that a page that changes all the time is copied once, not every few
/// hundred ticks.
const LONG: c_int = 10_000;

/// The number of new pages for which the thread is woken when it was not for [`PAUSE`].
const SOME: c_int = 250;
const PAUSE: Duration = Duration::from_secs(1);

/// The number of remaining pages that may be left to the writer.
const FEW: i64 = 64;

/// The most passes to get down to `FEW`, while the writer goes on appending.
const PASSES: usize = 3;

/// What the thread is woken for.
enum Pass {
    /// To copy what has been appended.
    Copy,
    /// The same until little is left, so that the writer can restart the WAL.
    Restart,
}

thread_local! {
    /// Pages in the WAL after the last commit of this thread.
    static PAGES: Cell<c_int> = const { Cell::new(0) };
}

/// The checkpointer thread.
pub(super) struct WalCheckpointer {
    /// `None` once the thread has to end.
    bell: Option<SyncSender<Pass>>,
    thread: Option<JoinHandle<()>>,
    /// Set when the thread is done and the writer has to checkpoint the rest.
    rest: Arc<AtomicBool>,
    /// The number of pages in the WAL when the thread was last woken, and when that was.
    copied: c_int,
    woken: Instant,
    counts: Arc<Checkpoints>,
}

impl WalCheckpointer {
    /// Starts the thread with a connection of its own. It ends when this is dropped.
    pub(super) fn start(connection: Connection, counts: Arc<Checkpoints>) -> io::Result<Self> {
        let (bell, calls) = sync_channel(1);
        let rest = Arc::new(AtomicBool::new(false));
        let (has_rest, counted) = (Arc::clone(&rest), Arc::clone(&counts));
        let thread = std::thread::Builder::new()
            .name("sqlite-log".to_owned())
            .spawn(move || run(&connection, &calls, &has_rest, &counted))?;
        Ok(Self {
            bell: Some(bell),
            thread: Some(thread),
            rest,
            copied: 0,
            woken: Instant::now(),
            counts,
        })
    }

    /// Counts the pages of the WAL at each commit of this connection, which disables its own
    /// automatic checkpoints. Has to be called on the thread that commits.
    pub(super) fn count(writer: &mut Connection) {
        let counted = writer.wal_hook(Some(|_: &mut Wal, pages| {
            PAGES.set(pages);
            Ok(())
        }));
        if let Err(error) = counted {
            tracing::warn!(%error, "commits write the log back themselves");
        }
    }

    /// Wakes the thread, or checkpoints the rest. Has to be called on the thread that commits,
    /// after the callers have their answers.
    pub(super) fn after_commit(&mut self, writer: &Connection) {
        if self.rest.swap(false, Ordering::Acquire) {
            checkpoint_passive(writer, &self.counts);
            return;
        }
        let pages = PAGES.get();
        if pages < self.copied {
            // The WAL has restarted.
            self.copied = 0;
        }
        let new = pages - self.copied;
        if new < SOME || (new < LONG && self.woken.elapsed() < PAUSE) {
            return;
        }
        let pass = if pages < LONG {
            Pass::Copy
        } else {
            Pass::Restart
        };
        if let Some(bell) = &self.bell
            && bell.try_send(pass).is_ok()
        {
            (self.copied, self.woken) = (pages, Instant::now());
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

fn run(connection: &Connection, calls: &Receiver<Pass>, rest: &AtomicBool, counts: &Checkpoints) {
    while let Ok(pass) = calls.recv() {
        let mut left = checkpoint_passive(connection, counts);
        if matches!(pass, Pass::Copy) {
            continue;
        }
        for _ in 1..PASSES {
            if left.is_none_or(|left| left <= FEW) {
                break;
            }
            left = checkpoint_passive(connection, counts);
        }
        // After an error the writer does nothing: the WAL grows, and nothing is lost.
        rest.store(left.is_some(), Ordering::Release);
    }
}

/// Runs a passive checkpoint, which waits for nobody. Returns how many pages are left.
fn checkpoint_passive(connection: &Connection, counts: &Checkpoints) -> Option<i64> {
    let begun = Instant::now();
    let outcome = connection
        .prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")
        .and_then(|mut statement| {
            statement.query_row([], |row| {
                let (log, done): (i64, i64) = (row.get(1)?, row.get(2)?);
                Ok(log - done)
            })
        });
    counts.record(outcome.is_ok(), begun.elapsed());
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

    /// A writer with a checkpointer.
    fn writer(file: &Path) -> (Connection, WalCheckpointer) {
        let mut writer = open(file);
        writer
            .execute_batch("CREATE TABLE page (content BLOB)")
            .unwrap();
        WalCheckpointer::count(&mut writer);
        (
            writer,
            WalCheckpointer::start(open(file), Arc::default()).unwrap(),
        )
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
            while PAGES.get() < LONG {
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
        while PAGES.get() < 2 * LONG {
            commit(&writer, &mut log, 1_000);
        }
        assert_eq!(count(), seen, "the reader's moment has not moved");
        reader.execute_batch("COMMIT").unwrap();
        while PAGES.get() > LONG && PAGES.get() < 5 * LONG {
            commit(&writer, &mut log, 1_000);
        }
        commit_until_the_log_begins_anew(&writer, &mut log);
    }

    #[test]
    fn a_log_that_grows_slowly_is_copied_long_before_it_begins_anew() {
        let directory = tempfile::tempdir().unwrap();
        let (writer, mut log) = writer(&directory.path().join("file"));
        commit(&writer, &mut log, usize::try_from(SOME).unwrap());
        std::thread::sleep(PAUSE);
        commit(&writer, &mut log, 1);
        let begun = Instant::now();
        while log.counts.counts().done == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never is");
            std::thread::yield_now();
        }
    }
}
