//! How a field of an item becomes a column and back, for both databases.
//!
//! An invalid value in the database is an error that names its column, not a panic: somebody may
//! have edited the database.

use std::marker::PhantomData;
use std::sync::Arc;

use checklist_shared::assignee::Assignee;
use checklist_shared::definition::DefinitionFields;
use checklist_shared::due::Due;
use checklist_shared::id::ItemId;
use checklist_shared::item::Actor;
use checklist_shared::proposal::Proposal;
use checklist_shared::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::assignee;
use crate::column_name::ColumnName;
use crate::due;
use crate::proposal::StoredProposal;
use crate::sql::row::{json, json_option};
use crate::store::StoreError;

/// A kind of column. Most are named by the type of the field.
pub(crate) trait ItemColumn {
    /// The field of the item.
    type Field;
    /// What a statement gets.
    type Parameter<'a>: rusqlite::ToSql + tokio_postgres::types::ToSql + Sync;
    /// What a row gives.
    type Loaded;
    /// The type of the column in PostgreSQL.
    const POSTGRES: &'static str;

    fn parameter(field: &Self::Field) -> Result<Self::Parameter<'_>, StoreError>;

    fn load<R: ItemReader>(row: &mut R, column: usize) -> Result<Self::Loaded, R::Error>;
}

/// A row of either database. `None` is NULL.
pub(crate) trait ItemReader {
    type Error;

    fn uuid(&self, column: usize) -> Result<Option<Uuid>, Self::Error>;
    fn integer(&self, column: usize) -> Result<Option<i64>, Self::Error>;
    fn boolean(&self, column: usize) -> Result<bool, Self::Error>;
    fn text(&self, column: usize) -> Result<Option<&str>, Self::Error>;

    /// The actors that were read last, from this row or those before.
    fn known_actors(&mut self) -> &mut KnownActors;

    /// The error for a column that cannot be read.
    fn error(column: usize, what: &dyn std::fmt::Display) -> Self::Error;
}

/// The actors that were parsed last, with their JSON: the items of a list share them. Hardly ever do
/// more than a few people work on one, and three actors of each item would be most of what is parsed
/// and allocated for it.
#[derive(Default)]
pub(crate) struct KnownActors(Vec<(String, Arc<Actor>)>);

impl KnownActors {
    /// More are not worth the search.
    const KEPT: usize = 4;

    fn of<R: ItemReader>(&mut self, text: &str, column: usize) -> Result<Arc<Actor>, R::Error> {
        if let Some((_, actor)) = self.0.iter().find(|(known, _)| known == text) {
            return Ok(Arc::clone(actor));
        }
        let actor = Arc::new(parse::<R, Actor>(text, column)?);
        if self.0.len() == Self::KEPT {
            self.0.remove(0);
        }
        self.0.push((text.to_owned(), Arc::clone(&actor)));
        Ok(actor)
    }
}

fn present<R: ItemReader, T>(value: Option<T>, column: usize) -> Result<T, R::Error> {
    value.ok_or_else(|| R::error(column, &"it is NULL"))
}

fn parse<R: ItemReader, T: DeserializeOwned>(text: &str, column: usize) -> Result<T, R::Error> {
    serde_json::from_str(text).map_err(|error| R::error(column, &error))
}

/// Implements [`ItemColumn`] for a field that is a value, and for one that may be missing.
macro_rules! columns {
    ($($type:ty: $postgres:literal, $parameter:ty,
        |$value:ident| $to:expr, |$row:ident, $column:ident| $load:expr;)+) => {$(
        impl ItemColumn for $type {
            type Field = Self;
            type Parameter<'a> = $parameter;
            type Loaded = Self;
            const POSTGRES: &'static str = $postgres;

            fn parameter($value: &Self) -> Result<Self::Parameter<'_>, StoreError> {
                Ok($to)
            }

            fn load<R: ItemReader>($row: &mut R, $column: usize) -> Result<Self, R::Error> {
                present::<R, _>($load, $column)
            }
        }

        impl ItemColumn for Option<$type> {
            type Field = Self;
            type Parameter<'a> = Option<$parameter>;
            type Loaded = Self;
            const POSTGRES: &'static str = $postgres;

            fn parameter(value: &Self) -> Result<Self::Parameter<'_>, StoreError> {
                Ok(value.as_ref().map(|$value| $to))
            }

            fn load<R: ItemReader>($row: &mut R, $column: usize) -> Result<Self, R::Error> {
                Ok($load)
            }
        }
    )+};
}

