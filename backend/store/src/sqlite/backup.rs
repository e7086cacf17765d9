//! Backups of the database while a server uses it, and their summary.
//!
//! A backup is a snapshot of the moment at which it began, however many ticks are committed
//! meanwhile. It gets its final name only when it is complete and every page has been read back.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::columns::get_u64;
use super::open::{DATABASE, check_layout, layout, lock, process_of};
use super::open_error::OpenError;

/// Pages between two progress reports: 16 MiB.
const PAGES: i32 = 4_096;

/// A summary of a database, to tell whether it is the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The schema version, as the migrations number it.
    pub layout: i32,
    /// Lists that were written at least once, over all tenants.
    pub lists: i64,
    /// Rows of all audit trails.
    pub audit_rows: i64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// Why a backup failed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The source does not exist.
    #[error("there is no database in {}", .0.display())]
    Missing(PathBuf),
    /// The target exists already.
    #[error("there is a database in {} already", .0.display())]
    Occupied(PathBuf),
    /// The source cannot be opened, or the target's directory cannot be locked.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The source is corrupt.
    #[error("the database in {} is damaged: {reason}", folder.display())]
    Damaged {
        /// Its directory.
        folder: PathBuf,
        /// The message of SQLite.
        reason: String,
    },
    /// The backup could not be written.
    #[error("the copy in {} cannot be written: {reason}", folder.display())]
    Unwritable {
        /// Its directory.
        folder: PathBuf,
        /// The message of the operating system.
        reason: String,
    },
}

/// Copies a directory's database into another directory, also while a server uses it. `progress`
/// gets the number of copied pages and the total.
///
/// # Errors
/// See [`BackupError`]. On an error, the target directory contains no database.
pub fn back_up(
    from: &Path,
    to: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<Contents, BackupError> {
    let source = open_source(from)?;
    let target = Target::new(to)?;
    copy(&source, from, &target, progress)
}

/// Restores a backup into a directory without a server and without a database.
///
/// # Errors
/// See [`BackupError`]. On an error, the target directory contains no database.
pub fn restore(
    backup: &Path,
    to: &Path,
    progress: impl FnMut(u64, u64),
) -> Result<Contents, BackupError> {
    // Its files are a database only as long as nobody else writes them.
    if let Some(process) = process_of(backup) {
        return Err(BackupError::Open(OpenError::InUse {
            path: backup.to_owned(),
            process: (process > 0).then_some(process),
        }));
    }
    let source = open_source(backup)?;
    check_layout(&source, backup)?;
    let target = Target::new(to)?;
    // Held until the copy is complete, so that no server creates a database in the meantime.
    let _lock = lock(to)?;
    copy(&source, backup, &target, progress)
}

/// The ids of the vault keys that encrypt secrets in a directory's database, each with the number
/// of secrets: of service connections and webhooks, and the keys that sign the audit trails. Of these the
/// newest of each tenant: earlier ones sign nothing any more.
///
/// # Errors
/// If there is no database, or it is corrupt.
pub fn sealed_with(folder: &Path) -> Result<Vec<(String, u64)>, BackupError> {
    let source = open_source(folder)?;
    let look = || -> rusqlite::Result<Vec<(String, u64)>> {
        source
            .prepare(
                "SELECT key_id, count(*) FROM (
                     SELECT key_id FROM service_connection WHERE sealed IS NOT NULL
                     UNION ALL SELECT key_id FROM webhook
                     UNION ALL SELECT key_id FROM audit_key AS a
                     WHERE number = (SELECT max(number) FROM audit_key WHERE tenant = a.tenant))
                 GROUP BY key_id ORDER BY key_id",
            )?
            .query_map([], |row| Ok((row.get(0)?, get_u64(row, 1)?)))?
            .collect()
    };
    look().map_err(|error| BackupError::Damaged {
        folder: folder.to_owned(),
        reason: error.to_string(),
    })
}

