//! The journal's rows: beginning and continuing entries, reading a page.
//!
//! Written by `list_write` in the transaction of the change. An entry points at the audit rows
//! of its events; its sentence is made when it is read.

use std::collections::HashMap;

use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::item::Actor;
use checklist_shared::progress::Counts;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::{JournalEntry, JournalPage};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::{get_json, get_time, get_u32, get_u64, int, parse};
use super::logs::{self, scope_json};
use crate::journal::{FOLD_EVENTS, FOLD_MILLIS, sentence};
use crate::storage::store::LogFilter;

/// The counters of a tenant's journal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counters {
    pub(super) id: u64,
    pub(super) cursor: u64,
}

/// The counters that this run of the server has seen.
pub(super) type AllCounters = HashMap<String, Counters>;

/// What an operation adds to the journal.
pub(super) struct Addition<'a> {
    pub(super) tenant: &'a str,
    pub(super) checklist: i64,
    pub(super) actor: &'a Actor,
    /// The same as JSON.
    pub(super) actor_json: &'a str,
    pub(super) at: Timestamp,
    pub(super) counts: Counts,
    /// The audit rows of the events.
    pub(super) sequences: std::ops::RangeInclusive<u64>,
}

pub(super) fn counters(connection: &Connection, tenant: &str) -> Result<Counters> {
    connection
        .prepare_cached(
            "SELECT coalesce((SELECT max(id) FROM journal WHERE tenant = ?1), 0),
                    coalesce((SELECT max(cursor) FROM journal WHERE tenant = ?1), 0)",
        )?
        .query_row([tenant], |row| {
            Ok(Counters {
                id: get_u64(row, 0)?,
                cursor: get_u64(row, 1)?,
            })
        })
}

/// Continues the list's newest entry where actor and time allow, else begins one. Returns the
/// entry's id and the counters afterwards.
pub(super) fn write(
    connection: &Connection,
    mut counters: Counters,
    newest: Option<u64>,
    addition: &Addition<'_>,
) -> Result<(u64, Counters)> {
    counters.cursor += 1;
    let events = addition.sequences.clone().count();
    let applicable = addition.counts.total - addition.counts.not_applicable;
    let entry = match newest {
        Some(entry) if may_continue(connection, entry, addition, events)? => entry,
        _ => counters.id + 1,
    };
    if entry > counters.id {
        counters.id = entry;
        connection
            .prepare_cached(
                "INSERT INTO journal (tenant, id, cursor, checklist, actor, started_at, continued_at, done, applicable,
                                      events)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                addition.tenant,
                int(entry),
                int(counters.cursor),
                addition.checklist,
                addition.actor_json,
                addition.at.as_millis(),
                addition.counts.done,
                applicable,
                events as i64,
            ])?;
    } else {
        connection
            .prepare_cached(
                "UPDATE journal SET cursor = ?3, continued_at = ?4, done = ?5, applicable = ?6, events = events + ?7
                 WHERE tenant = ?1 AND id = ?2",
            )?
            .execute(params![
                addition.tenant,
                int(entry),
                int(counters.cursor),
                addition.at.as_millis(),
                addition.counts.done,
                applicable,
                events as i64,
            ])?;
    }
    let mut point = connection.prepare_cached(
        "INSERT INTO journal_event (tenant, entry, sequence) VALUES (?1, ?2, ?3)",
    )?;
    for sequence in addition.sequences.clone() {
        point.execute(params![addition.tenant, int(entry), int(sequence)])?;
    }
    Ok((entry, counters))
}

fn may_continue(
    connection: &Connection,
    entry: u64,
    addition: &Addition<'_>,
    events: usize,
) -> Result<bool> {
    let found = connection
        .prepare_cached(
            "SELECT actor, started_at, events FROM journal WHERE tenant = ?1 AND id = ?2",
        )?
        .query_row(params![addition.tenant, int(entry)], |row| {
            let same = row.get_ref(0)?.as_str()? == addition.actor_json
                || get_json::<Actor>(row, 0)?.id == addition.actor.id;
            let age = addition.at.as_millis() - row.get::<_, i64>(1)?;
            let full = get_u64(row, 2)? as usize + events > FOLD_EVENTS;
            Ok(same && age <= FOLD_MILLIS && !full)
        })
        .optional()?;
    Ok(found.unwrap_or(false))
}

/// A page of entries, oldest first.
pub(super) fn page(
    connection: &Connection,
    tenant: &str,
    filter: &LogFilter,
) -> Result<JournalPage> {
    // With an object named, its few lists lead to the entries; otherwise the cursor does.
    let sql = if filter.object_id.is_some() {
        JOURNAL_OF_OBJECT
    } else {
        JOURNAL_OF_TENANT
    };
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = statement
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
            entry,
        )?
        .collect::<Result<Vec<_>>>()?;
    let more = logs::cut(&mut found, filter.limit);
    let mut entries = Vec::with_capacity(found.len());
    for (mut entry, done, applicable) in found {
        entry.events = events(connection, tenant, entry.id)?;
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

const JOURNAL_OF_TENANT: &str = concat!(
    "SELECT j.cursor, j.id, c.object_type, c.object_id, c.purpose, j.actor, j.started_at, j.continued_at, j.done,
            j.applicable
     FROM journal j
     CROSS JOIN checklist c ON c.number = j.checklist AND c.tenant = j.tenant
     WHERE j.tenant = ?1 AND j.cursor > ?2
       AND (?4 IS NULL OR c.object_type = ?4) AND (?5 IS NULL OR c.object_id = ?5)
       AND (?6 IS NULL OR c.purpose = ?6) AND ",
    logs::covered!("c"),
    " ORDER BY j.cursor LIMIT ?3"
);

const JOURNAL_OF_OBJECT: &str = concat!(
    "SELECT j.cursor, j.id, c.object_type, c.object_id, c.purpose, j.actor, j.started_at, j.continued_at, j.done,
            j.applicable
     FROM checklist c
     CROSS JOIN journal j ON j.tenant = c.tenant AND j.checklist = c.number
     WHERE c.tenant = ?1 AND j.cursor > ?2
       AND (?4 IS NULL OR c.object_type = ?4) AND c.object_id = ?5
       AND (?6 IS NULL OR c.purpose = ?6) AND ",
    logs::covered!("c"),
    " ORDER BY j.cursor LIMIT ?3"
);

fn entry(row: &Row<'_>) -> Result<(JournalEntry, u32, u32)> {
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
    Ok((entry, get_u32(row, 8)?, get_u32(row, 9)?))
}

fn events(connection: &Connection, tenant: &str, entry: u64) -> Result<Vec<Event>> {
    connection
        .prepare_cached(
            "SELECT a.event FROM journal_event e
             JOIN audit a ON a.tenant = e.tenant AND a.sequence = e.sequence
             WHERE e.tenant = ?1 AND e.entry = ?2 ORDER BY e.sequence",
        )?
        .query_map(params![tenant, int(entry)], |row| {
            parse(row.get_ref(0)?.as_str()?, 0)
        })?
        .collect()
}
