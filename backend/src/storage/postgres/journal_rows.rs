//! The rows of the journal: reads pages.
//!
//! The cursor is the position of an entry; continuing an entry moves it to a new cursor. Its events
//! are audit rows of its list, and its sentence is made when it is read. `batch` writes.

use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::wire::admin::{JournalEntry, JournalPage};
use tokio_postgres::Row;

use super::columns::{get, get_json, get_time, get_u32, get_u64};
use super::error::PostgresError;
use super::logs;
use super::session::Session;
use crate::journal::sentence;
use crate::store::LogFilter;

/// Scans the journal from the cursor. The arguments are the comparison with the cursor and the
/// order.
macro_rules! of_tenant {
    ($past:literal, $order:literal) => {
        concat!(
            "SELECT j.cursor, j.id, c.object_type, c.object_id, c.purpose, j.actor, j.started_at, \
                 j.continued_at, j.done, j.applicable, j.events, j.audit_sequence \
             FROM journal j JOIN checklist c ON c.number = j.checklist AND c.tenant = j.tenant \
             WHERE j.tenant = $1 AND j.cursor ",
            $past,
            " $2 AND ($4::text IS NULL OR c.object_type = $4) \
               AND ($5::text IS NULL OR c.object_id = $5) \
               AND ($6::text IS NULL OR c.purpose = $6) \
               AND ($8::bigint IS NULL OR j.continued_at >= $8) \
               AND ($9::bigint IS NULL OR j.started_at < $9) AND ",
            logs::covered!("c"),
            " ORDER BY j.cursor ",
            $order,
            " LIMIT $3"
        )
    };
}

/// Walks back from the newest entry of each list of the object, down to `floor`.
macro_rules! of_object {
    ($floor:literal, $past:literal, $order:literal) => {
        concat!(
            "WITH RECURSIVE trail (cursor) AS ( \
                 SELECT c.journal_cursor FROM checklist c \
                 WHERE c.tenant = $1 AND c.journal_cursor > ",
            $floor,
            " AND ($4::text IS NULL OR c.object_type = $4) AND c.object_id = $5::text \
                   AND ($6::text IS NULL OR c.purpose = $6) AND ",
            logs::covered!("c"),
            "    UNION ALL \
                 SELECT j.list_previous FROM trail \
                 JOIN journal j ON j.tenant = $1 AND j.cursor = trail.cursor \
                 WHERE j.list_previous > ",
            $floor,
            ") \
             SELECT j.cursor, j.id, c.object_type, c.object_id, c.purpose, j.actor, j.started_at, \
                 j.continued_at, j.done, j.applicable, j.events, j.audit_sequence \
             FROM trail JOIN journal j ON j.tenant = $1 AND j.cursor = trail.cursor \
             JOIN checklist c ON c.number = j.checklist AND c.tenant = j.tenant \
             WHERE j.cursor ",
            $past,
            " $2 AND ($8::bigint IS NULL OR j.continued_at >= $8) \
               AND ($9::bigint IS NULL OR j.started_at < $9) \
             ORDER BY j.cursor ",
            $order,
            " LIMIT $3"
        )
    };
}

const LOG_QUERIES: logs::LogQueries = logs::LogQueries {
    of_object: logs::OrderedQueries {
        oldest_first: of_object!("$2", ">", "ASC"),
        newest_first: of_object!("0", "<", "DESC"),
    },
    of_tenant: logs::OrderedQueries {
        oldest_first: of_tenant!(">", "ASC"),
        newest_first: of_tenant!("<", "DESC"),
    },
    of_lists: None,
    of_administration: None,
};

/// For arrays of audit rows and counts: the last events of a list up to that row, in order.
const EVENTS: &str = "WITH RECURSIVE back (entry, sequence, list_previous, event, place, events) AS ( \
         SELECT wanted.entry, a.sequence, a.list_previous, a.event, 1::bigint, wanted.events \
         FROM unnest($2::bigint[], $3::bigint[]) WITH ORDINALITY \
              AS wanted (sequence, events, entry) \
         JOIN audit a ON a.tenant = $1 AND a.sequence = wanted.sequence \
         UNION ALL \
         SELECT back.entry, a.sequence, a.list_previous, a.event, back.place + 1, back.events \
         FROM back JOIN audit a ON a.tenant = $1 AND a.sequence = back.list_previous \
         WHERE back.place < back.events \
     ) \
     SELECT entry, event FROM back ORDER BY entry, sequence";

/// A page of entries.
pub(super) async fn page(
    session: &mut Session,
    tenant: &str,
    filter: &LogFilter,
) -> Result<JournalPage, PostgresError> {
    let (rows, more) = logs::page(session, &LOG_QUERIES, tenant, filter).await?;
    let mut events = events(session, tenant, &rows).await?;
    let mut entries = Vec::with_capacity(rows.len());
    for (row, events) in rows.iter().zip(&mut events) {
        let mut entry = entry(row)?;
        entry.events = std::mem::take(events);
        entry.text = sentence(&entry.events, get_u32(row, 8)?, get_u32(row, 9)?);
        entries.push(entry);
    }
    let cursor = entries.last().map_or(filter.after, |entry| entry.cursor);
    Ok(JournalPage {
        entries,
        cursor,
        more,
    })
}

fn entry(row: &Row) -> Result<JournalEntry, PostgresError> {
    Ok(JournalEntry {
        cursor: get_u64(row, 0)?,
        id: get_u64(row, 1)?,
        context: Context::new(get(row, 2)?, get(row, 3)?, get(row, 4)?),
        actor: get_json(row, 5)?,
        from: get_time(row, 6)?,
        until: get_time(row, 7)?,
        text: String::new(),
        events: Vec::new(),
    })
}

/// The events of each entry.
async fn events(
    session: &mut Session,
    tenant: &str,
    entries: &[Row],
) -> Result<Vec<Vec<Event>>, PostgresError> {
    let column = |column: usize| -> Result<Vec<i64>, PostgresError> {
        entries.iter().map(|row| get(row, column)).collect()
    };
    let (counts, sequences) = (column(10)?, column(11)?);
    let mut events = vec![Vec::new(); entries.len()];
    if entries.is_empty() {
        return Ok(events);
    }
    for row in session
        .query(EVENTS, &[&tenant, &sequences, &counts])
        .await?
    {
        let entry: i64 = get(&row, 0)?;
        let of_entry = usize::try_from(entry - 1)
            .ok()
            .and_then(|entry| events.get_mut(entry));
        if let Some(of_entry) = of_entry {
            of_entry.push(get_json(&row, 1)?);
        }
    }
    Ok(events)
}
