//! The rows of a list's items: reads all of them, writes those that changed.
//!
//! A tick writes the state columns only.

use std::sync::{Arc, LazyLock};

use checklist_shared::item::Item;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Error, Row, params};
use uuid::Uuid;

use crate::item_columns::types::*;
use crate::item_columns::{
    self, CONTENT, ItemColumn, ItemReader, KnownActors, STATE, item_columns,
};
use crate::store::StoreError;

static SELECT: LazyLock<String> = LazyLock::new(|| {
    let columns = item_columns::list(item_columns::all(), |_, name, _| name.to_owned());
    format!("SELECT {columns} FROM item WHERE tenant = ?1 AND checklist = ?2")
});

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let columns = item_columns::list(item_columns::all(), |_, name, _| name.to_owned());
    let values = item_columns::list(item_columns::all(), |index, _, _| format!("?{}", index + 3));
    format!("INSERT INTO item (tenant, checklist, {columns}) VALUES (?1, ?2, {values})")
});

static UPDATE_CONTENT: LazyLock<String> = LazyLock::new(|| update_of(CONTENT));
static UPDATE_STATE: LazyLock<String> = LazyLock::new(|| update_of(STATE));

fn update_of(columns: &[(&str, &str)]) -> String {
    let set = item_columns::list(columns, |index, name, _| format!("{name} = ?{}", index + 4));
    format!("UPDATE item SET {set} WHERE tenant = ?1 AND checklist = ?2 AND id = ?3")
}

/// Loads all items of the list with that row number.
pub(super) fn load(
    connection: &Connection,
    tenant: &str,
    number: i64,
) -> rusqlite::Result<Vec<Arc<Item>>> {
    let mut statement = connection.prepare_cached(&SELECT)?;
    let mut rows = statement.query(params![tenant, number])?;
    let mut items = Vec::new();
    let mut known_actors = KnownActors::default();
    while let Some(row) = rows.next()? {
        let mut reader = RowReader { row, known_actors };
        items.push(Arc::new(item_columns::load(&mut reader, 0)?));
        known_actors = reader.known_actors;
    }
    Ok(items)
}

/// Deletes all items of the list with that row number.
pub(super) fn delete_all(
    connection: &Connection,
    tenant: &str,
    number: i64,
) -> rusqlite::Result<usize> {
    connection
        .prepare_cached("DELETE FROM item WHERE tenant = ?1 AND checklist = ?2")?
        .execute(params![tenant, number])
}

struct RowReader<'a> {
    row: &'a Row<'a>,
    known_actors: KnownActors,
}

impl ItemReader for RowReader<'_> {
    type Error = Error;

    fn uuid(&self, column: usize) -> Result<Option<Uuid>, Error> {
        self.row.get(column)
    }

    fn integer(&self, column: usize) -> Result<Option<i64>, Error> {
        self.row.get(column)
    }

    fn boolean(&self, column: usize) -> Result<bool, Error> {
        self.row.get(column)
    }

    fn text(&self, column: usize) -> Result<Option<&str>, Error> {
        match self.row.get_ref(column)? {
            ValueRef::Null => Ok(None),
            value => value
                .as_str()
                .map(Some)
                .map_err(|error| Self::error(column, &error)),
        }
    }

    fn known_actors(&mut self) -> &mut KnownActors {
        &mut self.known_actors
    }

    fn error(column: usize, what: &dyn std::fmt::Display) -> Error {
        Error::FromSqlConversionFailure(column, Type::Text, what.to_string().into())
    }
}

macro_rules! declare_writes {
    (
        fixed { $($fixed:ident: $fixed_type:ty = $($fixed_field:ident).+,)+ }
        content { $($content:ident: $content_type:ty = $($content_field:ident).+,)+ }
        state { $($state:ident: $state_type:ty = $($state_field:ident).+,)+ }
    ) => {
        /// Inserts an item.
        pub(super) fn insert(
            connection: &Connection,
            tenant: &str,
            number: i64,
            item: &Item,
        ) -> Result<usize, StoreError> {
            let written = connection.prepare_cached(&INSERT)?.execute(params![
                tenant,
                number,
                $(<$fixed_type as ItemColumn>::parameter(&item.$($fixed_field).+)?,)+
                $(<$content_type as ItemColumn>::parameter(&item.$($content_field).+)?,)+
                $(<$state_type as ItemColumn>::parameter(&item.$($state_field).+)?,)+
            ])?;
            Ok(written)
        }

        /// Updates the content of an item, which is everything besides its state that can change.
        pub(super) fn update_content(
            connection: &Connection,
            tenant: &str,
            number: i64,
            item: &Item,
        ) -> Result<usize, StoreError> {
            let written = connection.prepare_cached(&UPDATE_CONTENT)?.execute(params![
                tenant,
                number,
                ItemId::parameter(&item.id)?,
                $(<$content_type as ItemColumn>::parameter(&item.$($content_field).+)?,)+
            ])?;
            Ok(written)
        }

        /// Updates the state of an item: the columns that a tick changes.
        pub(super) fn update_state(
            connection: &Connection,
            tenant: &str,
            number: i64,
            item: &Item,
        ) -> Result<usize, StoreError> {
            let written = connection.prepare_cached(&UPDATE_STATE)?.execute(params![
                tenant,
                number,
                ItemId::parameter(&item.id)?,
                $(<$state_type as ItemColumn>::parameter(&item.$($state_field).+)?,)+
            ])?;
            Ok(written)
        }
    };
}
item_columns!(declare_writes);
