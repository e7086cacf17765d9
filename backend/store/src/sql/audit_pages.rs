//! The rows of the audit trail: reads pages.
//!
//! A row is about a list or about an administrator's act; then the columns for a list are empty.
//! Each store appends the rows.

use checklist_shared::administration::{AdministrativeAct, Category};
use checklist_shared::context::Context;
use checklist_shared::item::Actor;
use checklist_shared::wire::admin::{AuditPage, AuditRow};

use super::logs::{self, LogQueries, OrderedQueries};
use super::{Row, Session};
use crate::store::{LogFilter, StoreError};

/// The columns of a row, in the order in which [`row_of`] reads them.
macro_rules! select {
    () => {
        "SELECT a.sequence, a.object_type, a.object_id, a.purpose, a.revision, a.operation_id,
             a.actor, a.at, a.event, a.words, a.hash "
    };
}

/// Scans the trail from the cursor. The arguments are the database, a condition on the rows, the
/// comparison with the cursor, and the order. A credential for some lists only does not see
/// administrators' acts.
macro_rules! of_tenant {
    ($database:ident, $which:literal, $past:literal, $order:literal) => {
        concat!(
            select!(),
            "FROM audit a
             WHERE a.tenant = $1 AND a.sequence ",
            $past,
            " $2 AND ($4::text IS NULL OR a.object_type = $4)
               AND ($5::text IS NULL OR a.object_id = $5)
               AND ($6::text IS NULL OR a.purpose = $6)
               AND ($8::bigint IS NULL OR a.at >= $8) AND ($9::bigint IS NULL OR a.at < $9)
               AND ($7::text IS NULL OR a.object_type <> '')",
            $which,
            " AND ",
            logs::covered!($database, "a"),
            " ORDER BY a.sequence ",
            $order,
            " LIMIT $3"
        )
    };
}

/// Walks back from the newest row of each list of the object, down to `floor`.
macro_rules! of_object {
    ($database:ident, $floor:literal, $past:literal, $order:literal) => {
        concat!(
            "WITH RECURSIVE trail (sequence) AS (
                 SELECT c.audit_sequence FROM checklist c
                 WHERE c.tenant = $1 AND c.audit_sequence > ",
            $floor,
            " AND ($4::text IS NULL OR c.object_type = $4) AND c.object_id = $5::text
                   AND ($6::text IS NULL OR c.purpose = $6) AND ",
            logs::covered!($database, "c"),
            "    UNION ALL
                 SELECT a.list_previous FROM trail
                 JOIN audit a ON a.tenant = $1 AND a.sequence = trail.sequence
                 WHERE a.list_previous > ",
            $floor,
            ") ",
            select!(),
            "FROM trail",
            logs::join!($database),
            "audit a ON a.tenant = $1 AND a.sequence = trail.sequence
             WHERE a.sequence ",
            $past,
            " $2 AND ($8::bigint IS NULL OR a.at >= $8) AND ($9::bigint IS NULL OR a.at < $9)
             ORDER BY a.sequence ",
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
        oldest_first: logs::both!(of_tenant, "", ">", "ASC"),
        newest_first: logs::both!(of_tenant, "", "<", "DESC"),
    },
    of_lists: Some(OrderedQueries {
        oldest_first: logs::both!(of_tenant, " AND a.object_type <> ''", ">", "ASC"),
        newest_first: logs::both!(of_tenant, " AND a.object_type <> ''", "<", "DESC"),
    }),
    of_administration: Some(OrderedQueries {
        oldest_first: logs::both!(of_tenant, " AND a.object_type = ''", ">", "ASC"),
        newest_first: logs::both!(of_tenant, " AND a.object_type = ''", "<", "DESC"),
    }),
};

/// A page of the audit trail.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    filter: &LogFilter,
) -> Result<AuditPage, StoreError> {
    let (rows, more) = logs::page(session, &QUERIES, tenant, filter).await?;
    let rows: Vec<AuditRow> = rows.iter().map(row_of).collect::<Result<_, _>>()?;
    Ok(AuditPage {
        cursor: rows.last().map_or(filter.after, |row| row.sequence),
        rows,
        more,
    })
}

fn row_of(row: &Row) -> Result<AuditRow, StoreError> {
    let object_type = row.get_text(1)?;
    let is_act = object_type.is_empty();
    let act: Option<AdministrativeAct> = is_act.then(|| row.get_event(8, 9)).transpose()?;
    let context = Context::new(object_type, row.get_text(2)?, row.get_text(3)?);
    let revision = row.get_u64(4)?;
    Ok(AuditRow {
        sequence: row.get_u64(0)?,
        category: act
            .as_ref()
            .map_or(Category::Checklist, |act| act.subject.category()),
        context: (!is_act).then_some(context),
        revision: (!is_act).then_some(revision),
        operation_id: row.get_text_option(5)?.map(str::to_owned),
        actor: row.get_json_option(6)?.unwrap_or_else(Actor::erased),
        at: row.get_time(7)?,
        event: (!is_act).then(|| row.get_event(8, 9)).transpose()?,
        act,
        words_erased: row.get_text_option(9)?.is_none(),
        hash: hex(&row.get_hash(10)?),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
