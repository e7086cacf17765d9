//! Which PostgreSQL database a node uses.
//!
//! The URL contains a password, so nothing may print it.

use std::fmt;

use crate::list_cache::LIST_MEMORY;

/// Which database to use, how many connections, and how much memory.
#[derive(Clone)]
pub struct PostgresOptions {
    /// `postgres://role:password@host:port/database?sslmode=verify-full`; `connect` parses the
    /// options after the question mark.
    pub url: String,
    /// The most connections that this node opens.
    pub connections: usize,
    /// How many bytes the cached lists take at most.
    pub list_memory: usize,
}

impl PostgresOptions {
    /// The defaults for a database.
    #[must_use]
    pub const fn new(url: String) -> Self {
        Self {
            url,
            connections: 10,
            list_memory: LIST_MEMORY,
        }
    }
}

/// Hides the URL, which contains a password.
impl fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("connections", &self.connections)
            .finish_non_exhaustive()
    }
}
