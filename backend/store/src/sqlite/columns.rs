//! Converts between domain values and columns.
//!
//! An invalid value in the file is an error of its column, not a panic: somebody may have edited
//! the file.

use checklist_shared::id::ItemId;
use checklist_shared::time::Timestamp;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, Type, ValueRef};
use rusqlite::{Error, Result, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::column_name::ColumnName;

/// Serializes a value as JSON.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::ToSqlConversionFailure(Box::new(error)))
}

/// Serializes an optional value as JSON.
pub(super) fn json_option<T: Serialize>(value: Option<&T>) -> Result<Option<String>> {
    value.map(json).transpose()
}

/// Deserializes a value from JSON.
pub(super) fn parse<T: DeserializeOwned>(text: &str, column: usize) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

/// The text of a column, borrowed from the row.
pub(super) fn get_text<'a>(row: &'a Row<'_>, column: usize) -> Result<&'a str> {
    row.get_ref(column)?
        .as_str()
        .map_err(|error| column_error(column, error))
}

/// A column with JSON.
pub(super) fn get_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T> {
    parse(get_text(row, column)?, column)
}

/// A column with JSON or NULL.
pub(super) fn get_json_option<T: DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> Result<Option<T>> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        value => parse(
            value
                .as_str()
                .map_err(|error| column_error(column, error))?,
            column,
        )
        .map(Some),
    }
}

fn column_error(column: usize, error: FromSqlError) -> Error {
    Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
}

/// A count or version. SQLite's integers are signed; these are never negative.
pub(super) fn get_u64(row: &Row<'_>, column: usize) -> Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| Error::IntegralValueOutOfRange(column, value))
}

/// A count that fits in 32 bits.
pub(super) fn get_u32(row: &Row<'_>, column: usize) -> Result<u32> {
    let value: i64 = row.get(column)?;
    u32::try_from(value).map_err(|_| Error::IntegralValueOutOfRange(column, value))
}

/// A count as a column; saturates at the maximum of SQLite's integers.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A column with a time.
pub(super) fn get_time(row: &Row<'_>, column: usize) -> Result<Timestamp> {
    Ok(Timestamp::from_millis(row.get(column)?))
}

/// Reads an [`ItemId`], or an enum by its name on the wire.
pub(super) struct Column<T>(pub(super) T);

impl FromSql for Column<ItemId> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        <[u8; 16]>::column_result(value).map(|bytes| Self(ItemId::from_bytes(bytes)))
    }
}

impl<T: ColumnName> FromSql for Column<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        T::by_name(value.as_str()?)
            .map(Self)
            .ok_or(FromSqlError::InvalidType)
    }
}
