//! The audit trail's rows: appending to the chain, reading a page, verifying the whole.
//!
//! Appended by `list_write` in the transaction of the change. The hash covers actor and event
//! exactly as they stand in their columns, so verifying never depends on how JSON is written.

use std::collections::HashMap;

use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{AuditPage, AuditRow};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{get_json, get_time, get_u64, int, json};
use super::list_rows::ListKey;
use super::logs::{self, scope_json};
use crate::audit::{AuditFields, Break, FIRST, Verdict};
use crate::storage::store::LogFilter;

/// The end of a tenant's chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) sequence: u64,
    pub(super) hash: [u8; 32],
}

/// The ends of the chains that this run of the server has seen.
pub(super) type Heads = HashMap<String, Head>;

/// What all events of one operation have in common.
pub(super) struct Operation<'a> {
    pub(super) list: &'a ListKey,
    pub(super) number: i64,
    pub(super) revision: u64,
    pub(super) operation_id: Option<&'a str>,
    pub(super) actor: &'a str,
    pub(super) at: Timestamp,
}

/// Where a tenant's chain ends.
pub(super) fn head(connection: &Connection, tenant: &str) -> Result<Head> {
    let newest = connection
        .prepare_cached(
            "SELECT sequence, hash FROM audit WHERE tenant = ?1 ORDER BY sequence DESC LIMIT 1",
        )?
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

/// Appends one row an event; returns the new end of the chain.
pub(super) fn append(
    connection: &Connection,
    mut head: Head,
    operation: &Operation<'_>,
    events: &[Event],
) -> Result<Head> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO audit (tenant, sequence, checklist, object_type, object_id, purpose, revision, operation_id,
                            actor, at, event, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?;
    for event in events {
        let event = json(event)?;
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
            event: &event,
        };
        head = Head {
            sequence: fields.sequence,
            hash: fields.hash(&head.hash),
        };
        statement.execute(params![
            fields.tenant,
            int(fields.sequence),
            operation.number,
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
    }
    Ok(head)
}

/// A page of the trail, oldest first.
pub(super) fn page(connection: &Connection, tenant: &str, filter: &LogFilter) -> Result<AuditPage> {
    // With an object named, its few lists lead to the rows; otherwise the trail is walked.
    let sql = if filter.object_id.is_some() {
        AUDIT_OF_OBJECT
    } else {
        AUDIT_OF_TENANT
    };
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement
        .query_map(
            params![
                tenant,
                int(filter.after),
                i64::from(filter.limit) + 1,
                filter.object_type,
                filter.object_id,
                filter.purpose,
                scope_json(&filter.scope)?,
            ],
            audit_row,
        )?
        .collect::<Result<Vec<_>>>()?;
    let more = logs::cut(&mut rows, filter.limit);
    let cursor = rows.last().map_or(filter.after, |row| row.sequence);
    Ok(AuditPage { rows, cursor, more })
}

const AUDIT_OF_TENANT: &str = concat!(
    "SELECT a.sequence, a.object_type, a.object_id, a.purpose, a.revision, a.operation_id, a.actor, a.at, a.event,
            a.hash, before.hash
     FROM audit a
     LEFT JOIN audit before ON before.tenant = a.tenant AND before.sequence = a.sequence - 1
     WHERE a.tenant = ?1 AND a.sequence > ?2
       AND (?4 IS NULL OR a.object_type = ?4) AND (?5 IS NULL OR a.object_id = ?5)
       AND (?6 IS NULL OR a.purpose = ?6) AND ",
    logs::covered!("a"),
    " ORDER BY a.sequence LIMIT ?3"
);

const AUDIT_OF_OBJECT: &str = concat!(
    "SELECT a.sequence, a.object_type, a.object_id, a.purpose, a.revision, a.operation_id, a.actor, a.at, a.event,
            a.hash, before.hash
     FROM checklist c
     CROSS JOIN audit a ON a.tenant = c.tenant AND a.checklist = c.number AND a.sequence > ?2
     LEFT JOIN audit before ON before.tenant = a.tenant AND before.sequence = a.sequence - 1
     WHERE c.tenant = ?1
       AND (?4 IS NULL OR c.object_type = ?4) AND c.object_id = ?5
       AND (?6 IS NULL OR c.purpose = ?6) AND ",
    logs::covered!("c"),
    " ORDER BY a.sequence LIMIT ?3"
);

fn audit_row(row: &Row<'_>) -> Result<AuditRow> {
    let hash: [u8; 32] = row.get(9)?;
    let before: Option<[u8; 32]> = row.get(10)?;
    let context = Context::new(
        row.get_ref(1)?.as_str()?,
        row.get_ref(2)?.as_str()?,
        row.get_ref(3)?.as_str()?,
    );
    Ok(AuditRow {
        sequence: get_u64(row, 0)?,
        context,
        revision: get_u64(row, 4)?,
        operation_id: row.get(5)?,
        actor: get_json(row, 6)?,
        at: get_time(row, 7)?,
        event: get_json(row, 8)?,
        previous_hash: hex(&before.unwrap_or(FIRST)),
        hash: hex(&hash),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The tenants with a trail.
pub(super) fn tenants(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare_cached("SELECT DISTINCT tenant FROM audit ORDER BY tenant")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Walks a tenant's whole chain and stops at the first row that is not what was written. Also
/// told when the end is missing: a list whose newest revision has no row.
pub(super) fn verify(connection: &Connection, tenant: &str) -> Result<Verdict> {
    let mut verdict = Verdict {
        tenant: tenant.to_owned(),
        rows: 0,
        broken: None,
    };
    let mut previous = FIRST;
    let mut statement = connection.prepare_cached(
        "SELECT sequence, object_type, object_id, purpose, revision, operation_id, actor, at, event, hash
         FROM audit WHERE tenant = ?1 ORDER BY sequence",
    )?;
    let mut rows = statement.query([tenant])?;
    while let Some(row) = rows.next()? {
        let fields = AuditFields {
            tenant,
            sequence: get_u64(row, 0)?,
            object_type: row.get_ref(1)?.as_str()?,
            object_id: row.get_ref(2)?.as_str()?,
            purpose: row.get_ref(3)?.as_str()?,
            revision: get_u64(row, 4)?,
            operation_id: row.get_ref(5)?.as_str_or_null()?,
            actor: row.get_ref(6)?.as_str()?,
            at: row.get(7)?,
            event: row.get_ref(8)?.as_str()?,
        };
        let expected = verdict.rows + 1;
        if fields.sequence != expected {
            let reason = format!("row {expected} is missing");
            verdict.broken = Some(Break {
                sequence: expected,
                reason,
            });
            return Ok(verdict);
        }
        let stored: Option<[u8; 32]> = row.get(9).ok();
        if stored != Some(fields.hash(&previous)) {
            let reason = "the row is not what was written, or the row before is another".to_owned();
            verdict.broken = Some(Break {
                sequence: expected,
                reason,
            });
            return Ok(verdict);
        }
        previous = fields.hash(&previous);
        verdict.rows = expected;
    }
    let lost: Option<(String, String, i64)> = connection
        .prepare_cached(
            "SELECT c.object_type, c.object_id, c.revision FROM checklist c
             WHERE c.tenant = ?1 AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.tenant = c.tenant
                   AND a.checklist = c.number AND a.revision = c.revision)
             LIMIT 1",
        )?
        .query_row([tenant], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    if let Some((object_type, object_id, revision)) = lost {
        let reason =
            format!("revision {revision} of a list of {object_type} {object_id} has no row");
        verdict.broken = Some(Break {
            sequence: verdict.rows + 1,
            reason,
        });
    }
    Ok(verdict)
}
