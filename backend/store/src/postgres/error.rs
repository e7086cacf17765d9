//! Errors of PostgreSQL, distinguished by what to do about them.
//!
//! Built from its error codes. They become errors of the store, or the writer retries.

use std::error::Error as _;

use rustls::CertificateError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use super::connect::ConnectError;
use crate::store::StoreError;
use crate::unreadable_type::UnreadableType;

/// Why a statement or transaction failed.
#[derive(Clone, Debug)]
pub(super) enum PostgresError {
    /// A conflict with another transaction; a retry may succeed.
    Collided(String),
    /// Overload: the queue is full, or something took too long to become free.
    Busy,
    /// There is no connection, or it broke.
    Unreachable(String),
    /// The disk is full.
    Full,
    /// The store is closed.
    Closed,
    /// The row of a type cannot be read.
    UnreadableType(UnreadableType),
    /// An internal error.
    Broken(String),
}

impl From<Error> for PostgresError {
    fn from(error: Error) -> Self {
        let Some(answer) = error.as_db_error() else {
            return if error.is_closed() || is_io(&error) || is_tls(&error) {
                Self::Unreachable(said(&error))
            } else {
                Self::Broken(said(&error))
            };
        };
        let code = answer.code();
        let text = || format!("{} {}", code.code(), answer.message());
        match *code {
            SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
                Self::Collided(text())
            }
            // No memory for locks, which many partitions need.
            SqlState::OUT_OF_MEMORY
            | SqlState::LOCK_NOT_AVAILABLE
            | SqlState::TOO_MANY_CONNECTIONS
            | SqlState::QUERY_CANCELED => Self::Busy,
            SqlState::DISK_FULL => Self::Full,
            SqlState::ADMIN_SHUTDOWN
            | SqlState::CRASH_SHUTDOWN
            | SqlState::CANNOT_CONNECT_NOW
            | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            | SqlState::READ_ONLY_SQL_TRANSACTION => Self::Unreachable(text()),
            // The check of the number of rows has failed, see `arrays`.
            SqlState::DIVISION_BY_ZERO => Self::Broken(
                "rows that were read are not there any more: something else changes the database"
                    .to_owned(),
            ),
            _ => Self::Broken(text()),
        }
    }
}

impl From<ConnectError> for PostgresError {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Refused(error) => Self::from(error),
            ConnectError::Silent => Self::Unreachable(error.to_string()),
        }
    }
}

fn is_io(error: &Error) -> bool {
    error
        .source()
        .is_some_and(|source| source.is::<std::io::Error>())
}

/// Whether TLS failed. `tokio_postgres` has no other way to tell.
pub(super) fn is_tls(error: &Error) -> bool {
    error.as_db_error().is_none() && error.to_string().contains("TLS handshake")
}

/// A readable message for certificate errors whose own text is only a name.
fn of_certificate(error: &Error) -> Option<&'static str> {
    let source = error.source()?.downcast_ref::<std::io::Error>()?;
    match source.get_ref()?.downcast_ref()? {
        rustls::Error::InvalidCertificate(
            CertificateError::UnknownIssuer | CertificateError::BadSignature,
        ) => Some("no authority that is trusted has issued its certificate"),
        _ => None,
    }
}

/// The error with its sources: its own text says little.
pub(super) fn said(error: &Error) -> String {
    if let Some(reason) = of_certificate(error) {
        return reason.to_owned();
    }
    match (error.as_db_error(), error.source()) {
        (Some(answer), _) => answer.message().to_owned(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

impl From<StoreError> for PostgresError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy => Self::Busy,
            StoreError::Full => Self::Full,
            StoreError::Closed => Self::Closed,
            StoreError::Unreachable(what) => Self::Unreachable(what),
            StoreError::UnreadableType(kind) => Self::UnreadableType(kind),
            StoreError::Broken(what) => Self::Broken(what),
        }
    }
}

impl From<PostgresError> for StoreError {
    fn from(error: PostgresError) -> Self {
        match error {
            PostgresError::Collided(what) => {
                tracing::warn!(what, "tried often, always in somebody else's way");
                Self::Busy
            }
            PostgresError::Busy => Self::Busy,
            PostgresError::Unreachable(what) => Self::Unreachable(what),
            PostgresError::Full => Self::Full,
            PostgresError::Closed => Self::Closed,
            PostgresError::UnreadableType(kind) => Self::UnreadableType(kind),
            PostgresError::Broken(what) => Self::Broken(what),
        }
    }
}