fn open_source(folder: &Path) -> Result<Connection, BackupError> {
    let file = folder.join(DATABASE);
    if !file.exists() {
        return Err(BackupError::Missing(folder.to_owned()));
    }
    let damaged = |error: rusqlite::Error| BackupError::Damaged {
        folder: folder.to_owned(),
        reason: error.to_string(),
    };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let source = Connection::open_with_flags(&file, flags).map_err(damaged)?;
    // Held until the connection closes, so that all pages belong to one snapshot.
    source.execute_batch("BEGIN").map_err(damaged)?;
    layout(&source).map_err(damaged)?;
    Ok(source)
}

/// A directory that gets a database. An unfinished copy has a temporary name and is deleted on
/// drop.
struct Target {
    folder: PathBuf,
    unfinished: PathBuf,
}

impl Target {
    fn new(folder: &Path) -> Result<Self, BackupError> {
        if folder.join(DATABASE).exists() {
            return Err(BackupError::Occupied(folder.to_owned()));
        }
        let target = Self {
            folder: folder.to_owned(),
            unfinished: folder.join(format!("{DATABASE}.unfinished-{}", std::process::id())),
        };
        std::fs::create_dir_all(folder).map_err(|error| target.write_error(&error))?;
        Ok(target)
    }

    fn write_error(&self, reason: &dyn std::fmt::Display) -> BackupError {
        BackupError::Unwritable {
            folder: self.folder.clone(),
            reason: reason.to_string(),
        }
    }

    /// Creates an empty file that only its owner can read.
    fn create(&self) -> std::io::Result<()> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&self.unfinished).map(drop)
    }

    /// Renames the copy to its final name and syncs it.
    fn finish(&self) -> std::io::Result<()> {
        File::open(&self.unfinished)?.sync_all()?;
        std::fs::rename(&self.unfinished, self.folder.join(DATABASE))?;
        File::open(&self.folder)?.sync_all()
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm", "-journal"] {
            let mut path = self.unfinished.clone().into_os_string();
            path.push(end);
            // After a success it no longer exists.
            let _ = std::fs::remove_file(path);
        }
    }
}

fn copy(
    source: &Connection,
    from: &Path,
    target: &Target,
    mut progress: impl FnMut(u64, u64),
) -> Result<Contents, BackupError> {
    target
        .create()
        .map_err(|error| target.write_error(&error))?;
    let mut written =
        Connection::open(&target.unfinished).map_err(|error| target.write_error(&error))?;
    {
        let backup =
            Backup::new(source, &mut written).map_err(|error| target.write_error(&error))?;
        loop {
            let step = backup.step(PAGES);
            let at = backup.progress();
            let pages = |count: i32| u64::try_from(count).unwrap_or(0);
            progress(pages(at.pagecount - at.remaining), pages(at.pagecount));
            match step {
                Ok(StepResult::Done) => break,
                Ok(_) => {}
                Err(error) => return Err(target.write_error(&error)),
            }
        }
    }
    let contents = read_again(&written, from)?;
    // Leaves one file, without a WAL.
    written
        .pragma_update(None, "journal_mode", "DELETE")
        .and_then(|()| written.close().map_err(|(_, error)| error))
        .map_err(|error| target.write_error(&error))?;
    let bytes = std::fs::metadata(&target.unfinished)
        .map_err(|error| target.write_error(&error))?
        .len();
    target
        .finish()
        .map_err(|error| target.write_error(&error))?;
    Ok(Contents { bytes, ..contents })
}

/// Reads every page of a copy, and returns its summary.
fn read_again(copy: &Connection, from: &Path) -> Result<Contents, BackupError> {
    let damaged = |reason: String| BackupError::Damaged {
        folder: from.to_owned(),
        reason,
    };
    let count = |table: &str| -> rusqlite::Result<i64> {
        copy.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| {
            row.get(0)
        })
    };
    let look = || -> rusqlite::Result<(String, Contents)> {
        let found = copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        let contents = Contents {
            layout: layout(copy)?,
            lists: count("checklist")?,
            audit_rows: count("audit")?,
            bytes: 0,
        };
        Ok((found, contents))
    };
    match look() {
        Ok((found, contents)) if found == "ok" => Ok(contents),
        Ok((found, _)) => Err(damaged(found)),
        Err(error) => Err(damaged(error.to_string())),
    }
}
