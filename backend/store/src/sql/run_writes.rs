//! Begins runs, writes their progress, cancels and requeues them.
//!
//! A list has at most one active run: a unique index rejects a second one. Whatever makes a run due
//! wakes the workers.

use checklist_shared::time::Timestamp;

use super::tenants::know_tenant;
use super::{DialectSql, Row, Session, WriteSession, json, run_rows, runs, values};
use crate::store::StoreError;
use crate::workflows::{
    BeginRunOutcome, Lease, LeaseStatus, NewRun, Requeue, RequeueOutcome, RunRecord, RunWrite,
    counts,
};

/// Selects a run by its lease, for writing.
macro_rules! leased {
    ($lock:literal) => {
        concat!(
            "SELECT cancelling, list_key FROM workflow_run
             WHERE tenant = $1 AND id = $2 AND fence = $3",
            $lock
        )
    };
}

const LEASED: DialectSql = DialectSql {
    sqlite: leased!(""),
    postgres: leased!(" FOR UPDATE"),
};

/// Adds a run, unless its list has an active one, or the operation is a repeat.
pub(crate) async fn begin<S: WriteSession>(
    session: &mut S,
    new: &NewRun,
) -> Result<BeginRunOutcome, StoreError> {
    know_tenant(session, &new.tenant, new.at).await?;
    if let Some(earlier) = find_earlier_run(session, new).await? {
        return Ok(earlier);
    }
    // On PostgreSQL unique indexes serialize concurrent inserts: the later one waits for the
    // earlier, inserts nothing, and then sees it.
    if !insert(session, new).await? {
        let earlier = find_earlier_run(session, new).await?;
        return earlier.ok_or(StoreError::Busy);
    }
    session.wake_workers();
    match runs::one(session, &new.tenant, &new.id).await? {
        Some(run) => Ok(BeginRunOutcome::New(Box::new(run))),
        None => Err(StoreError::Broken("a new run is not there".to_owned())),
    }
}

/// The run that the same operation began, or the active run of the list.
async fn find_earlier_run<S: Session>(
    session: &mut S,
    new: &NewRun,
) -> Result<Option<BeginRunOutcome>, StoreError> {
    if let Some((operation, body)) = &new.operation {
        let sql =
            "SELECT id, operation_body FROM workflow_run WHERE tenant = $1 AND operation = $2";
        let read = |row: &Row| Ok((row.get_text(0)?.to_owned(), row.get_hash(1)?));
        let parameters = values![&new.tenant, operation];
        if let Some((id, stored)) = session.query_opt(sql, parameters, read).await? {
            if stored != *body {
                return Ok(Some(BeginRunOutcome::OperationReused));
            }
            let run = runs::one(session, &new.tenant, &id).await?;
            return Ok(run.map(|run| BeginRunOutcome::Same(Box::new(run))));
        }
    }
    let active = runs::active(session, &new.tenant, &new.list_key).await?;
    Ok(active.map(BeginRunOutcome::Busy))
}

/// Inserts a run with its computers; `false` if its list has an active run, or its operation
/// exists.
async fn insert<S: Session>(session: &mut S, new: &NewRun) -> Result<bool, StoreError> {
    let (plan, progress, none) = (json(&new.plan)?, json(&new.progress)?, json(&counts(&[]))?);
    let operation = new.operation.as_ref();
    let parameters = values![
        &new.tenant,
        &new.id,
        &new.list_key,
        operation.map(|(operation, _)| operation),
        operation.map(|(_, body)| body),
        &plan,
        &progress,
        new.computers.len() as u64,
        &none,
        new.at,
    ];
    let inserted = session
        .execute(
            "INSERT INTO workflow_run (tenant, id, list_key, active, operation, operation_body,
                 state, plan, progress, total, counts, due_at, revision, created_at, updated_at)
             VALUES ($1, $2, $3, $3, $4, $5, 'Queued', $6, $7, $8, $9, $10, 1, $10, $10)
             ON CONFLICT DO NOTHING",
            parameters,
        )
        .await?;
    if inserted == 0 {
        return Ok(false);
    }
    let computers: Vec<_> = (0_u64..)
        .zip(&new.computers)
        .map(|(place, (computer, name))| values![&new.tenant, &new.id, place, computer, name])
        .collect();
    session
        .execute_each(
            "INSERT INTO workflow_computer (tenant, run, place, computer, name, detail)
             VALUES ($1, $2, $3, $4, $5, '{}')",
            &computers,
        )
        .await?;
    Ok(true)
}

