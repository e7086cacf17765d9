//! The rows of the audit trail: appends administrators' acts, verifies the chain.
//!
//! The hash covers actor and event byte by byte as they are stored, so verification does not depend
//! on how JSON is serialized. `batch` appends the changes of lists.

use tokio_postgres::Row;

use super::batch::MOVE_HEAD;
use super::columns::{get, get_hash, get_u64, int};
use super::error::PostgresError;
use super::save::Head;
use super::session::Session;
use crate::act::ActRow;
use crate::audit::{AuditFields, FIRST, Verdict, Walk};

/// The number of rows that are verified at a time.
const PAGE: i64 = 1_000;

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
