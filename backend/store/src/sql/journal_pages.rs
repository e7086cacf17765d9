//! The rows of the journal: reads pages.
//!
//! The cursor is the position of an entry; continuing an entry moves it to a new cursor. Its events
//! are audit rows of its list, and its sentence is made when it is read. Each store writes the rows
//! with the change of a list.

use checklist_shared::context::Context;
use checklist_shared::event::Event;
use checklist_shared::wire::admin::{JournalEntry, JournalPage};

use super::logs::{self, LogQueries, OrderedQueries};
use super::{Row, Session, values};
use crate::journal::sentence;
use crate::store::{LogFilter, StoreError};

/// The columns of an entry, in the order in which [`entry_of`] reads them.
macro_rules! select {
    () => {
        "SELECT j.cursor, j.id, c.object_type, c.object_id, c.purpose, j.actor, j.started_at,
             j.continued_at, j.done, j.applicable, j.events, j.audit_sequence "
    };
}

/// Scans the journal from the cursor. The arguments are the database, the comparison with the
/// cursor, and the order.
macro_rules! of_tenant {
    ($database:ident, $past:literal, $order:literal) => {
        concat!(
            select!(),
            "FROM journal j",
            logs::join!($database),
            "checklist c ON c.number = j.checklist AND c.tenant = j.tenant
             WHERE j.tenant = $1 AND j.cursor ",
            $past,
            " $2 AND ($4::text IS NULL OR c.object_type = $4)
               AND ($5::text IS NULL OR c.object_id = $5)
               AND ($6::text IS NULL OR c.purpose = $6)
               AND ($8::bigint IS NULL OR j.continued_at >= $8)
               AND ($9::bigint IS NULL OR j.started_at < $9) AND ",
            logs::covered!($database, "c"),
            " ORDER BY j.cursor ",
            $order,
            " LIMIT $3"
        )
    };
}

/// Walks back from the newest entry of each list of the object, down to `floor`.
macro_rules! of_object {
    ($database:ident, $floor:literal, $past:literal, $order:literal) => {
        concat!(
            "WITH RECURSIVE trail (cursor) AS (
                 SELECT c.journal_cursor FROM checklist c
                 WHERE c.tenant = $1 AND c.journal_cursor > ",
            $floor,
            " AND ($4::text IS NULL OR c.object_type = $4) AND c.object_id = $5::text
                   AND ($6::text IS NULL OR c.purpose = $6) AND ",
            logs::covered!($database, "c"),
            "    UNION ALL
                 SELECT j.list_previous FROM trail
                 JOIN journal j ON j.tenant = $1 AND j.cursor = trail.cursor
                 WHERE j.list_previous > ",
            $floor,
            ") ",
            select!(),
            "FROM trail",
            logs::join!($database),
            "journal j ON j.tenant = $1 AND j.cursor = trail.cursor",
            logs::join!($database),
            "checklist c ON c.number = j.checklist AND c.tenant = j.tenant
             WHERE j.cursor ",
            $past,
            " $2 AND ($8::bigint IS NULL OR j.continued_at >= $8)
               AND ($9::bigint IS NULL OR j.started_at < $9)
             ORDER BY j.cursor ",
            $order,
            " LIMIT $3"
        )
    };
}

const QUERIES: LogQueries = LogQueries {
    of_object: OrderedQueries {
        oldest_first: logs::both!(of_object, "$2", ">", "ASC"),
        newest_first: logs::both!(of_object, "0", "<", "DESC"),
    },
    of_tenant: OrderedQueries {
        oldest_first: logs::both!(of_tenant, ">", "ASC"),
        newest_first: logs::both!(of_tenant, "<", "DESC"),
    },
    of_lists: None,
    of_administration: None,
};

/// The last events of a list up to an audit row, in order. The tenant comes with each row: with
/// `a.tenant = $1` PostgreSQL, which plans a statement once, may choose to walk all rows of the tenant.
const EVENTS: &str =
    "WITH RECURSIVE back (tenant, sequence, list_previous, event, words, place) AS (
         SELECT tenant, sequence, list_previous, event, words, CAST(1 AS bigint) FROM audit
         WHERE tenant = $1 AND sequence = $2
         UNION ALL
         SELECT a.tenant, a.sequence, a.list_previous, a.event, a.words, back.place + 1
         FROM back JOIN audit a ON a.tenant = back.tenant AND a.sequence = back.list_previous
         WHERE back.place < $3
     )
     SELECT event, words FROM back ORDER BY sequence";

/// A page of entries.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    filter: &LogFilter,
) -> Result<JournalPage, StoreError> {
    let (rows, more) = logs::page(session, &QUERIES, tenant, filter).await?;
    let wanted = rows
        .iter()
        .map(|row| Ok(values![tenant, row.get_u64(11)?, row.get_u64(10)?]))
        .collect::<Result<Vec<_>, StoreError>>()?;
    let events = session.query_each(EVENTS, &wanted).await?;
    let entries = rows
        .iter()
        .zip(&events)
        .map(|(row, events)| entry_of(row, events))
        .collect::<Result<Vec<_>, StoreError>>()?;
    Ok(JournalPage {
        cursor: entries.last().map_or(filter.after, |entry| entry.cursor),
        entries,
        more,
    })
}

fn entry_of(row: &Row, events: &[Row]) -> Result<JournalEntry, StoreError> {
    let events: Vec<Event> = events
        .iter()
        .map(|event| event.get_event(0, 1))
        .collect::<Result<_, _>>()?;
    Ok(JournalEntry {
        cursor: row.get_u64(0)?,
        id: row.get_u64(1)?,
        context: Context::new(row.get_text(2)?, row.get_text(3)?, row.get_text(4)?),
        actor: row.get_json(5)?,
        from: row.get_time(6)?,
        until: row.get_time(7)?,
        text: sentence(&events, row.get_u32(8)?, row.get_u32(9)?),
        events,
    })
}
