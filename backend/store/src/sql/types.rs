//! The rows of types.
//!
//! Somebody may have edited the database: a row that cannot be read is a value, so that it affects
//! the lists of its own type only.

use checklist_shared::wire::admin::Type;

use super::{Row, Session, values};
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
