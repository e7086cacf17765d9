//! Opens the database file: the lock, the checks, the migrations, the connections.
//!
//! Called once at startup. Distinguishes everything that can be wrong with a data directory, so
//! that the command line can say what to do.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::open_error::OpenError;
use super::options::SqliteOptions;
use super::session::SqlSession;
use crate::sql::{people, run_inline};
use crate::store::StoreError;

mod embedded {
    refinery::embed_migrations!("migrations/sqlite");
}

/// The name of the file in the data directory.
pub const DATABASE: &str = "checklist.sqlite3";
const LOCK: &str = "server.lock";

/// An opened file: the connections, and the lock.
pub(super) struct OpenedDatabase {
    pub(super) lock: Option<File>,
    pub(super) writer: Connection,
    pub(super) readers: Vec<Connection>,
    /// The connection of the WAL checkpointer; `None` if a server has the file.
    pub(super) log: Option<Connection>,
}

pub(super) fn open(options: &SqliteOptions) -> Result<OpenedDatabase, OpenError> {
    let directory = &options.data_dir;
    let not_written = |error: std::io::Error| OpenError::of_system(directory, &error);
    let failed = |error: rusqlite::Error| OpenError::of_database(directory, &error);
    std::fs::create_dir_all(directory).map_err(not_written)?;
    let lock = match options.beside {
        true => None,
        false => Some(lock(directory)?),
    };
    let file = directory.join(DATABASE);
    for_the_owner_alone(&file).map_err(not_written)?;

    let mut writer = connect(&file, options, true).map_err(failed)?;
    check_layout(&writer, directory)?;
    let fresh = !has_table(&writer, "meta").map_err(failed)?;
    if options.beside {
        // The server has checked the rest, and its schema must not change while it runs.
        if fresh || layout(&writer).map_err(failed)? != known_layout() {
            return Err(OpenError::InUse {
                path: directory.clone(),
                process: None,
            });
        }
    } else if !fresh {
        check_demo(&writer, directory, options.demo)?;
    }
    embedded::migrations::runner()
        .run(&mut writer)
        .map_err(|error| OpenError::of_database(directory, &error))?;
    complete_migrations(&mut writer).map_err(|error| match error {
        StoreError::Full => OpenError::Full {
            path: directory.clone(),
        },
        error => OpenError::of_database(directory, &error),
    })?;
    if fresh {
        let demo = if options.demo { "yes" } else { "no" };
        writer
            .execute(
                "INSERT OR IGNORE INTO meta (key, value) VALUES ('demo', ?1)",
                [demo],
            )
            .map_err(failed)?;
    }
    let readers = (0..options.readers.clamp(1, 16))
        .map(|_| connect(&file, options, false))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let log = match options.beside {
        true => None,
        false => Some(connect(&file, options, true).map_err(failed)?),
    };
    Ok(OpenedDatabase {
        lock,
        writer,
        readers,
        log,
    })
}

/// Computes what migrations leave to the program.
fn complete_migrations(writer: &mut Connection) -> Result<(), StoreError> {
    let transaction = writer.transaction()?;
    run_inline(people::fill_sort_names(&mut SqlSession(&transaction)))?;
    Ok(transaction.commit()?)
}

/// Checks whether a server could use the directory, and changes nothing in it. A server may be
/// running there.
///
/// # Errors
/// Why it could not.
pub fn inspect(directory: &Path, demo: bool) -> Result<(), OpenError> {
    let file = directory.join(DATABASE);
    let nearest = directory.ancestors().find(|above| above.exists());
    let nearest = nearest.unwrap_or(Path::new("."));
    let probe = nearest.join(format!(".checklist-{}", std::process::id()));
    File::create_new(&probe)
        .and_then(|_| std::fs::remove_file(&probe))
        .map_err(|error| OpenError::of_system(directory, &error))?;
    if !file.exists() {
        return Ok(());
    }
    let failed = |error: rusqlite::Error| OpenError::of_database(directory, &error);
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_ONLY;
    let connection = Connection::open_with_flags(&file, flags).map_err(failed)?;
    check_layout(&connection, directory)?;
    if has_table(&connection, "meta").map_err(failed)? {
        check_demo(&connection, directory, demo)?;
    }
    Ok(())
}

/// Locks the directory for this process. The operating system releases the lock when the process
/// ends, in whatever way.
pub(super) fn lock(directory: &Path) -> Result<File, OpenError> {
    let not_written = |error: std::io::Error| OpenError::of_system(directory, &error);
    let mut file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .open(directory.join(LOCK))
        .map_err(not_written)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            // Only for the process id in the message; on an error the message has none.
            let _ = file.read_to_string(&mut text);
            return Err(OpenError::InUse {
                path: directory.to_owned(),
                process: text.trim().parse().ok(),
            });
        }
        Err(TryLockError::Error(error)) => return Err(not_written(error)),
    }
    file.set_len(0).map_err(not_written)?;
    file.rewind().map_err(not_written)?;
    write!(file, "{}", std::process::id()).map_err(not_written)?;
    Ok(file)
}

/// The process id of the server that uses the directory, if there is one.
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
        // Released when the file is closed.
        _ => None,
    }
}

/// Creates the database with mode 0600 before SQLite would create it with the default mode. WAL and
/// shared-memory file get the same mode.
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
            // Files of an earlier version; a missing file needs no mode.
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
    // Only somebody who opens the file by hand can hold a lock.
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
    // In KiB. The writer's cache is smaller, because each commit searches all of it.
    connection.pragma_update(None, "cache_size", if writes { -8_192 } else { -16_384 })?;
    if writes {
        // The server checkpoints on another thread (`wal_checkpointer`). Other programs hardly ever
        // write this much.
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

/// The newest schema version that this program knows.
fn known_layout() -> i32 {
    embedded::migrations::runner()
        .get_migrations()
        .iter()
        .map(|migration| migration.version())
        .max()
        .unwrap_or(0)
}

/// The schema version of the file; 0 for an empty one.
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

/// Rejects a file that a newer program has written.
pub(super) fn check_layout(connection: &Connection, directory: &Path) -> Result<(), OpenError> {
    let (known, found) = (known_layout(), layout(connection));
    match found {
        Ok(found) if i64::from(found) > i64::from(known) => Err(OpenError::Newer {
            path: directory.to_owned(),
            found,
            known,
        }),
        Ok(_) => Ok(()),
        Err(error) => Err(OpenError::of_database(directory, &error)),
    }
}

fn check_demo(connection: &Connection, directory: &Path, demo: bool) -> Result<(), OpenError> {
    let path = directory.to_owned();
    let mark: Option<String> = connection
        .query_row("SELECT value FROM meta WHERE key = 'demo'", [], |row| {
            row.get(0)
        })
        .optional()
        .map_err(|error| OpenError::of_database(&path, &error))?;
    match (mark.as_deref() == Some("yes"), demo) {
        (true, false) => Err(OpenError::IsDemo { path }),
        (false, true) => Err(OpenError::IsNotDemo { path }),
        _ => Ok(()),
    }
}
