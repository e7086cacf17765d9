//! The rows of a result, from either database.
//!
//! An invalid value is an error that names its column, not a panic: somebody may have edited the
//! database.

use checklist_shared::audit_trail::leaf;
use checklist_shared::id::ItemId;
use checklist_shared::time::Timestamp;
use serde::de::DeserializeOwned;

use crate::column_name::ColumnName;
use crate::store::StoreError;

/// A value in a row. A boolean is an integer, as in SQLite.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Column {
    Null,
    Integer(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A row of a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row(pub(crate) Vec<Column>);

fn column_error(column: usize, what: &dyn std::fmt::Display) -> StoreError {
    StoreError::Broken(format!("column {column} of a row cannot be read: {what}"))
}

impl Row {
    fn column(&self, column: usize) -> Result<&Column, StoreError> {
        let value = self.0.get(column);
        value.ok_or_else(|| column_error(column, &"there is none"))
    }

    pub(crate) fn get_i64(&self, column: usize) -> Result<i64, StoreError> {
        match self.column(column)? {
            Column::Integer(value) => Ok(*value),
            _ => Err(column_error(column, &"it is no integer")),
        }
    }

    /// A count or version. The databases' integers are signed; these are never negative.
    pub(crate) fn get_u64(&self, column: usize) -> Result<u64, StoreError> {
        u64::try_from(self.get_i64(column)?).map_err(|error| column_error(column, &error))
    }

    pub(crate) fn get_i64_option(&self, column: usize) -> Result<Option<i64>, StoreError> {
        self.get_option(column, Self::get_i64)
    }

    /// A count that fits in 32 bits.
    pub(crate) fn get_u32(&self, column: usize) -> Result<u32, StoreError> {
        u32::try_from(self.get_i64(column)?).map_err(|error| column_error(column, &error))
    }

    pub(crate) fn get_u32_option(&self, column: usize) -> Result<Option<u32>, StoreError> {
        self.get_option(column, Self::get_u32)
    }

    /// A column with the name of an enum value.
    pub(crate) fn get_named<T: ColumnName>(&self, column: usize) -> Result<T, StoreError> {
        let name = self.get_text(column)?;
        T::by_name(name)
            .ok_or_else(|| column_error(column, &format_args!("{name} is none of ours")))
    }

    pub(crate) fn get_named_option<T: ColumnName>(
        &self,
        column: usize,
    ) -> Result<Option<T>, StoreError> {
        self.get_option(column, Self::get_named)
    }

    pub(crate) fn get_time(&self, column: usize) -> Result<Timestamp, StoreError> {
        self.get_i64(column).map(Timestamp::from_millis)
    }

    pub(crate) fn get_text(&self, column: usize) -> Result<&str, StoreError> {
        match self.column(column)? {
            Column::Text(value) => Ok(value),
            _ => Err(column_error(column, &"it is no text")),
        }
    }

    pub(crate) fn get_time_option(&self, column: usize) -> Result<Option<Timestamp>, StoreError> {
        self.get_option(column, Self::get_time)
    }

    pub(crate) fn get_bool(&self, column: usize) -> Result<bool, StoreError> {
        self.get_i64(column).map(|value| value != 0)
    }

    pub(crate) fn get_text_option(&self, column: usize) -> Result<Option<&str>, StoreError> {
        self.get_option(column, Self::get_text)
    }

    pub(crate) fn get_bytes(&self, column: usize) -> Result<&[u8], StoreError> {
        match self.column(column)? {
            Column::Bytes(value) => Ok(value),
            _ => Err(column_error(column, &"it is no bytes")),
        }
    }

    pub(crate) fn get_bytes_option(&self, column: usize) -> Result<Option<&[u8]>, StoreError> {
        self.get_option(column, Self::get_bytes)
    }

    pub(crate) fn get_item_id(&self, column: usize) -> Result<ItemId, StoreError> {
        let bytes = <[u8; 16]>::try_from(self.get_bytes(column)?);
        let bytes = bytes.map_err(|error| column_error(column, &error))?;
        Ok(ItemId::from_bytes(bytes))
    }

    /// A column with a digest of 32 bytes.
    pub(crate) fn get_hash(&self, column: usize) -> Result<[u8; 32], StoreError> {
        <[u8; 32]>::try_from(self.get_bytes(column)?).map_err(|error| column_error(column, &error))
    }

    pub(crate) fn get_hash_option(&self, column: usize) -> Result<Option<[u8; 32]>, StoreError> {
        self.get_option(column, Self::get_hash)
    }

    pub(crate) fn get_json_option<T: DeserializeOwned>(
        &self,
        column: usize,
    ) -> Result<Option<T>, StoreError> {
        self.get_option(column, Self::get_json)
    }

    fn get_option<'a, T>(
        &'a self,
        column: usize,
        read: impl FnOnce(&'a Self, usize) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match self.column(column)? {
            Column::Null => Ok(None),
            _ => read(self, column).map(Some),
        }
    }

    pub(crate) fn get_json<T: DeserializeOwned>(&self, column: usize) -> Result<T, StoreError> {
        serde_json::from_str(self.get_text(column)?).map_err(|error| column_error(column, &error))
    }
}

impl Row {
    /// The event or act of an audit row, from its columns `event` and `words`. Erased words are none.
    pub(crate) fn get_event<T: DeserializeOwned>(
        &self,
        event: usize,
        words: usize,
    ) -> Result<T, StoreError> {
        let words = self.get_text_option(words)?.unwrap_or("{}");
        leaf::join(self.get_text(event)?, words).map_err(|error| column_error(event, &error))
    }
}

/// Serializes a value as JSON.
pub(crate) fn json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Broken(error.to_string()))
}

/// Serializes an optional value as JSON.
pub(crate) fn json_option<T: serde::Serialize>(
    value: Option<&T>,
) -> Result<Option<String>, StoreError> {
    value.map(json).transpose()
}
