//! How the SQLite file is opened.
//!
//! The defaults survive a power failure.

use std::path::PathBuf;

use crate::list_cache::LIST_MEMORY;

/// How to open the file.
#[derive(Clone, Debug)]
pub struct SqliteOptions {
    /// The directory with the database and its lock file.
    pub data_dir: PathBuf,
    /// Whether this is a demo. Has to match the database.
    pub demo: bool,
    /// Every acknowledged write survives a power failure (`synchronous = FULL`). If off, the last
    /// moments can be lost.
    pub synchronous_full: bool,
    /// Opens the database while a server holds the lock. The directory can be changed; lists must
    /// not be, because the server caches them.
    pub beside: bool,
    /// The number of reader threads. More than there are processors, because reads of a large file
    /// wait for the disk.
    pub readers: usize,
    /// The maximum size of the file in pages; for tests of a full disk.
    pub max_pages: Option<u32>,
    /// How many bytes the cached lists take at most.
    pub list_memory: usize,
}

impl SqliteOptions {
    /// The defaults for a data directory.
    #[must_use]
    pub fn new(data_dir: PathBuf) -> Self {
        Self {
            data_dir,
            demo: false,
            synchronous_full: true,
            beside: false,
            readers: 4,
            max_pages: None,
            list_memory: LIST_MEMORY,
        }
    }
}
