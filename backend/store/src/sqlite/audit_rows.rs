//! The rows of the audit trail: appends to the chain.
//!
//! `list_write` appends in the transaction of the change. The hash covers actor and event byte by
//! byte as they are stored, so verification does not depend on how JSON is serialized.

use std::collections::HashMap;

use checklist_shared::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::columns::{get_u64, int};
use crate::act::ActRow;
use crate::audit::{AuditFields, FIRST};
use crate::list_key::ListKey;

/// The end of a tenant's chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) sequence: u64,
    pub(super) hash: [u8; 32],
}

/// The chain ends that this process has read or written.
pub(super) type Heads = HashMap<String, Head>;

/// What all events of one operation have in common.
pub(super) struct Operation<'a> {
    pub(super) list: &'a ListKey,
    /// The newest row of the same list so far.
    pub(super) list_previous: u64,
    pub(super) revision: u64,
    pub(super) operation_id: Option<&'a str>,
    pub(super) actor: &'a str,
    pub(super) at: Timestamp,
}

/// The end of a tenant's chain. It is stored apart from the rows, so that truncated rows are
/// detected.
pub(super) fn head(connection: &Connection, tenant: &str) -> Result<Head> {
    let newest = connection
        .prepare_cached("SELECT sequence, hash FROM audit_head WHERE tenant = ?1")?
        .query_row([tenant], |row| {
            Ok(Head {
                sequence: get_u64(row, 0)?,
                hash: row.get(1)?,
            })
        })
        .optional()?;
    Ok(newest.unwrap_or(Head {
        sequence: 0,
        hash: FIRST,
    }))
}

/// Appends one row per event, each given as JSON. Returns the new end of the chain.
pub(super) fn append(
    connection: &Connection,
    mut head: Head,
    operation: &Operation<'_>,
    events: &[String],
) -> Result<Head> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO audit (tenant, sequence, list_previous, object_type, object_id, purpose, revision, operation_id,
                            actor, at, event, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    let mut list_previous = operation.list_previous;
    for event in events {
        let fields = AuditFields {
            tenant: &operation.list.tenant,
            sequence: head.sequence + 1,
            object_type: &operation.list.object_type,
            object_id: &operation.list.object_id,
            purpose: &operation.list.purpose,
            revision: operation.revision,
            operation_id: operation.operation_id,
            actor: operation.actor,
            at: operation.at.as_millis(),
            event,
        };
        head = Head {
            sequence: fields.sequence,
            hash: fields.hash(&head.hash),
        };
        statement.execute(params![
            fields.tenant,
            int(fields.sequence),
            int(list_previous),
            fields.object_type,
            fields.object_id,
            fields.purpose,
            int(fields.revision),
            fields.operation_id,
            fields.actor,
            fields.at,
            fields.event,
            head.hash,
        ])?;
        list_previous = head.sequence;
    }
    Ok(head)
}

/// Appends the row of an administrator's act; the columns for a list are empty. Returns the new end
/// of the chain.
pub(super) fn append_act(connection: &Connection, head: Head, row: &ActRow<'_>) -> Result<Head> {
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
    append(connection, head, &operation, &[row.act.to_owned()])
}

/// Stores the end of a tenant's chain.
pub(super) fn note_head(connection: &Connection, tenant: &str, head: &Head) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO audit_head (tenant, sequence, hash) VALUES (?1, ?2, ?3)
             ON CONFLICT (tenant) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash",
        )?
        .execute(params![tenant, int(head.sequence), head.hash])
}

/// The tenants that have an audit trail, or should have one: those with a stored chain end, and
/// those with lists. The query does not use the rows of the trail, which may be gone.
pub(super) fn tenants(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare_cached(
            "SELECT tenant FROM audit_head UNION SELECT DISTINCT tenant FROM checklist
             UNION SELECT DISTINCT tenant FROM audit ORDER BY 1",
        )?
        .query_map([], |row| row.get(0))?
        .collect()
}
