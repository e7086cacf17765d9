//! The rows of runs: reads them, claims them, extends leases.
//!
//! Each claim increases the fence of a run. The computers and steps of a run are in `run_rows`.

use checklist_shared::time::Timestamp;

use super::{DialectSql, Row, Session, values};
use crate::store::StoreError;
use crate::workflows::{Lease, LeaseStatus, RunRecord};

/// Uses the index of runs that have not ended: after some years most of them have.
pub(crate) const END_LEASES: &str = "UPDATE workflow_run SET lease_until = 0
     WHERE state IN ('Queued', 'Running') AND lease_until > 0";

/// The columns of a run, in the order in which [`run_of`] reads them.
macro_rules! columns {
    () => {
        "tenant, id, list_key, state, plan, progress, total, counts, cancelling, fence, revision,
         created_at, updated_at, ended_at"
    };
}

/// Selects runs.
macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!(), " FROM workflow_run ", $rest)
    };
}

/// The runs that can be claimed, without locking.
macro_rules! claimable {
    ($columns:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM workflow_run
              WHERE state IN ('Queued', 'Running') AND due_at <= $1 AND lease_until <= $1
                AND ($2::text IS NULL OR id = $2) ORDER BY due_at LIMIT 1"
        )
    };
}

/// Claims a run. PostgreSQL skips one that another node is claiming.
macro_rules! claim {
    ($lock:literal) => {
        concat!(
            "UPDATE workflow_run SET state = 'Running', worker = $3, lease_until = $4,
                 fence = fence + 1, revision = revision + 1, updated_at = $1
             WHERE (tenant, id) = (",
            claimable!("tenant, id"),
            $lock,
            ") RETURNING ",
            columns!()
        )
    };
}

const CLAIM: DialectSql = DialectSql {
    sqlite: claim!(""),
    postgres: claim!(" FOR UPDATE SKIP LOCKED"),
};

fn run_of(row: &Row) -> Result<RunRecord, StoreError> {
    Ok(RunRecord {
        tenant: row.get_text(0)?.to_owned(),
        id: row.get_text(1)?.to_owned(),
        list_key: row.get_text(2)?.to_owned(),
        state: row.get_named(3)?,
        plan: row.get_json(4)?,
        progress: row.get_json(5)?,
        total: row.get_u32(6)?,
        counts: row.get_json(7)?,
        cancelling: row.get_bool(8)?,
        fence: row.get_u64(9)?,
        revision: row.get_u64(10)?,
        created_at: row.get_time(11)?,
        updated_at: row.get_time(12)?,
        ended_at: row.get_time_option(13)?,
    })
}

pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<RunRecord>, StoreError> {
    let sql = select!("WHERE tenant = $1 AND id = $2");
    session.query_opt(sql, values![tenant, id], run_of).await
}

/// A page of runs, newest first.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    before: Option<&str>,
    limit: u32,
) -> Result<Vec<RunRecord>, StoreError> {
    let sql =
        select!("WHERE tenant = $1 AND ($2::text IS NULL OR id < $2) ORDER BY id DESC LIMIT $3");
    let parameters = values![tenant, before, limit];
    session.query_map(sql, parameters, run_of).await
}

/// The id of the active run of a list.
pub(crate) async fn active<S: Session>(
    session: &mut S,
    tenant: &str,
    list_key: &str,
) -> Result<Option<String>, StoreError> {
    let sql = "SELECT id FROM workflow_run WHERE tenant = $1 AND active = $2";
    let id_of = |row: &Row| Ok(row.get_text(0)?.to_owned());
    session
        .query_opt(sql, values![tenant, list_key], id_of)
        .await
}

/// Whether a run can be claimed.
pub(crate) async fn is_due<S: Session>(
    session: &mut S,
    only: Option<&str>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let sql = claimable!("id");
    let parameters = values![now, only];
    Ok(!session.query(sql, parameters).await?.is_empty())
}

/// Claims the run that has waited longest, or only the given one.
pub(crate) async fn claim<S: Session>(
    session: &mut S,
    worker: &str,
    only: Option<&str>,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<RunRecord>, StoreError> {
    let parameters = values![now, only, worker, until];
    session
        .query_opt(CLAIM.of(S::DIALECT), parameters, run_of)
        .await
}

pub(crate) async fn extend_lease<S: Session>(
    session: &mut S,
    lease: &Lease,
    until: Timestamp,
) -> Result<LeaseStatus, StoreError> {
    let sql = "UPDATE workflow_run SET lease_until = $4
         WHERE tenant = $1 AND id = $2 AND fence = $3 RETURNING cancelling";
    let parameters = values![&lease.tenant, &lease.id, lease.fence, until];
    let cancelling = session
        .query_opt(sql, parameters, |row| row.get_bool(0))
        .await?;
    Ok(
        cancelling.map_or(LeaseStatus::Lost, |cancelling| LeaseStatus::Active {
            cancelling,
        }),
    )
}

/// Ends all leases.
pub(crate) async fn end_leases<S: Session>(session: &mut S) -> Result<(), StoreError> {
    session.execute(END_LEASES, values![]).await?;
    Ok(())
}
