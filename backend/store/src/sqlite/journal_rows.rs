//! The rows of the journal: begins and continues entries.
//!
//! `list_write` writes them in the transaction of the change. The cursor is the position of an
//! entry; continuing an entry moves it to a new cursor.

use std::collections::HashMap;

use checklist_shared::item::Actor;
use checklist_shared::progress::Counts;
use checklist_shared::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::columns::{get_json, get_u64, int};
use super::list_rows::ListLogs;
use crate::journal::{Tail, author};

/// The newest cursors that this process has read or written, by tenant.
pub(super) type Cursors = HashMap<String, u64>;

/// The journal part of an operation.
pub(super) struct Addition<'a> {
    pub(super) tenant: &'a str,
    pub(super) checklist: i64,
    pub(super) actor: &'a Actor,
    /// The actor as JSON.
    pub(super) actor_json: &'a str,
    pub(super) at: Timestamp,
    pub(super) counts: Counts,
    /// The number of audit rows of the operation.
    pub(super) events: u64,
    /// The sequence number of the last of them.
    pub(super) audit_sequence: u64,
}

/// The newest cursor of a tenant's journal.
pub(super) fn newest(connection: &Connection, tenant: &str) -> Result<u64> {
    connection
        .prepare_cached("SELECT coalesce(max(cursor), 0) FROM journal WHERE tenant = ?1")?
        .query_row([tenant], |row| get_u64(row, 0))
}

/// Writes an entry at `cursor`. Continues the list's newest entry if actor and time permit;
/// otherwise begins one whose id is the cursor. Returns what the next operation needs to continue
/// it.
pub(super) fn write(
    connection: &Connection,
    cursor: u64,
    logs: &ListLogs,
    addition: &Addition<'_>,
) -> Result<Tail> {
    let applicable = addition.counts.total - addition.counts.not_applicable;
    if let Some(tail) = newest_open(connection, logs, addition)? {
        let events = tail.events + addition.events;
        connection
            .prepare_cached(
                "UPDATE journal SET cursor = ?3, continued_at = ?4, done = ?5, applicable = ?6, events = ?7,
                        audit_sequence = ?8
                 WHERE tenant = ?1 AND cursor = ?2",
            )?
            .execute(params![
                addition.tenant,
                int(logs.journal_cursor),
                int(cursor),
                addition.at.as_millis(),
                addition.counts.done,
                applicable,
                int(events),
                int(addition.audit_sequence),
            ])?;
        return Ok(Tail { events, ..tail });
    }
    connection
        .prepare_cached(
            "INSERT INTO journal (tenant, cursor, id, list_previous, checklist, actor, started_at, continued_at, done,
                                  applicable, events, audit_sequence)
             VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            addition.tenant,
            int(cursor),
            int(logs.journal_cursor),
            addition.checklist,
            addition.actor_json,
            addition.at.as_millis(),
            addition.counts.done,
            applicable,
            int(addition.events),
            int(addition.audit_sequence),
        ])?;
    Ok(Tail {
        author: author(addition.actor),
        started_at: addition.at.as_millis(),
        events: addition.events,
    })
}

/// The list's newest entry, if the addition may continue it.
fn newest_open(
    connection: &Connection,
    logs: &ListLogs,
    addition: &Addition<'_>,
) -> Result<Option<Tail>> {
    if !logs.journal_open {
        return Ok(None);
    }
    let tail = match &logs.journal_tail {
        Some(tail) => Some(tail.clone()),
        None => tail(connection, addition.tenant, logs.journal_cursor)?,
    };
    Ok(tail.filter(|tail| tail.takes(addition.actor, addition.at.as_millis(), addition.events)))
}

fn tail(connection: &Connection, tenant: &str, cursor: u64) -> Result<Option<Tail>> {
    connection
        .prepare_cached(
            "SELECT actor, started_at, events FROM journal WHERE tenant = ?1 AND cursor = ?2",
        )?
        .query_row(params![tenant, int(cursor)], |row| {
            Ok(Tail {
                author: author(&get_json::<Actor>(row, 0)?),
                started_at: row.get(1)?,
                events: get_u64(row, 2)?,
            })
        })
        .optional()
}
