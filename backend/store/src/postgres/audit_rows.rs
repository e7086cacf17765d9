//! The rows of the audit trail: reads pages, verifies the chain.
//!
//! The hash covers actor and event byte by byte as they are stored, so verification does not depend
//! on how JSON is serialized. `batch` appends.

use checklist_shared::administration::{AdministrativeAct, Category};
use checklist_shared::context::Context;
use checklist_shared::wire::admin::{AuditPage, AuditRow};
use tokio_postgres::Row;

use super::batch::MOVE_HEAD;
use super::columns::{get, get_hash, get_json, get_time, get_u64, int};
use super::error::PostgresError;
use super::logs;
use super::save::Head;
use super::session::Session;
use crate::act::ActRow;
use crate::audit::{AuditFields, FIRST, Verdict, Walk};
use crate::store::LogFilter;

/// The number of rows that are verified at a time.
const PAGE: i64 = 1_000;

/// Scans the trail from the cursor. The arguments are a condition on the rows, the comparison with
/// the cursor, and the order. A credential for some lists only does not see administrators' acts.
macro_rules! of_tenant {
    ($which:literal, $past:literal, $order:literal) => {
        concat!(
            "SELECT a.sequence, a.object_type, a.object_id, a.purpose, a.revision, \
                 a.operation_id, a.actor, a.at, a.event, a.hash, before.hash \
             FROM audit a LEFT JOIN audit before \
                  ON before.tenant = a.tenant AND before.sequence = a.sequence - 1 \
             WHERE a.tenant = $1 AND a.sequence ",
            $past,
            " $2 AND ($4::text IS NULL OR a.object_type = $4) \
               AND ($5::text IS NULL OR a.object_id = $5) \
               AND ($6::text IS NULL OR a.purpose = $6) \
               AND ($8::bigint IS NULL OR a.at >= $8) AND ($9::bigint IS NULL OR a.at < $9) \
               AND ($7::text IS NULL OR a.object_type <> '')",
            $which,
            " AND ",
            logs::covered!("a"),
            " ORDER BY a.sequence ",
            $order,
            " LIMIT $3"
        )
    };
}

