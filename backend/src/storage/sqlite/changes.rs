//! The progress of lists since a row of the audit trail.
//!
//! Walks back the rows of each list from its newest one, so the cost depends on the changes of
//! these lists and not on those of the tenant.

use rusqlite::{Connection, Result, params};

use super::audit_rows::head;
use super::columns::{get_u64, int};
use crate::feed::{ChangesSince, LONGEST_WALK, ListProgress};
use crate::list_key::ListKey;

/// The progress of these lists since that row.
pub(super) fn since(
    connection: &Connection,
    tenant: &str,
    lists: &[ListKey],
    after: u64,
) -> Result<ChangesSince> {
    let newest = head(connection, tenant)?.sequence;
    let mut statement = connection.prepare_cached(WALK_BACK)?;
    let lists = lists.iter().map(|list| {
        // A client that knows a later row has seen another database, for example before a restore.
        if after > newest {
            return Ok(ListProgress::Unknown);
        }
        let parameters = params![
            tenant,
            list.object_type,
            list.object_id,
            list.purpose,
            int(after),
            LONGEST_WALK
        ];
        statement.query_row(parameters, |row| {
            let first: Option<i64> = row.get(0)?;
            let Some(first) = first else {
                return Ok(ListProgress::Unchanged);
            };
            if get_u64(row, 1)? > after {
                return Ok(ListProgress::Unknown);
            }
            Ok(ListProgress::After(u64::try_from(first - 1).unwrap_or(0)))
        })
    });
    Ok(ChangesSince {
        newest,
        lists: lists.collect::<Result<_>>()?,
    })
}

/// The first revision of a list after the row in parameter 5, and the row before it; walks at most
/// parameter 6 rows.
const WALK_BACK: &str = "
    WITH RECURSIVE trail (revision, list_previous, steps) AS (
        SELECT a.revision, a.list_previous, 1 FROM checklist c
        CROSS JOIN audit a ON a.tenant = c.tenant AND a.sequence = c.audit_sequence
        WHERE c.tenant = ?1 AND c.object_type = ?2 AND c.object_id = ?3 AND c.purpose = ?4
          AND c.audit_sequence > ?5
        UNION ALL
        SELECT a.revision, a.list_previous, steps + 1 FROM trail
        CROSS JOIN audit a ON a.tenant = ?1 AND a.sequence = trail.list_previous
        WHERE trail.list_previous > ?5 AND steps < ?6
    )
    SELECT min(revision), min(list_previous) FROM trail";
