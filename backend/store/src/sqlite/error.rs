//! Errors of SQLite as errors of the store.
//!
//! Only a full disk is told apart: an operator can do something about it.

use crate::store::StoreError;

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Full,
            _ => Self::Broken(error.to_string()),
        }
    }
}
