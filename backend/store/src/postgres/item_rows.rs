//! The rows of items: reads those of many lists, writes those of a batch as arrays.
//!
//! A tick writes the state columns only. How a statement finds its rows: see `list_rows`.

use std::collections::HashMap;
use std::sync::LazyLock;

use checklist_shared::item::Item;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use super::columns::{column_error, get};
use super::error::PostgresError;
use crate::item_columns::types::*;
use crate::item_columns::{
    self, CONTENT, FIXED, ItemColumn, ItemReader, KnownActors, STATE, item_columns,
};

/// All items of the lists with these numbers.
pub(super) static ITEMS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT item.checklist, {} \
         FROM (SELECT $1::text AS tenant, number FROM unnest($2::bigint[]) AS number OFFSET 0) AS wanted \
         JOIN item ON item.tenant = wanted.tenant AND item.checklist = wanted.number",
        selected()
    )
});

/// All items of the lists of three arrays (type, object, purpose).
pub(super) static ITEMS_OF: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT item.checklist, {} \
         FROM (SELECT c.tenant, c.number FROM (SELECT $1::text AS tenant, * \
               FROM unnest($2::text[], $3::text[], $4::text[]) \
                   AS wanted (object_type, object_id, purpose) OFFSET 0) AS wanted \
             JOIN checklist c ON c.tenant = wanted.tenant AND c.object_type = wanted.object_type \
                  AND c.object_id = wanted.object_id AND c.purpose = wanted.purpose OFFSET 0) AS list \
         JOIN item ON item.tenant = list.tenant AND item.checklist = list.number",
        selected()
    )
});

fn selected() -> String {
    item_columns::list(item_columns::all(), |_, name, _| format!("item.{name}"))
}

/// Inserts new items.
pub(super) static INSERT_ITEMS: LazyLock<String> = LazyLock::new(|| {
    let columns = item_columns::list(item_columns::all(), |_, name, _| name.to_owned());
    let arrays = arrays(item_columns::all());
    format!(
        "INSERT INTO item (tenant, checklist, {columns}) \
         SELECT $1, * FROM unnest($2::bigint[], {arrays})"
    )
});

/// Updates the content and the state of items.
pub(super) static UPDATE_ITEMS: LazyLock<String> = LazyLock::new(|| {
    update_of(
        &[FIXED, CONTENT, STATE].concat(),
        &[CONTENT, STATE].concat(),
    )
});

/// Updates the state of items: the columns that a tick changes, none of which is indexed.
pub(super) static UPDATE_STATES: LazyLock<String> =
    LazyLock::new(|| update_of(&[&FIXED[..1], STATE].concat(), STATE));

/// An update of the columns `set` from arrays of the columns `given`. As with `arrays::all_of`, it
/// fails unless it affects as many rows as the arrays have elements.
fn update_of(given: &[(&str, &str)], set: &[(&str, &str)]) -> String {
    let set = item_columns::list(set, |_, name, _| format!("{name} = new.{name}"));
    let names = item_columns::list(given, |_, name, _| name.to_owned());
    let arrays = arrays(given);
    format!(
        "WITH met AS (UPDATE item i SET {set} \
             FROM (SELECT $1::text AS tenant, * FROM unnest($2::bigint[], {arrays}) \
                 AS new (checklist, {names}) OFFSET 0) AS new \
             WHERE i.tenant = new.tenant AND i.checklist = new.checklist AND i.id = new.id \
             RETURNING 1) SELECT 1 / (count(*) = cardinality($2))::int FROM met"
    )
}

/// The parameters from `$3` on, which are arrays.
fn arrays<'a>(columns: impl IntoIterator<Item = &'a (&'a str, &'a str)>) -> String {
    item_columns::list(columns, |index, _, kind| {
        format!("${}::{kind}[]", index + 3)
    })
}

