//! Converts between domain values and columns.
//!
//! An invalid value in the database is an error that names its column, not a panic: somebody may
//! have edited the database.

use checklist_shared::definition::DefinitionFields;
use checklist_shared::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};

use super::error::PostgresError;
use crate::column_name::ColumnName;

/// A parameter of a statement.
pub(super) type Parameter<'a> = &'a (dyn ToSql + Sync);

/// Serializes a value as JSON.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, PostgresError> {
    serde_json::to_string(value).map_err(|error| PostgresError::Broken(error.to_string()))
}

/// Serializes an optional value as JSON.
pub(super) fn json_option<T: Serialize>(
    value: Option<&T>,
) -> Result<Option<String>, PostgresError> {
    value.map(json).transpose()
}

pub(super) fn column_error(column: usize, what: &dyn std::fmt::Display) -> PostgresError {
    PostgresError::Broken(format!("column {column} of a row cannot be read: {what}"))
}

/// A column without conversion.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T, PostgresError> {
    row.try_get(column)
        .map_err(|error| column_error(column, &error))
}

/// A column with JSON.
pub(super) fn get_json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T, PostgresError> {
    serde_json::from_str(get(row, column)?).map_err(|error| column_error(column, &error))
}

/// A column with JSON or NULL.
pub(super) fn get_json_option<T: DeserializeOwned>(
    row: &Row,
    column: usize,
) -> Result<Option<T>, PostgresError> {
    get::<Option<&str>>(row, column)?
        .map(|text| serde_json::from_str(text).map_err(|error| column_error(column, &error)))
        .transpose()
}

/// A count or version. The database's integers are signed; these are never negative.
pub(super) fn get_u64(row: &Row, column: usize) -> Result<u64, PostgresError> {
    u64::try_from(get::<i64>(row, column)?).map_err(|error| column_error(column, &error))
}

/// A count that fits in 32 bits.
pub(super) fn get_u32(row: &Row, column: usize) -> Result<u32, PostgresError> {
    u32::try_from(get::<i64>(row, column)?).map_err(|error| column_error(column, &error))
}

/// A column with the bits of a set.
pub(super) fn get_fields(row: &Row, column: usize) -> Result<DefinitionFields, PostgresError> {
    let bits = u8::try_from(get::<i64>(row, column)?);
    let bits = bits.map_err(|error| column_error(column, &error))?;
    Ok(DefinitionFields::from_bits(bits))
}

/// A column with a time.
pub(super) fn get_time(row: &Row, column: usize) -> Result<Timestamp, PostgresError> {
    Ok(Timestamp::from_millis(get(row, column)?))
}

/// A column with the name of an enum value.
pub(super) fn get_named<T: ColumnName>(row: &Row, column: usize) -> Result<T, PostgresError> {
    let name = get(row, column)?;
    T::by_name(name).ok_or_else(|| column_error(column, &format_args!("{name} is none of ours")))
}

/// A column with a digest of 32 bytes.
pub(super) fn get_hash(row: &Row, column: usize) -> Result<[u8; 32], PostgresError> {
    <[u8; 32]>::try_from(get::<&[u8]>(row, column)?).map_err(|error| column_error(column, &error))
}

/// A count as a column; saturates at the maximum of the database's integers.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
