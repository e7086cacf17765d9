//! The location of the data: a folder on this machine, or a PostgreSQL database that nodes share.
//!
//! Invariant: a database URL, which may contain a password, never appears in messages or logs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The URL of a PostgreSQL database.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

/// Why a text is no database URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "it begins with postgres://, for example postgres://checklist:secret@db.example.org/checklist"
)]
pub struct NoDatabaseUrl;

impl FromStr for DatabaseUrl {
    type Err = NoDatabaseUrl;

    fn from_str(text: &str) -> Result<Self, NoDatabaseUrl> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self(text.to_owned()));
        }
        Err(NoDatabaseUrl)
    }
}

impl DatabaseUrl {
    /// The URL including its password.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DatabaseUrl(…)")
    }
}

/// The location of the data.
#[derive(Clone, Debug)]
pub enum Database {
    /// A SQLite file in this folder.
    Folder(PathBuf),
    /// A PostgreSQL database.
    Shared(DatabaseUrl),
}

impl Database {
    /// The folder, if this is SQLite.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Shared(_) => None,
        }
    }
}

/// For messages and logs: PostgreSQL is named without its URL, which may contain a password.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Shared(_) => f.write_str("PostgreSQL"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_postgres_is_spoken() {
        for url in ["postgres://a:b@c/d", "postgresql:///d?host=/run/postgresql"] {
            assert!(url.parse::<DatabaseUrl>().is_ok(), "{url}");
        }
        for url in ["mysql://a@b/c", "sqlite://x", "checklist", ""] {
            assert!(url.parse::<DatabaseUrl>().is_err(), "{url}");
        }
    }

    #[test]
    fn a_password_does_not_show() {
        let url: DatabaseUrl = "postgres://me:secret@db/x".parse().expect("a URL");
        let shown = format!("{url:?} {0:?} {0}", Database::Shared(url.clone()));
        assert!(!shown.contains("secret"), "{shown}");
    }
}