macro_rules! declare_arrays {
    (
        fixed {
            $id:ident: $id_type:ty = $id_field:ident,
            $($fixed:ident: $fixed_type:ty = $($fixed_field:ident).+,)+
        }
        content { $($content:ident: $content_type:ty = $($content_field:ident).+,)+ }
        state { $($state:ident: $state_type:ty = $($state_field:ident).+,)+ }
    ) => {
        /// Whole items as arrays, for [`INSERT_ITEMS`] and [`UPDATE_ITEMS`].
        #[derive(Default)]
        pub(super) struct Items<'a> {
            $($fixed: Vec<<$fixed_type as ItemColumn>::Parameter<'a>>,)+
            $($content: Vec<<$content_type as ItemColumn>::Parameter<'a>>,)+
            states: States<'a>,
        }

        impl<'a> Items<'a> {
            pub(super) fn push(&mut self, list: i64, item: &'a Item) -> Result<(), PostgresError> {
                $(self.$fixed.push(<$fixed_type as ItemColumn>::parameter(&item.$($fixed_field).+)?);)+
                $(self.$content.push(<$content_type as ItemColumn>::parameter(&item.$($content_field).+)?);)+
                self.states.push(list, item)
            }

            pub(super) const fn len(&self) -> usize {
                self.states.len()
            }

            pub(super) fn parameters<'p>(&'p self, tenant: &'p &str) -> Vec<&'p (dyn ToSql + Sync)> {
                let states = &self.states;
                vec![
                    tenant,
                    &states.checklist,
                    &states.$id,
                    $(&self.$fixed,)+
                    $(&self.$content,)+
                    $(&states.$state,)+
                ]
            }
        }

        /// The state of items as arrays, for [`UPDATE_STATES`].
        #[derive(Default)]
        pub(super) struct States<'a> {
            checklist: Vec<i64>,
            $id: Vec<<$id_type as ItemColumn>::Parameter<'a>>,
            $($state: Vec<<$state_type as ItemColumn>::Parameter<'a>>,)+
        }

        impl<'a> States<'a> {
            pub(super) fn push(&mut self, list: i64, item: &'a Item) -> Result<(), PostgresError> {
                self.checklist.push(list);
                self.$id.push(<$id_type as ItemColumn>::parameter(&item.$id_field)?);
                $(self.$state.push(<$state_type as ItemColumn>::parameter(&item.$($state_field).+)?);)+
                Ok(())
            }

            pub(super) const fn len(&self) -> usize {
                self.checklist.len()
            }

            pub(super) fn parameters<'p>(&'p self, tenant: &'p &str) -> Vec<&'p (dyn ToSql + Sync)> {
                vec![tenant, &self.checklist, &self.$id, $(&self.$state),+]
            }
        }
    };
}
item_columns!(declare_arrays);

/// Items by the number of their list, or why they cannot be read.
pub(super) type ItemsByList = HashMap<i64, Result<Vec<Item>, PostgresError>>;

/// Groups a result of [`ITEMS`] or [`ITEMS_OF`] by the number of the list.
pub(super) fn items(rows: &[Row]) -> Result<ItemsByList, PostgresError> {
    let mut lists = ItemsByList::new();
    let mut known_actors = KnownActors::default();
    for row in rows {
        let list = lists.entry(get(row, 0)?).or_insert_with(|| Ok(Vec::new()));
        if let Ok(items) = list {
            let mut reader = RowReader { row, known_actors };
            match item_columns::load(&mut reader, 1) {
                Ok(item) => items.push(item),
                Err(error) => *list = Err(error),
            }
            known_actors = reader.known_actors;
        }
    }
    Ok(lists)
}

struct RowReader<'a> {
    row: &'a Row,
    known_actors: KnownActors,
}

impl ItemReader for RowReader<'_> {
    type Error = PostgresError;

    fn uuid(&self, column: usize) -> Result<Option<Uuid>, PostgresError> {
        get(self.row, column)
    }

    fn integer(&self, column: usize) -> Result<Option<i64>, PostgresError> {
        get(self.row, column)
    }

    fn boolean(&self, column: usize) -> Result<bool, PostgresError> {
        get(self.row, column)
    }

    fn text(&self, column: usize) -> Result<Option<&str>, PostgresError> {
        get(self.row, column)
    }

    fn known_actors(&mut self) -> &mut KnownActors {
        &mut self.known_actors
    }

    fn error(column: usize, what: &dyn std::fmt::Display) -> PostgresError {
        column_error(column, what)
    }
}
