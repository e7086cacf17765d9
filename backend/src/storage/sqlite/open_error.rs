//! Why the database file could not be opened, told apart by what to do about it.
//!
//! A disk without room shows itself in many ways: as the system's own error, as SQLite's, as an index
//! that could not be made larger, inside the error of a migration. None of them is a damaged file,
//! and nobody shall restore a backup for it. Made by `open`, explained by the command line.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory is not there and cannot be made, or cannot be written.
    #[error("the data directory {} cannot be written: {reason}", path.display())]
    Unwritable {
        /// The directory.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// There is no room left for what the start writes.
    #[error("the disk of the data directory {} is full", path.display())]
    Full {
        /// The directory.
        path: PathBuf,
    },
    /// Another server works with it.
    #[error("the data directory {} is in use by another server", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
        /// Its process id, where it could be read.
        process: Option<u32>,
    },
    /// The database belongs to a demonstration, and the server was started without `--demo`.
    #[error("the database in {} belongs to a demonstration", path.display())]
    IsDemo {
        /// The directory.
        path: PathBuf,
    },
    /// The server was started with `--demo`, and the database does not belong to one.
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
        /// The layout in the file.
        found: i32,
        /// The newest layout that this server knows.
        known: i32,
    },
    /// It is no database, or a damaged one.
    #[error("the database in {} cannot be read: {reason}", path.display())]
    Corrupt {
        /// The directory.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
}

impl OpenError {
    /// What the operating system refuses.
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

    /// What SQLite says, itself or behind another error.
    pub(super) fn of_database(directory: &Path, error: &(dyn Error + 'static)) -> Self {
        let path = directory.to_owned();
        let mut causes = std::iter::successors(Some(error), |&error| error.source());
        let cause = causes
            .find_map(|cause| cause.downcast_ref::<rusqlite::Error>())
            .and_then(rusqlite::Error::sqlite_error);
        match cause.map(|cause| (cause.code, cause.extended_code)) {
            Some((ErrorCode::DiskFull, _) | (_, rusqlite::ffi::SQLITE_IOERR_SHMSIZE)) => {
                Self::Full { path }
            }
            Some((
                ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied,
                _,
            )) => Self::Unwritable {
                path,
                reason: error.to_string(),
            },
            _ => Self::Corrupt {
                path,
                reason: error.to_string(),
            },
        }
    }
}
