//! The progress of lists since a row of the audit trail.
//!
//! Walks back the rows of each list from its newest one, so the cost depends on the changes of
//! these lists and not on those of the tenant.

use super::columns::{get, get_u64, int};
use super::error::PostgresError;
use super::list_rows::{self, Keys};
use super::session::Session;
use crate::feed::{ChangesSince, LONGEST_WALK, ListProgress};
use crate::list_key::ListKey;

/// For lists as three arrays: the first revision after the row in parameter 5, and the row before
/// it; walks at most parameter 6 rows. Skips lists without such a row.
const WALK_BACK: &str = "WITH RECURSIVE trail (tenant, place, revision, list_previous, steps) AS ( \
         SELECT wanted.tenant, wanted.place, a.revision, a.list_previous, 1 \
         FROM (SELECT $1::text AS tenant, * \
               FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY \
                   AS wanted (object_type, object_id, purpose, place) OFFSET 0) AS wanted \
         JOIN checklist c ON c.tenant = wanted.tenant AND c.object_type = wanted.object_type \
              AND c.object_id = wanted.object_id AND c.purpose = wanted.purpose \
         JOIN audit a ON a.tenant = wanted.tenant AND a.sequence = c.audit_sequence \
         WHERE c.audit_sequence > $5 \
         UNION ALL \
         SELECT trail.tenant, trail.place, a.revision, a.list_previous, trail.steps + 1 \
         FROM trail JOIN audit a ON a.tenant = trail.tenant AND a.sequence = trail.list_previous \
         WHERE trail.list_previous > $5 AND trail.steps < $6 \
     ) \
     SELECT place, min(revision), min(list_previous) FROM trail GROUP BY place";

/// The progress of these lists since that row. Has to be called within a snapshot.
pub(super) async fn since(
    session: &mut Session,
    tenant: &str,
    lists: &[ListKey],
    after: u64,
) -> Result<ChangesSince, PostgresError> {
    let head = session
        .query(
            "SELECT audit_sequence FROM log_head WHERE tenant = $1",
            &[&tenant],
        )
        .await?;
    let newest = head.first().map_or(Ok(0), |row| get_u64(row, 0))?;
    if after > newest {
        // A client that knows a later row has seen another database, for example before a restore.
        return Ok(ChangesSince {
            newest,
            lists: vec![ListProgress::Unknown; lists.len()],
        });
    }
    let mut progressed = vec![ListProgress::Unchanged; lists.len()];
    let keys: Keys<'_> = lists.iter().collect();
    let steps = i32::try_from(LONGEST_WALK).unwrap_or(i32::MAX);
    let rows = session
        .query(
            WALK_BACK,
            &[
                &tenant,
                &keys.types,
                &keys.objects,
                &keys.purposes,
                &int(after),
                &steps,
            ],
        )
        .await?;
    for row in &rows {
        let first: i64 = get(row, 1)?;
        progressed[list_rows::place(row)?] = if get_u64(row, 2)? > after {
            ListProgress::Unknown
        } else {
            ListProgress::After(u64::try_from(first - 1).unwrap_or(0))
        };
    }
    Ok(ChangesSince {
        newest,
        lists: progressed,
    })
}