columns! {
    ItemId: "uuid", Uuid,
        |id| Uuid::from_bytes(*id.as_bytes()),
        |row, column| row.uuid(column)?.map(|id| ItemId::from_bytes(id.into_bytes()));
    String: "text", &'a str,
        |text| text.as_str(),
        |row, column| row.text(column)?.map(str::to_owned);
    Timestamp: "bigint", i64,
        |time| time.as_millis(),
        |row, column| row.integer(column)?.map(Timestamp::from_millis);
}

impl ItemColumn for bool {
    type Field = Self;
    type Parameter<'a> = Self;
    type Loaded = Self;
    const POSTGRES: &'static str = "boolean";

    fn parameter(field: &Self) -> Result<Self, StoreError> {
        Ok(*field)
    }

    fn load<R: ItemReader>(row: &mut R, column: usize) -> Result<Self, R::Error> {
        row.boolean(column)
    }
}

/// A set is its number.
impl ItemColumn for DefinitionFields {
    type Field = Self;
    type Parameter<'a> = i64;
    type Loaded = Self;
    const POSTGRES: &'static str = "bigint";

    fn parameter(field: &Self) -> Result<i64, StoreError> {
        Ok(i64::from(field.bits()))
    }

    fn load<R: ItemReader>(row: &mut R, column: usize) -> Result<Self, R::Error> {
        let value = present::<R, _>(row.integer(column)?, column)?;
        let bits = u8::try_from(value).map_err(|error| R::error(column, &error))?;
        Ok(Self::from_bits(bits))
    }
}

/// A count or version; saturates at the maximum of the databases' integers, which are signed.
impl ItemColumn for u64 {
    type Field = Self;
    type Parameter<'a> = i64;
    type Loaded = Self;
    const POSTGRES: &'static str = "bigint";

    fn parameter(field: &Self) -> Result<i64, StoreError> {
        Ok(i64::try_from(*field).unwrap_or(i64::MAX))
    }

    fn load<R: ItemReader>(row: &mut R, column: usize) -> Result<Self, R::Error> {
        let value = present::<R, _>(row.integer(column)?, column)?;
        Self::try_from(value).map_err(|error| R::error(column, &error))
    }
}

/// Implements [`ItemColumn`] for kinds of columns that have another type than the field.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $(<$of:ident: $bound:path>)?: $postgres:literal,
        $field:ty => $parameter:ty => $loaded:ty,
        |$value:ident| $to:expr, |$row:ident: $reader:ident, $column:ident| $load:expr;)+) => {$(
        $(#[$doc])*
        pub(crate) struct $name $(<$of>(PhantomData<$of>))?;

        impl $(<$of: $bound>)? ItemColumn for $name $(<$of>)? {
            type Field = $field;
            type Parameter<'a> = $parameter;
            type Loaded = $loaded;
            const POSTGRES: &'static str = $postgres;

            fn parameter($value: &$field) -> Result<Self::Parameter<'_>, StoreError> {
                $to
            }

            fn load<$reader: ItemReader>(
                $row: &mut $reader,
                $column: usize,
            ) -> Result<$loaded, $reader::Error> {
                $load
            }
        }
    )+};
}

/// What can be stored as JSON.
pub(crate) trait JsonValue: Serialize + DeserializeOwned {}

impl<T: Serialize + DeserializeOwned> JsonValue for T {}

