//! Removes the rows of `open_item` whose items are resolved, along the audit trail.

use super::{DialectSql, Row, Session, values};
use crate::open_item_sweep::{OpenItemKey, SweepBatch};
use crate::store::StoreError;

macro_rules! position {
    ($head:literal) => {
        concat!(
            "SELECT coalesce((SELECT sequence FROM open_item_sweep WHERE tenant = $1), 0),
                 coalesce((SELECT ",
            $head,
            " WHERE tenant = $1), 0),
                 EXISTS (SELECT 1 FROM open_item WHERE tenant = $1)"
        )
    };
}
/// How far the tenant was swept, the end of its trail, and whether it has any rows.
pub(crate) const POSITION: DialectSql = DialectSql {
    sqlite: position!("sequence FROM audit_head"),
    postgres: position!("audit_sequence FROM log_head"),
};

/// The rows of resolved items, of the lists that a part of the trail names. On PostgreSQL the tenant stands
/// in each subquery, none of which the planner can flatten: the only possible plan looks up complete keys,
/// whatever it assumes about the tables. SQLite keeps the order of a `CROSS JOIN`.
macro_rules! resolved {
    ($join:literal, $fence:literal, $item:literal) => {
        concat!(
            "SELECT o.checklist, o.id
             FROM (SELECT o.tenant, o.checklist, o.id, ",
            $item,
            " AS item
             FROM (SELECT c.tenant, c.number
                   FROM (SELECT DISTINCT tenant, object_type, object_id, purpose FROM audit
                         WHERE tenant = $1 AND sequence > $2 AND sequence <= $3",
            $fence,
            ") trail ",
            $join,
            " checklist c ON c.tenant = trail.tenant AND c.object_type = trail.object_type
                       AND c.object_id = trail.object_id AND c.purpose = trail.purpose",
            $fence,
            ") list ",
            $join,
            " open_item o ON o.tenant = list.tenant AND o.checklist = list.number",
            $fence,
            ") o ",
            $join,
            " item i ON i.tenant = o.tenant AND i.checklist = o.checklist AND i.id = o.item
             WHERE i.status <> 'Open'"
        )
    };
}
pub(crate) const RESOLVED: DialectSql = DialectSql {
    sqlite: resolved!("CROSS JOIN", "", "o.id"),
    postgres: resolved!("JOIN", " OFFSET 0", "encode(o.id, 'hex')::uuid"),
};

/// Removes a row unless its item is open. On PostgreSQL the item is locked, so that a tick that opens it
/// waits, and then inserts the row anew. An item that is locked is left out, instead of waiting for who may
/// wait for another one of these.
pub(crate) const REMOVE: DialectSql = DialectSql {
    sqlite: "DELETE FROM open_item WHERE tenant = $1 AND checklist = $2 AND id = $3
         AND EXISTS (SELECT 1 FROM item i WHERE i.tenant = $1 AND i.checklist = $2 AND i.id = $3
                         AND i.status <> 'Open')",
    postgres: "WITH resolved AS MATERIALIZED (
             SELECT 1 FROM item i WHERE i.tenant = $1 AND i.checklist = $2
                 AND i.id = encode($3::bytea, 'hex')::uuid AND i.status <> 'Open'
             FOR NO KEY UPDATE SKIP LOCKED)
         DELETE FROM open_item WHERE tenant = $1 AND checklist = $2 AND id = $3
             AND EXISTS (SELECT 1 FROM resolved)",
};

const MOVE: &str = "INSERT INTO open_item_sweep (tenant, sequence) VALUES ($1, $3)
     ON CONFLICT (tenant) DO UPDATE SET sequence = $3 WHERE open_item_sweep.sequence = $2";

fn key_of(row: &Row) -> Result<OpenItemKey, StoreError> {
    Ok(OpenItemKey {
        checklist: row.get_i64(0)?,
        id: row.get_bytes(1)?.to_owned(),
    })
}

/// What is to be removed because of the next `limit` rows of the trail.
pub(crate) async fn batch<S: Session>(
    session: &mut S,
    tenant: &str,
    limit: u32,
) -> Result<SweepBatch, StoreError> {
    let position = session
        .query_map(POSITION.of(S::DIALECT), values![tenant], |row| {
            Ok((row.get_u64(0)?, row.get_u64(1)?, row.get_bool(2)?))
        })
        .await?;
    let (after, newest, has_rows) = position.into_iter().next().unwrap_or_default();
    let mut batch = SweepBatch {
        after,
        until: newest,
        newest,
        resolved: Vec::new(),
    };
    // The numbers have no gaps.
    if has_rows && after < newest {
        batch.until = newest.min(after + u64::from(limit));
        let parameters = values![tenant, after, batch.until];
        batch.resolved = session
            .query_map(RESOLVED.of(S::DIALECT), parameters, key_of)
            .await?;
        // Two nodes at once lock the rows in the same order.
        batch.resolved.sort_unstable();
    }
    Ok(batch)
}

/// Removes rows whose items are resolved; returns how many.
pub(crate) async fn remove<S: Session>(
    session: &mut S,
    tenant: &str,
    rows: &[OpenItemKey],
) -> Result<usize, StoreError> {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| values![tenant, row.checklist, &row.id])
        .collect();
    let removed = session.execute_each(REMOVE.of(S::DIALECT), &rows).await?;
    Ok(usize::try_from(removed).unwrap_or(usize::MAX))
}

/// Moves the position. `false` if it is not where the batch began: another node has moved it.
pub(crate) async fn moved<S: Session>(
    session: &mut S,
    tenant: &str,
    after: u64,
    until: u64,
) -> Result<bool, StoreError> {
    let parameters = [values![tenant, after, until]];
    Ok(session.execute_each(MOVE, &parameters).await? > 0)
}