/// Walks back from the newest row of each list of the object, down to `floor`.
macro_rules! of_object {
    ($floor:literal, $past:literal, $order:literal) => {
        concat!(
            "WITH RECURSIVE trail (sequence) AS ( \
                 SELECT c.audit_sequence FROM checklist c \
                 WHERE c.tenant = $1 AND c.audit_sequence > ",
            $floor,
            " AND ($4::text IS NULL OR c.object_type = $4) AND c.object_id = $5::text \
                   AND ($6::text IS NULL OR c.purpose = $6) AND ",
            logs::covered!("c"),
            "    UNION ALL \
                 SELECT a.list_previous FROM trail \
                 JOIN audit a ON a.tenant = $1 AND a.sequence = trail.sequence \
                 WHERE a.list_previous > ",
            $floor,
            ") \
             SELECT a.sequence, a.object_type, a.object_id, a.purpose, a.revision, \
                 a.operation_id, a.actor, a.at, a.event, a.hash, before.hash \
             FROM trail JOIN audit a ON a.tenant = $1 AND a.sequence = trail.sequence \
             LEFT JOIN audit before \
                  ON before.tenant = a.tenant AND before.sequence = a.sequence - 1 \
             WHERE a.sequence ",
            $past,
            " $2 AND ($8::bigint IS NULL OR a.at >= $8) AND ($9::bigint IS NULL OR a.at < $9) \
             ORDER BY a.sequence ",
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
        oldest_first: of_tenant!("", ">", "ASC"),
        newest_first: of_tenant!("", "<", "DESC"),
    },
    of_lists: Some(logs::OrderedQueries {
        oldest_first: of_tenant!(" AND a.object_type <> ''", ">", "ASC"),
        newest_first: of_tenant!(" AND a.object_type <> ''", "<", "DESC"),
    }),
    of_administration: Some(logs::OrderedQueries {
        oldest_first: of_tenant!(" AND a.object_type = ''", ">", "ASC"),
        newest_first: of_tenant!(" AND a.object_type = ''", "<", "DESC"),
    }),
};

/// Appends the row of an administrator's act to the tenant's audit trail, whose head the
/// transaction has locked. The columns for a list are empty.
pub(super) async fn append_act(
    session: &mut Session,
    head: &Head,
    row: &ActRow<'_>,
) -> Result<(), PostgresError> {
    let fields = AuditFields {
        tenant: row.tenant,
        sequence: head.audit_sequence + 1,
        object_type: "",
        object_id: "",
        purpose: "",
        revision: 0,
        operation_id: None,
        actor: row.actor,
        at: row.at.as_millis(),
        event: row.act,
    };
    let hash = fields.hash(&head.audit_hash);
    session
        .execute(
            "INSERT INTO audit (tenant, sequence, list_previous, object_type, object_id, purpose, \
                 revision, operation_id, actor, at, event, hash) \
             VALUES ($1, $2, 0, '', '', '', 0, NULL, $3, $4, $5, $6)",
            &[
                &fields.tenant,
                &int(fields.sequence),
                &fields.actor,
                &fields.at,
                &fields.event,
                &hash.as_slice(),
            ],
        )
        .await?;
    session
        .execute(
            MOVE_HEAD,
            &[
                &fields.tenant,
                &int(fields.sequence),
                &hash.as_slice(),
                &int(head.journal_cursor),
            ],
        )
        .await?;
    Ok(())
}

/// A page of the audit trail.
pub(super) async fn page(
    session: &mut Session,
    tenant: &str,
    filter: &LogFilter,
) -> Result<AuditPage, PostgresError> {
    let (rows, more) = logs::page(session, &LOG_QUERIES, tenant, filter).await?;
    let rows: Vec<AuditRow> = rows.iter().map(audit_row).collect::<Result<_, _>>()?;
    let cursor = rows.last().map_or(filter.after, |row| row.sequence);
    Ok(AuditPage { rows, cursor, more })
}

fn audit_row(row: &Row) -> Result<AuditRow, PostgresError> {
    let before = match get::<Option<&[u8]>>(row, 10)? {
        Some(_) => get_hash(row, 10)?,
        None => FIRST,
    };
    let object_type: &str = get(row, 1)?;
    let is_act = object_type.is_empty();
    let act: Option<AdministrativeAct> = is_act.then(|| get_json(row, 8)).transpose()?;
    let context = Context::new(object_type, get(row, 2)?, get(row, 3)?);
    let revision = get_u64(row, 4)?;
    Ok(AuditRow {
        sequence: get_u64(row, 0)?,
        category: act
            .as_ref()
            .map_or(Category::Checklist, |act| act.subject.category()),
        context: (!is_act).then_some(context),
        revision: (!is_act).then_some(revision),
        operation_id: get(row, 5)?,
        actor: get_json(row, 6)?,
        at: get_time(row, 7)?,
        event: (!is_act).then(|| get_json(row, 8)).transpose()?,
        act,
        previous_hash: hex(&before),
        hash: hex(&get_hash(row, 9)?),
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the tenant has any data. The session has to be set to that tenant.
pub(super) async fn has_tenant(session: &mut Session, tenant: &str) -> Result<bool, PostgresError> {
    let rows = session
        .query(
            "SELECT 1 WHERE EXISTS (SELECT 1 FROM tenant WHERE id = $1) \
                 OR EXISTS (SELECT 1 FROM log_head WHERE tenant = $1) \
                 OR EXISTS (SELECT 1 FROM checklist WHERE tenant = $1) \
                 OR EXISTS (SELECT 1 FROM audit WHERE tenant = $1) \
                 OR EXISTS (SELECT 1 FROM catalogue WHERE tenant = $1)",
            &[&tenant],
        )
        .await?;
    Ok(!rows.is_empty())
}

/// Verifies a tenant's chain and stops at the first row that was tampered with. Also detects
/// missing rows at the end, and rows that a list refers to.
pub(super) async fn verify(session: &mut Session, tenant: &str) -> Result<Verdict, PostgresError> {
    let mut walk = Walk::of(tenant);
    // The last verified position, whatever sequence numbers the rows claim.
    let mut after = i64::MIN;
    loop {
        let rows = session
            .query(
                "SELECT sequence, object_type, object_id, purpose, revision, operation_id, actor, \
                     at, event, hash, list_previous \
                 FROM audit WHERE tenant = $1 AND sequence > $2 ORDER BY sequence LIMIT $3",
                &[&tenant, &after, &PAGE],
            )
            .await?;
        let Some(last) = rows.last() else { break };
        after = get(last, 0)?;
        for row in &rows {
            if !step(&mut walk, tenant, row)? {
                return Ok(walk.verdict());
            }
        }
    }
    let lists = session
        .query(
            "SELECT object_type, object_id, purpose, audit_sequence FROM checklist WHERE tenant = $1",
            &[&tenant],
        )
        .await?;
    for row in &lists {
        let known = walk.list_knows(get(row, 0)?, get(row, 1)?, get(row, 2)?, get_u64(row, 3)?);
        if !known {
            return Ok(walk.verdict());
        }
    }
    head(session, walk, tenant).await
}

/// The stored head of the tenant's logs, which the next write continues, is the end of the trail.
async fn head(
    session: &mut Session,
    mut walk: Walk,
    tenant: &str,
) -> Result<Verdict, PostgresError> {
    let rows = session
        .query(
            "SELECT audit_sequence, audit_hash FROM log_head WHERE tenant = $1",
            &[&tenant],
        )
        .await?;
    let (sequence, hash) = match rows.first() {
        Some(row) => (get_u64(row, 0)?, get_hash(row, 1).ok()),
        None => (0, Some(FIRST)),
    };
    walk.ends_at(sequence, hash);
    Ok(walk.verdict())
}

fn step(walk: &mut Walk, tenant: &str, row: &Row) -> Result<bool, PostgresError> {
    let sequence: i64 = get(row, 0)?;
    let revision: i64 = get(row, 4)?;
    let list_previous: i64 = get(row, 10)?;
    // An impossible number breaks the chain like any other wrong one.
    let number = |value: i64| u64::try_from(value).unwrap_or(u64::MAX);
    let fields = AuditFields {
        tenant,
        sequence: number(sequence),
        object_type: get(row, 1)?,
        object_id: get(row, 2)?,
        purpose: get(row, 3)?,
        revision: number(revision),
        operation_id: get(row, 5)?,
        actor: get(row, 6)?,
        at: get(row, 7)?,
        event: get(row, 8)?,
    };
    Ok(walk.step(&fields, get_hash(row, 9).ok(), number(list_previous)))
}
