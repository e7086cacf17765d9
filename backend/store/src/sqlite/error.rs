//! Errors of SQLite as errors of the store.
//!
//! Only a full disk is told apart: an operator can do something about it.

use rusqlite::{Error, ErrorCode, ffi};

use crate::store::StoreError;

/// Whether there was no room. SQLite calls it an I/O error where it is the index of the WAL, the
/// `-shm` file, that has to become longer: for every 4,096 pages of the WAL it does.
pub(super) fn is_about_room(error: &ffi::Error) -> bool {
    error.code == ErrorCode::DiskFull || error.extended_code == ffi::SQLITE_IOERR_SHMSIZE
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        match error.sqlite_error() {
            Some(code) if is_about_room(code) => Self::Full,
            Some(code) => Self::Broken(format!("{error} (SQLite {})", code.extended_code)),
            None => Self::Broken(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_whose_index_cannot_grow_has_met_a_full_disk_and_other_errors_keep_their_code() {
        let error = |code| StoreError::from(Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_SHMSIZE] {
            assert!(matches!(error(code), StoreError::Full), "{code}");
        }
        let StoreError::Broken(what) = error(ffi::SQLITE_IOERR_FSYNC) else {
            panic!("a disk that does not sync is not full");
        };
        assert!(what.ends_with("(SQLite 1034)"), "{what}");
    }
}
