//! A replica of the database file, kept in step beside the running server.
//!
//! Each step reads the frames that were committed to the server's WAL since the last one and appends
//! them as one transaction to the replica's WAL. The replica is an ordinary database at every
//! moment: after a kill, SQLite ignores a transaction that was not written to its end.
//!
//! Invariant: a read transaction is held from one step to the next. While it is open, SQLite does
//! not overwrite frames that were not read (it may begin the WAL anew once, when all of them are in
//! the database file). Without it (at the start, or when the WAL grew so long that it has to be let
//! go), and if the WAL has begun anew meanwhile, the step compares all pages instead.

mod wal_file;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use checklist_runtime::clock::random;
use rusqlite::{Connection, OpenFlags};

use super::backup::{self, BackupError};
use super::open::{DATABASE, lock};
use wal_file::{Committed, Position, WalWriter};

/// The length of the server's WAL at which the read transaction is let go for a moment, so that the
/// server can begin it anew: 64 MiB.
const LONG_WAL: u64 = 64 << 20;
/// The length of the replica's WAL at which it is folded into its file.
const FOLD_AT: u64 = 64 << 20;

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing was committed since the last one.
    Unchanged,
    /// So many pages were read from the WAL.
    Followed(usize),
    /// All pages were compared, and so many were different.
    Compared(usize),
}

/// How far the replica has read the source.
#[derive(Clone, Copy, Debug)]
enum ReadTo {
    /// Not known: all pages have to be compared.
    Unknown,
    /// The database file, when there was no WAL.
    WithoutWal,
    /// Everything up to there in the WAL.
    Position(Position),
}

/// A replica that follows a database.
pub struct Replica {
    source: PathBuf,
    folder: PathBuf,
    page_size: u32,
    /// Holds the read transaction.
    snapshot: Option<Connection>,
    read_to: ReadTo,
    wal: Option<WalWriter>,
    /// Never closed while there is a connection: closing any descriptor of a file takes the locks of
    /// the whole process away from it.
    source_file: File,
    /// Held as long as the replica is written.
    _lock: File,
}

/// Marks a folder as a replica, which may be written over; its content is the time of the last step.
pub const REPLICATED_AT: &str = "replicated-at";

impl Replica {
    /// Begins to follow the database in `source`; the first time, makes a copy of it in `folder`.
    ///
    /// # Errors
    /// As [`backup::back_up`], and if another process writes the replica.
    pub fn open(source: &Path, folder: &Path) -> Result<Self, BackupError> {
        if !source.join(DATABASE).exists() {
            return Err(BackupError::Missing(source.to_owned()));
        }
        let has_mark = folder.join(REPLICATED_AT).exists();
        if folder.join(DATABASE).exists() && !has_mark {
            return Err(BackupError::Occupied(folder.to_owned()));
        }
        let unwritable = |reason: &dyn std::fmt::Display| unwritable(folder, reason);
        fs::create_dir_all(folder).map_err(|error| unwritable(&error))?;
        let lock = lock(folder)?;
        if !has_mark {
            fs::write(folder.join(REPLICATED_AT), "").map_err(|error| unwritable(&error))?;
        }
        if !folder.join(DATABASE).exists() {
            backup::back_up(source, folder, |_, _| {})?;
        }
        let page_size = prepare(folder).map_err(|error| unwritable(&error))?;
        let source_file = File::open(source.join(DATABASE));
        Ok(Self {
            source: source.to_owned(),
            folder: folder.to_owned(),
            page_size,
            snapshot: None,
            read_to: ReadTo::Unknown,
            wal: None,
            source_file: source_file.map_err(|error| unreadable(source, &error))?,
            _lock: lock,
        })
    }

    /// Brings the replica to the present state. After an error the next step compares all pages.
    ///
    /// # Errors
    /// The database cannot be read, or the replica cannot be written.
    pub fn step(&mut self) -> Result<Step, BackupError> {
        let done = self.try_step();
        if done.is_err() {
            self.snapshot = None;
            self.read_to = ReadTo::Unknown;
        }
        done
    }

    fn try_step(&mut self) -> Result<Step, BackupError> {
        // The new read transaction begins before the old one ends.
        let begun = read_transaction(&self.source);
        let (snapshot, pages_in_file) = begun.map_err(|error| unreadable(&self.source, &error))?;
        let was_held = self.snapshot.replace(snapshot).is_some();
        let since = match self.read_to {
            ReadTo::Position(position) => Some(position),
            ReadTo::Unknown | ReadTo::WithoutWal => None,
        };
        let step = match (self.read_wal(since)?, self.read_to) {
            (Some(committed), ReadTo::Position(_)) if committed.is_continued || was_held => {
                self.follow(committed)?
            }
            (Some(committed), ReadTo::WithoutWal) if was_held => self.follow(committed)?,
            (None, ReadTo::Position(_) | ReadTo::WithoutWal) if was_held => {
                self.read_to = ReadTo::WithoutWal;
                Step::Unchanged
            }
            _ => self.compare(pages_in_file)?,
        };
        if let ReadTo::Position(position) = self.read_to
            && position.frames * u64::from(self.page_size) > LONG_WAL
        {
            self.snapshot = None;
        }
        if self.wal.as_ref().is_some_and(|wal| wal.bytes > FOLD_AT) {
            self.fold()?;
        }
        Ok(step)
    }

