//! Closed runs of lists: reads them, and erases people in them.

use checklist_shared::context::Context;
use checklist_shared::run::ClosedRun;

use super::{Session, values};
use crate::store::StoreError;

/// A closed run as it is stored: the number of its list, its own, and the JSON.
pub(crate) type RunDocument = (u64, u32, String);

/// Runs of a list with lower numbers than `below`, the newest first.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    list: &Context,
    below: u32,
    limit: u32,
) -> Result<Vec<ClosedRun>, StoreError> {
    let sql = "SELECT r.document FROM checklist c
         JOIN closed_run r ON r.tenant = c.tenant AND r.checklist = c.number
         WHERE c.tenant = $1 AND c.object_type = $2 AND c.object_id = $3 AND c.purpose = $4
             AND r.number < $5
         ORDER BY r.number DESC LIMIT $6";
    let Context {
        object_type,
        object_id,
        purpose,
        ..
    } = list;
    let parameters = values![tenant, object_type, object_id, purpose, below, limit];
    session
        .query_map(sql, parameters, |row| row.get_json(0))
        .await
}

/// Runs after a list and a number whose JSON matches a pattern of `LIKE`.
pub(crate) async fn matching<S: Session>(
    session: &mut S,
    tenant: &str,
    (list, number): (u64, u32),
    pattern: &str,
    limit: u32,
) -> Result<Vec<RunDocument>, StoreError> {
    let sql = r"SELECT checklist, number, document FROM closed_run
         WHERE tenant = $1 AND (checklist, number) > ($2, $3) AND document LIKE $4 ESCAPE '\'
         ORDER BY checklist, number LIMIT $5";
    session
        .query_map(sql, values![tenant, list, number, pattern, limit], |row| {
            Ok((
                row.get_u64(0)?,
                row.get_u32(1)?,
                row.get_text(2)?.to_owned(),
            ))
        })
        .await
}

/// Replaces the JSON of runs.
pub(crate) async fn replace<S: Session>(
    session: &mut S,
    tenant: &str,
    replaced: &[RunDocument],
) -> Result<u64, StoreError> {
    let parameters: Vec<_> = replaced
        .iter()
        .map(|(list, number, document)| values![tenant, *list, *number, document])
        .collect();
    let sql = "UPDATE closed_run SET document = $4
         WHERE tenant = $1 AND checklist = $2 AND number = $3";
    session.execute_each(sql, &parameters).await
}
