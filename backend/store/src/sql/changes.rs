//! The progress of lists since a row of the audit trail.
//!
//! Walks back the rows of each list from its newest one, so the cost depends on the changes of
//! these lists and not on those of the tenant.

use super::logs::{both, join};
use super::{DialectSql, Row, Session, values};
use crate::feed::{ChangesSince, LONGEST_WALK, ListProgress};
use crate::list_key::ListKey;
use crate::store::StoreError;

const NEWEST: DialectSql = DialectSql {
    sqlite: "SELECT sequence FROM audit_head WHERE tenant = $1",
    postgres: "SELECT audit_sequence FROM log_head WHERE tenant = $1",
};

/// The first revision of a list after the row in parameter 5, and the row before it; walks at most
/// parameter 6 rows.
///
/// The tenant comes with each row: with `a.tenant = $1` PostgreSQL, which plans a statement once, may
/// choose to walk all rows of the tenant.
macro_rules! walk_back {
    ($database:ident,) => {
        concat!(
            "WITH RECURSIVE trail (tenant, revision, list_previous, steps) AS (
                 SELECT a.tenant, a.revision, a.list_previous, CAST(1 AS bigint)
                 FROM (SELECT tenant, audit_sequence FROM checklist
                       WHERE tenant = $1 AND object_type = $2 AND object_id = $3
                         AND purpose = $4 AND audit_sequence > $5 LIMIT 1) c",
            join!($database),
            "audit a ON a.tenant = c.tenant AND a.sequence = c.audit_sequence
                 UNION ALL
                 SELECT a.tenant, a.revision, a.list_previous, steps + 1 FROM trail",
            join!($database),
            "audit a ON a.tenant = trail.tenant AND a.sequence = trail.list_previous
                 WHERE trail.list_previous > $5 AND steps < $6
             )
             SELECT min(revision), min(list_previous) FROM trail"
        )
    };
}

const WALK_BACK: DialectSql = both!(walk_back,);

/// The progress of these lists since that row. Has to be called within a snapshot.
pub(crate) async fn since<S: Session>(
    session: &mut S,
    tenant: &str,
    lists: &[ListKey],
    after: u64,
) -> Result<ChangesSince, StoreError> {
    let newest = session
        .query_opt(NEWEST.of(S::DIALECT), values![tenant], |row| row.get_u64(0))
        .await?
        .unwrap_or(0);
    if after > newest {
        // A client that knows a later row has seen another database, for example before a restore.
        return Ok(ChangesSince {
            newest,
            lists: vec![ListProgress::Unknown; lists.len()],
        });
    }
    let parameters: Vec<_> = lists
        .iter()
        .map(|list| {
            values![
                tenant,
                &list.object_type,
                &list.object_id,
                &list.purpose,
                after,
                LONGEST_WALK,
            ]
        })
        .collect();
    let trails = session
        .query_each(WALK_BACK.of(S::DIALECT), &parameters)
        .await?;
    let lists = trails
        .iter()
        .map(|trail| progress(trail.first(), after))
        .collect::<Result<_, _>>()?;
    Ok(ChangesSince { newest, lists })
}

fn progress(trail: Option<&Row>, after: u64) -> Result<ListProgress, StoreError> {
    let Some(trail) = trail else {
        return Ok(ListProgress::Unchanged);
    };
    let Some(first) = trail.get_i64_option(0)? else {
        return Ok(ListProgress::Unchanged);
    };
    Ok(if trail.get_u64(1)? > after {
        ListProgress::Unknown
    } else {
        ListProgress::After(u64::try_from(first - 1).unwrap_or(0))
    })
}
