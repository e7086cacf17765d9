//! Verifies the chain of a tenant's audit trail.
//!
//! It stops at the first row that was tampered with, and also detects missing rows at the end, and
//! rows that a list refers to. An impossible number breaks the chain like any other wrong one.

use super::{DialectSql, Row, Session, values};
use crate::audit::{AuditFields, FIRST, Verdict, Walk};
use crate::store::StoreError;

/// The number of rows that are verified at a time.
const PAGE: u64 = 1_000;

/// The stored end of the chain, apart from its rows. The next write continues it.
const HEAD: DialectSql = DialectSql {
    sqlite: "SELECT sequence, hash FROM audit_head WHERE tenant = $1",
    postgres: "SELECT audit_sequence, audit_hash FROM log_head WHERE tenant = $1",
};

/// Verifies a tenant's chain.
pub(crate) async fn verify<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Verdict, StoreError> {
    let mut walk = Walk::of(tenant);
    // The last verified position, whatever sequence numbers the rows claim.
    let mut after = i64::MIN;
    loop {
        let sql = "SELECT sequence, object_type, object_id, purpose, revision, operation_id, actor,
                 at, event, hash, list_previous
             FROM audit WHERE tenant = $1 AND sequence > $2 ORDER BY sequence LIMIT $3";
        let rows = session.query(sql, values![tenant, after, PAGE]).await?;
        let Some(last) = rows.last() else { break };
        after = last.get_i64(0)?;
        for row in &rows {
            if !step(&mut walk, tenant, row)? {
                return Ok(walk.verdict());
            }
        }
    }
    let sql =
        "SELECT object_type, object_id, purpose, audit_sequence FROM checklist WHERE tenant = $1";
    for list in &session.query(sql, values![tenant]).await? {
        let (object_type, object_id, purpose) =
            (list.get_text(0)?, list.get_text(1)?, list.get_text(2)?);
        if !walk.list_knows(object_type, object_id, purpose, list.get_u64(3)?) {
            return Ok(walk.verdict());
        }
    }
    let read = |row: &Row| Ok((row.get_u64(0)?, row.get_hash(1).ok()));
    let head = session
        .query_opt(HEAD.of(S::DIALECT), values![tenant], read)
        .await?;
    let (sequence, hash) = head.unwrap_or((0, Some(FIRST)));
    walk.ends_at(sequence, hash);
    Ok(walk.verdict())
}

fn step(walk: &mut Walk, tenant: &str, row: &Row) -> Result<bool, StoreError> {
    let number = |column| -> Result<u64, StoreError> {
        Ok(u64::try_from(row.get_i64(column)?).unwrap_or(u64::MAX))
    };
    let fields = AuditFields {
        tenant,
        sequence: number(0)?,
        object_type: row.get_text(1)?,
        object_id: row.get_text(2)?,
        purpose: row.get_text(3)?,
        revision: number(4)?,
        operation_id: row.get_text_option(5)?,
        actor: row.get_text(6)?,
        at: row.get_i64(7)?,
        event: row.get_text(8)?,
    };
    Ok(walk.step(&fields, row.get_hash(9).ok(), number(10)?))
}
