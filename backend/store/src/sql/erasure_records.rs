//! Names and texts outside of lists and the audit trail, as far as they are erased: the journal, remembered
//! answers, deliveries, runs, templates, connections and keys.

use checklist_shared::item::{Actor, ActorSource};
use checklist_shared::time::Timestamp;

use super::row::Column;
use super::{Dialect, DialectSql, Row, Session, Value, json, values};
use crate::directory::ErasedPerson;
use crate::store::StoreError;

/// A column with the JSON of an actor: which actors are in it, and how one is replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActorColumn {
    actors: &'static str,
    replace: &'static str,
}

/// The actors of the journal.
pub(crate) const JOURNAL: ActorColumn = ActorColumn {
    actors: r"SELECT DISTINCT actor FROM journal
         WHERE tenant = $1 AND continued_at < $3 AND actor LIKE $2 ESCAPE '\'",
    replace: "UPDATE journal SET actor = $3
         WHERE tenant = $1 AND actor = $2 AND continued_at < $4",
};

/// Who published versions of templates.
pub(crate) const PUBLISHERS: ActorColumn = ActorColumn {
    actors: r"SELECT DISTINCT published_by FROM template_version
         WHERE tenant = $1 AND published_at < $3 AND published_by LIKE $2 ESCAPE '\'",
    replace: "UPDATE template_version SET published_by = $3
         WHERE tenant = $1 AND published_by = $2 AND published_at < $4",
};

/// The actors whose JSON matches a pattern of `LIKE`, and who did something before a moment.
pub(crate) async fn actors<S: Session>(
    session: &mut S,
    column: ActorColumn,
    tenant: &str,
    pattern: &str,
    before: Timestamp,
) -> Result<Vec<String>, StoreError> {
    session
        .query_map(column.actors, values![tenant, pattern, before], |row| {
            row.get_text(0).map(str::to_owned)
        })
        .await
}

/// Puts an erased actor in the place of these, for what they did before a moment.
pub(crate) async fn erase_actors<S: Session>(
    session: &mut S,
    column: ActorColumn,
    tenant: &str,
    actors: &[String],
    before: Timestamp,
) -> Result<u64, StoreError> {
    let erased = json(&Actor::erased())?;
    let parameters: Vec<_> = actors
        .iter()
        .map(|actor| values![tenant, actor, &erased, before])
        .collect();
    session.execute_each(column.replace, &parameters).await
}

/// The number of documents that are read at a time.
pub(crate) const PAGE: u32 = 500;

/// JSON documents that may name a person, and how one is replaced. The first column of a row is its
/// place in the order in which they are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Documents {
    read: DialectSql,
    replace: DialectSql,
    /// Before the first one.
    start: fn(Dialect) -> Column,
}

fn before_texts(_: Dialect) -> Column {
    Column::Text(String::new())
}

/// Before all row numbers of SQLite, and before all keys of PostgreSQL.
fn before_operations(dialect: Dialect) -> Column {
    match dialect {
        Dialect::Sqlite => Column::Integer(i64::MIN),
        Dialect::Postgres => Column::Bytes(Vec::new()),
    }
}

const fn both(sql: &'static str) -> DialectSql {
    DialectSql {
        sqlite: sql,
        postgres: sql,
    }
}

/// Bodies of deliveries.
pub(crate) const DELIVERIES: Documents = Documents {
    read: both(
        "SELECT id, body FROM webhook_delivery WHERE tenant = $1 AND id > $2 ORDER BY id LIMIT $3",
    ),
    replace: both("UPDATE webhook_delivery SET body = $3 WHERE tenant = $1 AND id = $2"),
    start: before_texts,
};

/// Plans of runs.
pub(crate) const RUNS: Documents = Documents {
    read: both(
        "SELECT id, plan FROM workflow_run WHERE tenant = $1 AND id > $2 ORDER BY id LIMIT $3",
    ),
    replace: both("UPDATE workflow_run SET plan = $3 WHERE tenant = $1 AND id = $2"),
    start: before_texts,
};