kinds! {
    /// An enum under the name of its value.
    Named<T: ColumnName>: "text", T => &'static str => T,
        |value| Ok(value.name()),
        |row: R, column| {
            let name = present::<R, _>(row.text(column)?, column)?;
            T::by_name(name)
                .ok_or_else(|| R::error(column, &format_args!("{name} is none of ours")))
        };
    /// A value as JSON.
    Json<T: JsonValue>: "text", T => String => T,
        |value| json(value),
        |row: R, column| parse::<R, T>(present::<R, _>(row.text(column)?, column)?, column);
    /// A value as JSON, or none.
    OptionalJson<T: JsonValue>: "text", Option<T> => Option<String> => Option<T>,
        |value| json_option(value.as_ref()),
        |row: R, column| {
            row.text(column)?
                .map(|text| parse::<R, T>(text, column))
                .transpose()
        };
    /// A value that most items do not have, as JSON.
    OptionalBox<T: JsonValue>: "text", Option<Box<T>> => Option<String> => Option<Box<T>>,
        |value| json_option(value.as_deref()),
        |row: R, column| {
            row.text(column)?
                .map(|text| parse::<R, Box<T>>(text, column))
                .transpose()
        };
    /// Who did something, as JSON.
    By: "text", Arc<Actor> => String => Arc<Actor>,
        |actor| json(actor),
        |row: R, column| present::<R, _>(actor(row, column)?, column);
    /// Who did something, as JSON, or nobody.
    OptionalBy: "text", Option<Arc<Actor>> => Option<String> => Option<Arc<Actor>>,
        |actor| json_option(actor.as_ref()),
        |row: R, column| actor(row, column);
    /// What is proposed, as JSON.
    Proposed: "text", Option<Box<Proposal>> => Option<String> => Option<StoredProposal>,
        |proposal| json_option(proposal.as_deref().map(StoredProposal::from).as_ref()),
        |row: R, column| {
            row.text(column)?
                .map(|text| parse::<R, _>(text, column))
                .transpose()
        };
    /// Who proposes it, as JSON.
    ProposedBy: "text", Option<Box<Proposal>> => Option<String> => Option<Arc<Actor>>,
        |proposal| json_option(proposal.as_ref().map(|proposal| &proposal.by)),
        |row: R, column| actor(row, column);
    /// Since when it is proposed.
    ProposedAt: "bigint", Option<Box<Proposal>> => Option<i64> => Option<Timestamp>,
        |proposal| Ok(proposal.as_ref().map(|proposal| proposal.at.as_millis())),
        |row: R, column| Ok(row.integer(column)?.map(Timestamp::from_millis));
    /// Who an assignee is.
    AssigneeId: "text", Option<Assignee> => Option<&'a str> => Option<String>,
        |assignee| Ok(assignee.as_ref().map(|assignee| assignee.id.as_str())),
        |row: R, column| Ok(row.text(column)?.map(str::to_owned));
    /// The name of an assignee that is not its id.
    AssigneeName: "text", Option<Assignee> => Option<&'a str> => Option<String>,
        |assignee| Ok(assignee::name_column(assignee.as_ref())),
        |row: R, column| Ok(row.text(column)?.map(str::to_owned));
    /// The moment of a due date that is one.
    DueMoment: "bigint", Option<Due> => Option<i64> => Option<i64>,
        |due| Ok(due::to_columns(*due).0),
        |row: R, column| row.integer(column);
    /// The day of a due date that is one.
    DueDay: "bigint", Option<Due> => Option<i64> => Option<i64>,
        |due| Ok(due::to_columns(*due).1),
        |row: R, column| row.integer(column);
}

fn actor<R: ItemReader>(row: &mut R, column: usize) -> Result<Option<Arc<Actor>>, R::Error> {
    let mut known = std::mem::take(row.known_actors());
    let actor = match row.text(column) {
        Ok(Some(text)) => known.of::<R>(text, column).map(Some),
        Ok(None) => Ok(None),
        Err(error) => Err(error),
    };
    *row.known_actors() = known;
    actor
}
