//! The parameters of statements, for both databases.

use std::error::Error;

use bytes::BytesMut;
use checklist_shared::time::Timestamp;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Null,
    Boolean(bool),
    Integer(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

/// A count; saturates at the maximum of the databases' integers.
impl From<u64> for Value<'_> {
    fn from(value: u64) -> Self {
        Self::Integer(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value<'_> {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<Timestamp> for Value<'_> {
    fn from(value: Timestamp) -> Self {
        Self::Integer(value.as_millis())
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a Vec<u8>> for Value<'a> {
    fn from(value: &'a Vec<u8>) -> Self {
        Self::Bytes(value)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Value<'a> {
    fn from(value: &'a [u8; N]) -> Self {
        Self::Bytes(value)
    }
}

impl<'a, T: Into<Value<'a>>> From<Option<T>> for Value<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The parameters of a statement, in the order of their numbers.
macro_rules! values {
    ($($value:expr),* $(,)?) => {
        vec![$($crate::sql::value::Value::from($value)),*]
    };
}
pub(crate) use values;

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Boolean(value) => value.to_sql_checked(kind, out),
            Self::Integer(value) => value.to_sql_checked(kind, out),
            Self::Text(value) => value.to_sql_checked(kind, out),
            Self::Bytes(value) => value.to_sql_checked(kind, out),
        }
    }

    /// Each value checks its own type.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl rusqlite::ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        use rusqlite::types::{ToSqlOutput, ValueRef};
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Boolean(value) => ValueRef::Integer((*value).into()),
            Self::Integer(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}