/// Plans of runs of `ApplyTemplate`.
pub(crate) const TEMPLATE_RUNS: Documents = Documents {
    read: both(
        "SELECT id, plan FROM template_run WHERE tenant = $1 AND id > $2 ORDER BY id LIMIT $3",
    ),
    replace: both("UPDATE template_run SET plan = $3 WHERE tenant = $1 AND id = $2"),
    start: before_texts,
};

/// Remembered answers with their undo records, packed.
pub(crate) const OPERATIONS: Documents = Documents {
    read: DialectSql {
        sqlite: "SELECT number, packed FROM operation WHERE number > $2 AND tenant = $1
             ORDER BY number LIMIT $3",
        postgres: "SELECT key, packed FROM operation WHERE tenant = $1 AND key > $2
             ORDER BY key LIMIT $3",
    },
    replace: DialectSql {
        sqlite: "UPDATE operation SET packed = $3 WHERE tenant = $1 AND number = $2",
        postgres: "UPDATE operation SET packed = $3 WHERE tenant = $1 AND key = $2",
    },
    start: before_operations,
};

fn value(column: &Column) -> Value<'_> {
    match column {
        Column::Null => Value::Null,
        Column::Integer(value) => Value::Integer(*value),
        Column::Text(value) => Value::Text(value),
        Column::Bytes(value) => Value::Bytes(value),
    }
}

/// Documents after a place; `None` is before the first one.
pub(crate) async fn documents<S: Session>(
    session: &mut S,
    documents: Documents,
    tenant: &str,
    after: Option<&Column>,
) -> Result<Vec<Row>, StoreError> {
    let start = (documents.start)(S::DIALECT);
    let after = value(after.unwrap_or(&start));
    let parameters = vec![Value::Text(tenant), after, Value::from(PAGE)];
    session
        .query(documents.read.of(S::DIALECT), parameters)
        .await
}

/// Replaces documents.
pub(crate) async fn replace<S: Session>(
    session: &mut S,
    documents: Documents,
    tenant: &str,
    replaced: &[(Column, Column)],
) -> Result<u64, StoreError> {
    let parameters: Vec<_> = replaced
        .iter()
        .map(|(place, document)| vec![Value::Text(tenant), value(place), value(document)])
        .collect();
    session
        .execute_each(documents.replace.of(S::DIALECT), &parameters)
        .await
}

/// Forgets who made keys and webhooks, whose connections are whose, and what waits for the person.
pub(crate) async fn forget_person<S: Session>(
    session: &mut S,
    person: &ErasedPerson,
    names: &[String],
) -> Result<u64, StoreError> {
    let tenant = &person.tenant;
    let by_name: Vec<_> = names.iter().map(|name| values![tenant, name]).collect();
    let mut forgotten = 0;
    for sql in [
        "UPDATE api_key SET created_by = '' WHERE tenant = $1 AND created_by = $2",
        "UPDATE webhook SET created_by = '' WHERE tenant = $1 AND created_by = $2",
    ] {
        forgotten += session.execute_each(sql, &by_name).await?;
    }
    let identities = [ActorSource::EmbedToken, ActorSource::IdentityProvider].map(|source| {
        Actor::person(&person.subject, "")
            .vouched_for_by(source, Some(&person.issuer))
            .identity()
    });
    let by_identity: Vec<_> = identities
        .iter()
        .map(|identity| values![tenant, identity])
        .collect();
    for sql in [
        "UPDATE service_connection SET owner = '', owner_name = ''
             WHERE tenant = $1 AND owner = $2",
        "DELETE FROM connection_handle WHERE tenant = $1 AND actor = $2",
        "DELETE FROM pending_consent WHERE tenant = $1 AND actor = $2",
    ] {
        forgotten += session.execute_each(sql, &by_identity).await?;
    }
    Ok(forgotten)
}
