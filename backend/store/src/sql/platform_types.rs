//! The rows of types.
//!
//! Somebody may have edited the database: a row that cannot be read is a value, so that it affects
//! the lists of its own type only.

use checklist_shared::wire::admin::{PutType, Type};

use super::{Row, Session, WriteSession, json, values};
use crate::expected::{ExpectedState, PreconditionError};
use crate::lists::DeleteOutcome;
use crate::platform_types;
use crate::store::StoreError;

/// A type, or what is wrong with its row.
fn type_of(row: &Row) -> Result<Type, String> {
    let read = || {
        Ok(Type {
            name: row.get_text(0)?.to_owned(),
            classes: row.get_json(1)?,
            templates: row.get_json(2)?,
            always_journal: row.get_bool(3)?,
        })
    };
    read().map_err(|error: StoreError| error.to_string())
}

/// All types by name.
pub(crate) async fn all<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<(String, Result<Type, String>)>, StoreError> {
    let sql = "SELECT name, classes, templates, always_journal FROM platform_type
         WHERE tenant = $1";
    let read = |row: &Row| Ok((row.get_text(0)?.to_owned(), type_of(row)));
    session.query_map(sql, values![tenant], read).await
}

/// The type with that name, or what is wrong with its row.
pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    name: &str,
) -> Result<Option<Result<Type, String>>, StoreError> {
    let sql = "SELECT name, classes, templates, always_journal FROM platform_type
         WHERE tenant = $1 AND name = $2";
    session
        .query_opt(sql, values![tenant, name], |row| Ok(type_of(row)))
        .await
}

/// Deletes a type that no list is of.
pub(crate) async fn delete<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    name: &str,
    expected: &ExpectedState,
) -> Result<DeleteOutcome, StoreError> {
    session.lock_catalogue(tenant).await?;
    let held = match one(session, tenant, name).await? {
        None => return Ok(DeleteOutcome::Missing),
        Some(Ok(present)) => expected.hold_type(Some(&present)),
        Some(Err(_)) => expected.hold_unreadable(),
    };
    if held.is_err() {
        return Ok(DeleteOutcome::Stale);
    }
    let sql = "SELECT count(*) FROM checklist WHERE tenant = $1 AND object_type = $2";
    let lists = session
        .query_opt(sql, values![tenant, name], |row| row.get_u64(0))
        .await?
        .unwrap_or(0);
    if lists > 0 {
        let types = Vec::new();
        return Ok(DeleteOutcome::InUse { lists, types });
    }
    let sql = "DELETE FROM platform_type WHERE tenant = $1 AND name = $2";
    session.execute(sql, values![tenant, name]).await?;
    session.forget_catalogue();
    Ok(DeleteOutcome::Done)
}

/// Changes or creates a type.
pub(crate) async fn put<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    name: &str,
    change: &PutType,
    expected: &ExpectedState,
) -> Result<Result<Type, PreconditionError>, StoreError> {
    session.lock_catalogue(tenant).await?;
    let present = one(session, tenant, name).await?;
    let kind = match platform_types::apply(name, present, change, expected)? {
        Ok(kind) => kind,
        rejected => return Ok(rejected),
    };
    let (classes, templates) = (json(&kind.classes)?, json(&kind.templates)?);
    let parameters = values![
        tenant,
        &kind.name,
        &classes,
        &templates,
        kind.always_journal
    ];
    session
        .execute(
            "INSERT INTO platform_type (tenant, name, classes, templates, always_journal)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant, name) DO UPDATE
             SET classes = excluded.classes, templates = excluded.templates,
                 always_journal = excluded.always_journal",
            parameters,
        )
        .await?;
    session.forget_catalogue();
    Ok(Ok(kind))
}
