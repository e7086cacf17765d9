//! The rows of the journal: begins and continues entries, reads pages.
//!
//! `list_write` writes them in the transaction of the change. The cursor is the position of an
//! entry; continuing an entry moves it to a new cursor. Its events are audit rows of its list, and
//! its sentence is made when it is read.

use std::collections::HashMap;

use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::item::Actor;
use checklist_shared::progress::Counts;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{JournalEntry, JournalPage};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{get_json, get_time, get_u32, get_u64, int, parse};
use super::list_rows::ListLogs;
use super::logs;
use crate::journal::{Tail, author, sentence};
use crate::store::LogFilter;

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

/// A page of entries.
pub(super) fn page(
    connection: &Connection,
    tenant: &str,
    filter: &LogFilter,
) -> Result<JournalPage> {
    let (rows, more) = logs::page(connection, &LOG_QUERIES, tenant, filter, entry_row)?;
    let mut entries = Vec::with_capacity(rows.len());
    for EntryRow {
        mut entry,
        done,
        applicable,
        events: count,
        audit_sequence,
    } in rows
    {
        entry.events = events(connection, tenant, audit_sequence, count)?;
        entry.text = sentence(&entry.events, done, applicable);
        entries.push(entry);
    }
    let cursor = entries.last().map_or(filter.after, |entry| entry.cursor);
    Ok(JournalPage {
        entries,
        cursor,
        more,
    })
}

/// Scans the journal from the cursor. The arguments are the comparison with the cursor and the
/// order.
macro_rules! of_tenant {
    ($past:literal, $order:literal) => {
        concat!(
            "SELECT j.cursor, j.id, c.object_type, c.object_id, c.purpose, j.actor, j.started_at, j.continued_at, j.done,
                    j.applicable, j.events, j.audit_sequence
             FROM journal j
             CROSS JOIN checklist c ON c.number = j.checklist AND c.tenant = j.tenant
             WHERE j.tenant = ?1 AND j.cursor ", $past, " ?2
               AND (?4 IS NULL OR c.object_type = ?4) AND (?5 IS NULL OR c.object_id = ?5)
               AND (?6 IS NULL OR c.purpose = ?6)
               AND (?8 IS NULL OR j.continued_at >= ?8) AND (?9 IS NULL OR j.started_at < ?9) AND ",
            logs::covered!("c"),
            " ORDER BY j.cursor ", $order, " LIMIT ?3"
        )
    };
}

/// Walks back from the newest entry of each list of the object, down to `floor`.
macro_rules! of_object {
    ($floor:literal, $past:literal, $order:literal) => {
        concat!(
            "WITH RECURSIVE trail (cursor) AS (
                 SELECT c.journal_cursor FROM checklist c
                 WHERE c.tenant = ?1 AND c.journal_cursor > ", $floor, "
                   AND (?4 IS NULL OR c.object_type = ?4) AND c.object_id = ?5
                   AND (?6 IS NULL OR c.purpose = ?6) AND ",
            logs::covered!("c"),
            "    UNION ALL
                 SELECT j.list_previous FROM trail
                 JOIN journal j ON j.tenant = ?1 AND j.cursor = trail.cursor
                 WHERE j.list_previous > ", $floor, "
             )
             SELECT j.cursor, j.id, c.object_type, c.object_id, c.purpose, j.actor, j.started_at, j.continued_at, j.done,
                    j.applicable, j.events, j.audit_sequence
             FROM trail
             CROSS JOIN journal j ON j.tenant = ?1 AND j.cursor = trail.cursor
             CROSS JOIN checklist c ON c.number = j.checklist AND c.tenant = j.tenant
             WHERE j.cursor ", $past, " ?2
               AND (?8 IS NULL OR j.continued_at >= ?8) AND (?9 IS NULL OR j.started_at < ?9)
             ORDER BY j.cursor ", $order, " LIMIT ?3"
        )
    };
}

const LOG_QUERIES: logs::LogQueries = logs::LogQueries {
    of_object: logs::OrderedQueries {
        oldest_first: of_object!("?2", ">", "ASC"),
        newest_first: of_object!("0", "<", "DESC"),
    },
    of_tenant: logs::OrderedQueries {
        oldest_first: of_tenant!(">", "ASC"),
        newest_first: of_tenant!("<", "DESC"),
    },
    of_lists: None,
    of_administration: None,
};

/// The row of an entry.
struct EntryRow {
    entry: JournalEntry,
    done: u32,
    applicable: u32,
    events: u64,
    audit_sequence: u64,
}

fn entry_row(row: &Row<'_>) -> Result<EntryRow> {
    let context = Context::new(
        row.get_ref(2)?.as_str()?,
        row.get_ref(3)?.as_str()?,
        row.get_ref(4)?.as_str()?,
    );
    let entry = JournalEntry {
        cursor: get_u64(row, 0)?,
        id: get_u64(row, 1)?,
        context,
        actor: get_json(row, 5)?,
        from: get_time(row, 6)?,
        until: get_time(row, 7)?,
        text: String::new(),
        events: Vec::new(),
    };
    Ok(EntryRow {
        entry,
        done: get_u32(row, 8)?,
        applicable: get_u32(row, 9)?,
        events: get_u64(row, 10)?,
        audit_sequence: get_u64(row, 11)?,
    })
}

/// The last `count` events of a list up to that audit row, in order.
fn events(connection: &Connection, tenant: &str, sequence: u64, count: u64) -> Result<Vec<Event>> {
    connection
        .prepare_cached(
            "WITH RECURSIVE back (sequence, list_previous, event, place) AS (
                 SELECT sequence, list_previous, event, 1 FROM audit WHERE tenant = ?1 AND sequence = ?2
                 UNION ALL
                 SELECT a.sequence, a.list_previous, a.event, back.place + 1
                 FROM back JOIN audit a ON a.tenant = ?1 AND a.sequence = back.list_previous
                 WHERE back.place < ?3
             )
             SELECT event FROM back ORDER BY sequence",
        )?
        .query_map(params![tenant, int(sequence), int(count)], |row| {
            parse(row.get_ref(0)?.as_str()?, 0)
        })?
        .collect()
}
