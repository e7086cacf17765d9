//! The rows of the audit trail: appends.
//!
//! `list_write` appends in the transaction of the change.

use std::collections::HashMap;

use checklist_shared::audit_trail::leaf::Leaf;
use checklist_shared::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::columns::{get_u64, int};
use crate::act::ActRow;
use crate::audit::{Committed, NewEvent};
use crate::list_key::ListKey;

/// The newest row of each tenant that this process has read or written.
pub(super) type Heads = HashMap<String, u64>;

/// What all events of one operation have in common.
pub(super) struct Operation<'a> {
    pub(super) list: &'a ListKey,
    /// The newest row of the same list so far.
    pub(super) list_previous: u64,
    pub(super) revision: u64,
    pub(super) operation_id: Option<&'a str>,
    pub(super) actor: &'a Committed,
    pub(super) at: Timestamp,
}

/// The number of a tenant's newest row, 0 without any. It is stored apart from the rows, so that
/// rows that were cut off are missed, and their numbers are not used again.
pub(super) fn head(connection: &Connection, tenant: &str) -> Result<u64> {
    let newest = connection
        .prepare_cached("SELECT sequence FROM audit_head WHERE tenant = ?1")?
        .query_row([tenant], |row| get_u64(row, 0))
        .optional()?;
    Ok(newest.unwrap_or(0))
}

/// Appends one row per event after the row `newest`. Returns the number of the last one.
pub(super) fn append(
    connection: &Connection,
    newest: u64,
    operation: &Operation<'_>,
    events: &[NewEvent],
) -> Result<u64> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO audit (tenant, sequence, list_previous, object_type, object_id, purpose, revision, operation_id,
                            actor, actor_salt, at, event, words, words_salt, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    )?;
    let mut sequence = newest;
    let mut list_previous = operation.list_previous;
    for NewEvent { event, words } in events {
        sequence += 1;
        let leaf = Leaf {
            sequence,
            list_previous,
            revision: operation.revision,
            at: operation.at.as_millis(),
            tenant: &operation.list.tenant,
            object_type: &operation.list.object_type,
            object_id: &operation.list.object_id,
            purpose: &operation.list.purpose,
            operation_id: operation.operation_id,
            event,
            actor: &operation.actor.commitment,
            words: &words.commitment,
        };
        statement.execute(params![
            leaf.tenant,
            int(leaf.sequence),
            int(leaf.list_previous),
            leaf.object_type,
            leaf.object_id,
            leaf.purpose,
            int(leaf.revision),
            leaf.operation_id,
            operation.actor.value,
            operation.actor.salt,
            leaf.at,
            leaf.event,
            words.value,
            words.salt,
            leaf.hash(),
        ])?;
        list_previous = sequence;
    }
    Ok(sequence)
}

/// Appends the row of an administrator's act; the columns for a list are empty. Returns its number.
pub(super) fn append_act(connection: &Connection, newest: u64, row: &ActRow<'_>) -> Result<u64> {
    let list = ListKey {
        tenant: row.tenant.to_owned(),
        object_type: String::new(),
        object_id: String::new(),
        purpose: String::new(),
    };
    let operation = Operation {
        list: &list,
        list_previous: 0,
        revision: 0,
        operation_id: None,
        actor: row.actor,
        at: row.at,
    };
    // No row of an act leads to another.
    append(
        connection,
        newest,
        &operation,
        std::slice::from_ref(row.act),
    )
}

/// Stores the number of a tenant's newest row.
pub(super) fn note_head(connection: &Connection, tenant: &str, newest: u64) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO audit_head (tenant, sequence) VALUES (?1, ?2)
             ON CONFLICT (tenant) DO UPDATE SET sequence = excluded.sequence",
        )?
        .execute(params![tenant, int(newest)])
}

/// The tenants of a table, one lookup each: a `DISTINCT` would read the whole table.
macro_rules! tenants_of {
    ($table:literal) => {
        concat!(
            "SELECT tenant FROM (WITH RECURSIVE found (tenant) AS (
                 SELECT min(tenant) FROM ",
            $table,
            "    UNION ALL
                 SELECT (SELECT min(tenant) FROM ",
            $table,
            "        WHERE tenant > found.tenant) FROM found WHERE found.tenant IS NOT NULL)
             SELECT tenant FROM found WHERE tenant IS NOT NULL)"
        )
    };
}

/// The tenants that have an audit trail, or should have one: those with a stored end, and those with
/// lists. The query does not depend on the rows of the trail, which may be gone.
pub(super) fn tenants(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare_cached(concat!(
            "SELECT tenant FROM audit_head UNION ",
            tenants_of!("checklist"),
            " UNION ",
            tenants_of!("audit"),
            " ORDER BY 1"
        ))?
        .query_map([], |row| row.get(0))?
        .collect()
}
