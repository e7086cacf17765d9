//! Opening the database file: the lock, the checks, the migrations, the connections.
//!
//! Called once at start. Everything that can be wrong with a data directory is told apart here,
//! so that the command line can say what to do about it.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::SqliteOptions;

mod embedded {
    refinery::embed_migrations!("migrations/sqlite");
}

/// The file inside the data directory.
pub const DATABASE: &str = "checklist.sqlite3";
const LOCK: &str = "server.lock";

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

/// An opened file: the connections, and the lock that lasts as long as it is held.
pub(super) struct Opened {
    pub(super) lock: Option<File>,
    pub(super) writer: Connection,
    pub(super) readers: Vec<Connection>,
    /// For writing the log back; none beside a server, which does that.
    pub(super) log: Option<Connection>,
}

pub(super) fn open(options: &SqliteOptions) -> Result<Opened, OpenError> {
    let directory = &options.data_dir;
    let unwritable = |error: std::io::Error| OpenError::Unwritable {
        path: directory.clone(),
        reason: error.to_string(),
    };
    let full_or_unwritable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => OpenError::Full {
            path: directory.clone(),
        },
        _ => unwritable(error),
    };
    std::fs::create_dir_all(directory).map_err(full_or_unwritable)?;
    let lock = match options.beside {
        true => None,
        false => Some(lock(directory)?),
    };
    let file = directory.join(DATABASE);
    for_the_owner_alone(&file).map_err(full_or_unwritable)?;
    let corrupt = |error: &dyn std::fmt::Display| OpenError::Corrupt {
        path: directory.clone(),
        reason: error.to_string(),
    };

    let mut writer =
        connect(&file, options, true).map_err(|error| match error.sqlite_error_code() {
            Some(
                rusqlite::ErrorCode::CannotOpen
                | rusqlite::ErrorCode::ReadOnly
                | rusqlite::ErrorCode::PermissionDenied,
            ) => OpenError::Unwritable {
                path: directory.clone(),
                reason: error.to_string(),
            },
            Some(rusqlite::ErrorCode::DiskFull) => OpenError::Full {
                path: directory.clone(),
            },
            _ => corrupt(&error),
        })?;
    check_layout(&writer, directory)?;
    let fresh = !has_table(&writer, "meta").map_err(|error| corrupt(&error))?;
    if options.beside {
        // The server has checked the rest, and its layout is not to be changed under it.
        if fresh || layout(&writer).map_err(|error| corrupt(&error))? != known_layout() {
            return Err(OpenError::InUse {
                path: directory.clone(),
                process: None,
            });
        }
    } else if !fresh {
        check_demo(&writer, options)?;
    }
    embedded::migrations::runner()
        .run(&mut writer)
        .map_err(|error| {
            // The runner tells its cause as text only through its sources.
            let mut source: Option<&(dyn std::error::Error + 'static)> = Some(&error);
            while let Some(cause) = source {
                let code = cause
                    .downcast_ref::<rusqlite::Error>()
                    .and_then(rusqlite::Error::sqlite_error_code);
                if code == Some(rusqlite::ErrorCode::DiskFull) {
                    return OpenError::Full {
                        path: directory.clone(),
                    };
                }
                source = cause.source();
            }
            corrupt(&error)
        })?;
    if fresh {
        let demo = if options.demo { "yes" } else { "no" };
        writer
            .execute(
                "INSERT OR IGNORE INTO meta (key, value) VALUES ('demo', ?1)",
                [demo],
            )
            .map_err(|error| corrupt(&error))?;
    }
    let readers = (0..options.readers.clamp(1, 16))
        .map(|_| connect(&file, options, false))
        .collect::<Result<_, _>>()
        .map_err(|error| corrupt(&error))?;
    let log = match options.beside {
        true => None,
        false => Some(connect(&file, options, true).map_err(|error| corrupt(&error))?),
    };
    Ok(Opened {
        lock,
        writer,
        readers,
        log,
    })
}