/// Writes the progress of a run, if the lease is active.
pub(crate) async fn write<S: Session>(
    session: &mut S,
    lease: &Lease,
    write: &RunWrite,
) -> Result<LeaseStatus, StoreError> {
    let (tenant, id) = (lease.tenant.as_str(), lease.id.as_str());
    let read = |row: &Row| Ok((row.get_bool(0)?, row.get_text(1)?.to_owned()));
    let parameters = values![tenant, id, lease.fence];
    let leased = session
        .query_opt(LEASED.of(S::DIALECT), parameters, read)
        .await?;
    let Some((cancelling, list)) = leased else {
        return Ok(LeaseStatus::Lost);
    };
    run_rows::save_computers(session, tenant, id, &write.rows).await?;
    if let Some(step) = &write.step {
        run_rows::save_step(session, tenant, id, step).await?;
    }
    run_rows::save_entries(session, tenant, &list, &write.entries, &write.gone).await?;
    if let Some(progress) = &write.progress {
        let progress = json(progress)?;
        let sql = "UPDATE workflow_run SET progress = $3 WHERE tenant = $1 AND id = $2";
        session.execute(sql, values![tenant, id, &progress]).await?;
    }
    if let Some(state) = write.state {
        let sql = "UPDATE workflow_run
             SET state = $3, active = CASE WHEN $4 THEN NULL ELSE active END,
                 ended_at = CASE WHEN $4 THEN $5::bigint END
             WHERE tenant = $1 AND id = $2";
        let parameters = values![tenant, id, state.name(), state.is_final(), lease.now];
        session.execute(sql, parameters).await?;
    }
    if let Some(due) = write.release {
        // A cancellation may have been requested meanwhile: then the run is due at once.
        let sql = "UPDATE workflow_run
             SET worker = NULL, lease_until = 0, fence = fence + 1,
                 due_at = CASE WHEN cancelling THEN 0 ELSE $3::bigint END,
                 state = CASE WHEN cancelling AND state = 'AwaitingConfirmation' THEN 'Queued'
                              ELSE state END
             WHERE tenant = $1 AND id = $2";
        session.execute(sql, values![tenant, id, due]).await?;
    }
    run_rows::count(session, tenant, id, lease.now).await?;
    Ok(LeaseStatus::Active { cancelling })
}

/// Asks for a run to be cancelled, and returns it.
pub(crate) async fn cancel<S: WriteSession>(
    session: &mut S,
    tenant: &str,
    id: &str,
    now: Timestamp,
) -> Result<Option<RunRecord>, StoreError> {
    let sql = "UPDATE workflow_run
         SET cancelling = TRUE, due_at = 0, revision = revision + 1, updated_at = $3,
             state = CASE state WHEN 'AwaitingConfirmation' THEN 'Queued' ELSE state END
         WHERE tenant = $1 AND id = $2 AND active IS NOT NULL AND NOT cancelling";
    if session.execute(sql, values![tenant, id, now]).await? > 0 {
        session.wake_workers();
    }
    runs::one(session, tenant, id).await
}

/// Queues a run again, if nothing has changed it since.
pub(crate) async fn requeue<S: WriteSession>(
    session: &mut S,
    requeue: &Requeue,
) -> Result<RequeueOutcome, StoreError> {
    let (tenant, id) = (requeue.tenant.as_str(), requeue.id.as_str());
    // Locked from here on against concurrent changes.
    let lock = "SELECT id FROM workflow_run WHERE tenant = $1 AND id = $2 FOR UPDATE";
    session.lock(lock, values![tenant, id]).await?;
    let stored = runs::one(session, tenant, id).await?;
    let Some(run) = stored.filter(|run| run.revision == requeue.revision) else {
        return Ok(RequeueOutcome::Changed);
    };
    let active = runs::active(session, tenant, &run.list_key).await?;
    if let Some(other) = active.filter(|active| active != id) {
        return Ok(RequeueOutcome::Busy(other));
    }
    run_rows::save_computers(session, tenant, id, &requeue.rows).await?;
    run_rows::save_choices(session, tenant, &run.list_key, &requeue.choices).await?;
    let progress = json(&requeue.progress)?;
    let sql = "UPDATE workflow_run
         SET state = 'Queued', active = list_key, cancelling = FALSE, progress = $3, due_at = $4,
             ended_at = NULL, lease_until = 0, fence = fence + 1
         WHERE tenant = $1 AND id = $2";
    let parameters = values![tenant, id, &progress, requeue.stamp.at];
    session.execute(sql, parameters).await?;
    run_rows::count(session, tenant, id, requeue.stamp.at).await?;
    session.wake_workers();
    match runs::one(session, tenant, id).await? {
        Some(run) => Ok(RequeueOutcome::Done(Box::new(run))),
        None => Ok(RequeueOutcome::Changed),
    }
}