    fn read_wal(&self, since: Option<Position>) -> Result<Option<Committed>, BackupError> {
        let path = self.source.join(format!("{DATABASE}-wal"));
        let read = wal_file::read(&path, self.page_size as usize, since);
        read.map_err(|error| unreadable(&self.source, &error))
    }

    fn follow(&mut self, committed: Committed) -> Result<Step, BackupError> {
        let count = committed.pages.len();
        if count > 0 {
            let size = committed.position.pages.unwrap_or_default();
            self.write(committed.pages, size)?;
        }
        self.read_to = ReadTo::Position(committed.position);
        Ok(match count {
            0 => Step::Unchanged,
            count => Step::Followed(count),
        })
    }

    /// Writes the pages that differ from the replica's.
    fn compare(&mut self, pages_in_file: u32) -> Result<Step, BackupError> {
        self.fold()?;
        let committed = self.read_wal(None)?;
        let newest = committed.as_ref().map(|committed| &committed.pages);
        let position = committed.as_ref().map(|committed| committed.position);
        let size = position.and_then(|position| position.pages);
        let size = size.unwrap_or(pages_in_file);
        let replica = File::open(self.folder.join(DATABASE));
        let replica = replica.map_err(|error| unwritable(&self.folder, &error))?;
        let length = u64::from(self.page_size);
        let has_other_size = !replica
            .metadata()
            .is_ok_and(|file| file.len() == u64::from(size) * length);
        let mut different = BTreeMap::new();
        for number in 1..=size {
            let present = match newest.and_then(|newest| newest.get(&number)) {
                Some(page) => Some(page.clone()),
                None => self.page(&self.source_file, number)?,
            };
            let Some(present) = present else {
                return Err(unreadable(&self.source, &"it ends too early"));
            };
            // A transaction that changes the size alone needs a page to carry it.
            let carries_size = number == 1 && has_other_size;
            if carries_size || self.page(&replica, number)?.as_ref() != Some(&present) {
                different.insert(number, present);
            }
        }
        let count = different.len();
        if count > 0 {
            self.write(different, size)?;
        }
        self.read_to = position.map_or(ReadTo::WithoutWal, ReadTo::Position);
        Ok(Step::Compared(count))
    }

    /// A page of a database file; `None` behind its end.
    fn page(&self, mut file: &File, number: u32) -> Result<Option<Vec<u8>>, BackupError> {
        let mut page = vec![0; self.page_size as usize];
        let at = u64::from(number - 1) * u64::from(self.page_size);
        let read = file.seek(SeekFrom::Start(at));
        match read.and_then(|_| file.read_exact(&mut page)) {
            Ok(()) => Ok(Some(page)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(unreadable(&self.source, &error)),
        }
    }

    /// Appends a transaction to the replica's WAL.
    fn write(&mut self, pages: BTreeMap<u32, Vec<u8>>, size: u32) -> Result<(), BackupError> {
        let write = || -> io::Result<()> {
            let mut wal = match self.wal.take() {
                Some(wal) => wal,
                None => self.new_wal()?,
            };
            for (number, page) in pages {
                wal.add(number, page)?;
            }
            wal.commit(size)?;
            self.wal = Some(wal);
            Ok(())
        };
        write().map_err(|error| unwritable(&self.folder, &error))
    }

    fn new_wal(&self) -> io::Result<WalWriter> {
        let mut salts = [0; 8];
        random(&mut salts).map_err(|_| io::Error::other("the system gave no randomness"))?;
        let path = self.folder.join(format!("{DATABASE}-wal"));
        WalWriter::create(&path, self.page_size, salts)
    }

    /// Writes the replica's WAL into its file and removes it.
    fn fold(&mut self) -> Result<(), BackupError> {
        self.wal = None;
        let folded = prepare(&self.folder);
        folded.map_err(|error| unwritable(&self.folder, &error))?;
        Ok(())
    }
}

/// Has SQLite write the replica's WAL into its file, whatever was left of it, and remove it. Returns
/// the page size.
fn prepare(folder: &Path) -> rusqlite::Result<u32> {
    let replica = Connection::open(folder.join(DATABASE))?;
    replica.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    let page_size = replica.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let is_busy: bool =
        replica.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    if is_busy {
        let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
        let reason = "another program has it open".to_owned();
        return Err(rusqlite::Error::SqliteFailure(busy, Some(reason)));
    }
    // The last connection that closes removes the WAL.
    replica.close().map_err(|(_, error)| error)?;
    Ok(page_size)
}

/// A read transaction, and the number of pages that it sees.
fn read_transaction(source: &Path) -> rusqlite::Result<(Connection, u32)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(source.join(DATABASE), flags)?;
    connection.execute_batch("BEGIN")?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let pages = connection.query_row("PRAGMA page_count", [], |row| row.get(0))?;
    Ok((connection, pages))
}

fn unreadable(folder: &Path, reason: &dyn Display) -> BackupError {
    BackupError::Damaged {
        folder: folder.to_owned(),
        reason: reason.to_string(),
    }
}

fn unwritable(folder: &Path, reason: &dyn Display) -> BackupError {
    BackupError::Unwritable {
        folder: folder.to_owned(),
        reason: reason.to_string(),
    }
}

#[cfg(test)]
#[path = "replica_tests.rs"]
mod tests;