/// Takes the directory for this process. The lock goes with the process, however it ends.
pub(super) fn lock(directory: &Path) -> Result<File, OpenError> {
    let unwritable = |error: std::io::Error| OpenError::Unwritable {
        path: directory.to_owned(),
        reason: error.to_string(),
    };
    let mut file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(directory.join(LOCK))
        .map_err(unwritable)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            // Only to name the other process; without it the message is shorter.
            let _ = file.read_to_string(&mut text);
            return Err(OpenError::InUse {
                path: directory.to_owned(),
                process: text.trim().parse().ok(),
            });
        }
        Err(TryLockError::Error(error)) => return Err(unwritable(error)),
    }
    file.set_len(0).map_err(unwritable)?;
    file.rewind().map_err(unwritable)?;
    write!(file, "{}", std::process::id()).map_err(unwritable)?;
    Ok(file)
}

/// The server that works in the folder, if one does.
pub fn process_of(folder: &Path) -> Option<u32> {
    let file = File::options()
        .read(true)
        .write(true)
        .open(folder.join(LOCK))
        .ok()?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let text = std::fs::read_to_string(folder.join(LOCK)).unwrap_or_default();
            Some(text.trim().parse().unwrap_or(0))
        }
        // Given back as the file is closed.
        _ => None,
    }
}

/// Makes the database a file for its owner's eyes, before SQLite does with whatever rights are
/// usual; the log and the index beside it get the same.
fn for_the_owner_alone(file: &Path) -> std::io::Result<()> {
    let mut how = File::options();
    how.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        how.mode(0o600);
        for end in ["", "-wal", "-shm"] {
            let mut path = file.as_os_str().to_owned();
            path.push(end);
            // Those of an earlier version; what is not there needs nothing.
            let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600));
        }
    }
    how.open(file).map(drop)
}

fn connect(file: &Path, options: &SqliteOptions, writes: bool) -> rusqlite::Result<Connection> {
    let mut flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_WRITE;
    if writes {
        flags |= OpenFlags::SQLITE_OPEN_CREATE;
    }
    let connection = Connection::open_with_flags(file, flags)?;
    connection.set_prepared_statement_cache_capacity(96);
    // Only somebody who looks into the file by hand can be in the way.
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(
        None,
        "synchronous",
        if options.synchronous_full {
            "FULL"
        } else {
            "NORMAL"
        },
    )?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // In KiB. The writer's is the smaller one: each commit looks through all of it.
    connection.pragma_update(None, "cache_size", if writes { -8_192 } else { -16_384 })?;
    if writes {
        // The server writes the log back beside its commits (`write_back`); a program beside it
        // hardly ever writes this much.
        connection.pragma_update(None, "wal_autocheckpoint", 10_000)?;
        if let Some(pages) = options.max_pages {
            connection.pragma_update(None, "max_page_count", pages)?;
        }
    } else {
        connection.pragma_update(None, "query_only", "ON")?;
    }
    Ok(connection)
}

fn has_table(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    connection.query_row(
        "SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = ?1",
        [name],
        |row| row.get(0),
    )
}

/// The newest layout that this program knows.
fn known_layout() -> i32 {
    embedded::migrations::runner()
        .get_migrations()
        .iter()
        .map(|migration| migration.version())
        .max()
        .unwrap_or(0)
}

/// The layout of the file, 0 for an empty one.
pub(super) fn layout(connection: &Connection) -> rusqlite::Result<i32> {
    if !has_table(connection, "refinery_schema_history")? {
        return Ok(0);
    }
    connection.query_row(
        "SELECT coalesce(max(version), 0) FROM refinery_schema_history",
        [],
        |row| row.get(0),
    )
}

/// Refuses a file that a newer program has written.
pub(super) fn check_layout(connection: &Connection, directory: &Path) -> Result<(), OpenError> {
    let (known, found) = (known_layout(), layout(connection));
    match found {
        Ok(found) if i64::from(found) > i64::from(known) => Err(OpenError::Newer {
            path: directory.to_owned(),
            found,
            known,
        }),
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::Corrupt {
            path: directory.to_owned(),
            reason: error.to_string(),
        }),
    }
}

fn check_demo(connection: &Connection, options: &SqliteOptions) -> Result<(), OpenError> {
    let path = options.data_dir.clone();
    let mark: Option<String> = connection
        .query_row("SELECT value FROM meta WHERE key = 'demo'", [], |row| {
            row.get(0)
        })
        .optional()
        .map_err(|error| OpenError::Corrupt {
            path: path.clone(),
            reason: error.to_string(),
        })?;
    match (mark.as_deref() == Some("yes"), options.demo) {
        (true, false) => Err(OpenError::IsDemo { path }),
        (false, true) => Err(OpenError::IsNotDemo { path }),
        _ => Ok(()),
    }
}
