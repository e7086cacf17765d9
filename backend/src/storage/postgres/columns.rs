//! Between the rules' values and the columns of a row.
//!
//! A value in the database that is none of ours is an error that names its column, not a panic:
//! somebody may have edited it.

use checklist_shared::id::ItemId;
use checklist_shared::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, ToSql};
use uuid::Uuid;

use super::error::PostgresError;
use crate::storage::column_name::ColumnName;

/// A value that a statement takes.
pub(super) type Parameter<'a> = &'a (dyn ToSql + Sync);

/// A value as JSON text.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, PostgresError> {
    serde_json::to_string(value).map_err(|error| PostgresError::Broken(error.to_string()))
}

/// An optional value as JSON text.
pub(super) fn json_option<T: Serialize>(
    value: Option<&T>,
) -> Result<Option<String>, PostgresError> {
    value.map(json).transpose()
}

fn column_error(column: usize, what: &dyn std::fmt::Display) -> PostgresError {
    PostgresError::Broken(format!("column {column} of a row cannot be read: {what}"))
}

/// A column as it is.
pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T, PostgresError> {
    row.try_get(column)
        .map_err(|error| column_error(column, &error))
}

/// A JSON column.
pub(super) fn get_json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T, PostgresError> {
    serde_json::from_str(get(row, column)?).map_err(|error| column_error(column, &error))
}

/// A JSON column, where there is one.
pub(super) fn get_json_option<T: DeserializeOwned>(
    row: &Row,
    column: usize,
) -> Result<Option<T>, PostgresError> {
    get::<Option<&str>>(row, column)?
        .map(|text| serde_json::from_str(text).map_err(|error| column_error(column, &error)))
        .transpose()
}

/// A count or version: the database's integers are signed, ours never negative.
pub(super) fn get_u64(row: &Row, column: usize) -> Result<u64, PostgresError> {
    u64::try_from(get::<i64>(row, column)?).map_err(|error| column_error(column, &error))
}

/// A count that fits in 32 bits.
pub(super) fn get_u32(row: &Row, column: usize) -> Result<u32, PostgresError> {
    u32::try_from(get::<i64>(row, column)?).map_err(|error| column_error(column, &error))
}

/// The same, where there is one.
pub(super) fn get_u32_option(row: &Row, column: usize) -> Result<Option<u32>, PostgresError> {
    get::<Option<i64>>(row, column)?
        .map(|value| u32::try_from(value).map_err(|error| column_error(column, &error)))
        .transpose()
}

/// A time column.
pub(super) fn get_time(row: &Row, column: usize) -> Result<Timestamp, PostgresError> {
    Ok(Timestamp::from_millis(get(row, column)?))
}

/// A time column, where there is one.
pub(super) fn get_time_option(
    row: &Row,
    column: usize,
) -> Result<Option<Timestamp>, PostgresError> {
    Ok(get::<Option<i64>>(row, column)?.map(Timestamp::from_millis))
}

/// The value of that name.
pub(super) fn get_named<T: ColumnName>(row: &Row, column: usize) -> Result<T, PostgresError> {
    let name = get(row, column)?;
    T::by_name(name).ok_or_else(|| column_error(column, &format_args!("{name} is none of ours")))
}

/// An item's id.
pub(super) fn get_id(row: &Row, column: usize) -> Result<ItemId, PostgresError> {
    Ok(ItemId::from_bytes(get::<Uuid>(row, column)?.into_bytes()))
}

/// A digest.
pub(super) fn get_hash(row: &Row, column: usize) -> Result<[u8; 32], PostgresError> {
    <[u8; 32]>::try_from(get::<&[u8]>(row, column)?).map_err(|error| column_error(column, &error))
}

/// An item's id as a column.
pub(super) const fn id(id: &ItemId) -> Uuid {
    Uuid::from_bytes(*id.as_bytes())
}

/// A count as a column; past the range of the database's integers is past the range of anything.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A time as a column.
pub(super) fn time(value: Option<Timestamp>) -> Option<i64> {
    value.map(Timestamp::as_millis)
}
