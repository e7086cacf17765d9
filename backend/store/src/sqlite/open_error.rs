//! Why the database file could not be opened, distinguished by what to do about it.
//!
//! A full disk shows in many ways: as an error of the operating system, of SQLite, of a
//! shared-memory file that cannot grow, or inside the error of a migration. None of them means a
//! corrupt file, so nobody may be advised to restore a backup.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::error::is_about_room;

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory cannot be created or written.
    #[error("the data directory {} cannot be written: {reason}", path.display())]
    Unwritable {
        /// The directory.
        path: PathBuf,
        /// The message of the operating system.
        reason: String,
    },
    /// The disk is too full for what startup writes.
    #[error("the disk of the data directory {} is full", path.display())]
    Full {
        /// The directory.
        path: PathBuf,
    },
    /// Another server uses it.
    #[error("the data directory {} is in use by another server", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
        /// Its process id, if it could be read.
        process: Option<u32>,
    },
    /// The database belongs to a demo, and the server was started without `--demo`.
    #[error("the database in {} belongs to a demonstration", path.display())]
    IsDemo {
        /// The directory.
        path: PathBuf,
    },
    /// The server was started with `--demo`, and the database does not belong to a demo.
    #[error("the database in {} does not belong to a demonstration", path.display())]
    IsNotDemo {
        /// The directory.
        path: PathBuf,
    },
    /// A newer server has written it.
    #[error("the database in {} has layout {found}, this server knows {known}", path.display())]
    Newer {
        /// The directory.
        path: PathBuf,
        /// The schema version of the file.
        found: i32,
        /// The newest schema version that this server knows.
        known: i32,
    },
    /// It is not a database, or it is corrupt.
    #[error("the database in {} cannot be read: {reason}", path.display())]
    Corrupt {
        /// The directory.
        path: PathBuf,
        /// The message of SQLite.
        reason: String,
    },
}

impl OpenError {
    /// Classifies an error of the operating system.
    pub(super) fn of_system(directory: &Path, error: &io::Error) -> Self {
        let path = directory.to_owned();
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path },
            _ => Self::Unwritable {
                path,
                reason: error.to_string(),
            },
        }
    }

    /// Classifies an error of SQLite, also one that another error wraps.
    pub(super) fn of_database(directory: &Path, error: &(dyn Error + 'static)) -> Self {
        let path = directory.to_owned();
        let mut causes = std::iter::successors(Some(error), |&error| error.source());
        let cause = causes
            .find_map(|cause| cause.downcast_ref::<rusqlite::Error>())
            .and_then(rusqlite::Error::sqlite_error);
        if cause.is_some_and(is_about_room) {
            return Self::Full { path };
        }
        match cause.map(|cause| cause.code) {
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                Self::Unwritable {
                    path,
                    reason: error.to_string(),
                }
            }
            _ => Self::Corrupt {
                path,
                reason: error.to_string(),
            },
        }
    }
}
