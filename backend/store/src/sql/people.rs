//! The rows of people.

use super::Row;
use crate::directory::UserRecord;
use crate::store::StoreError;

/// The columns of a person; `p` is the alias of the table.
macro_rules! person {
    () => {
        "p.tenant, p.issuer, p.subject, p.name, p.roles, p.disabled, p.created_at, p.epoch"
    };
}
pub(super) use person;

/// The person in a row that begins with these columns.
pub(super) fn person_of(row: &Row) -> Result<UserRecord, StoreError> {
    Ok(UserRecord {
        tenant: row.get_text(0)?.to_owned(),
        issuer: row.get_text(1)?.to_owned(),
        subject: row.get_text(2)?.to_owned(),
        name: row.get_text(3)?.to_owned(),
        roles: row.get_json(4)?,
        disabled: row.get_bool(5)?,
        created_at: row.get_time(6)?,
        epoch: row.get_time(7)?,
    })
}
