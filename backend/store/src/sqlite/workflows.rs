//! Runs of workflows in the SQLite file.
//!
//! Whatever makes a run due wakes the worker after its commit. The statements are in
//! `workflow_rows`.

use std::sync::Arc;

use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::RunStep;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::SqliteStore;
use super::columns::{int, json};
use super::sql::SqlSession;
use super::workflow_rows::{self as rows, RUN, run_of};
use crate::job_notifier::JobNotifier;
use crate::sql::tenants::know_tenant;
use crate::sql::{run_inline, run_rows};
use crate::store::{Reply, StoreError};
use crate::workflows::{
    BeginRunOutcome, ExportedEntry, Lease, LeaseStatus, NewRun, Requeue, RequeueOutcome, RowRecord,
    RunRecord, RunRowFilter, RunWrite, StoredChoice, Workflows,
};

/// Uses the index of runs that have not ended: after some years most of them have.
pub(super) const END_LEASES: &str = "UPDATE workflow_run SET lease_until = 0
     WHERE state IN ('Queued', 'Running') AND lease_until > 0";

impl Workflows for SqliteStore {
    fn begin_run(&self, run: NewRun) -> Reply<'_, BeginRunOutcome> {
        self.write(move |work| {
            let begun = begin(work.connection, &run)?;
            if matches!(begun, BeginRunOutcome::New(_)) {
                work.wake_worker();
            }
            Ok(begun)
        })
    }

    fn run<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<RunRecord>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.read(move |connection, _| Ok(rows::run(connection, &tenant, &id)?))
    }

    fn runs<'a>(
        &'a self,
        tenant: &'a str,
        before: Option<&'a str>,
        limit: u32,
    ) -> Reply<'a, Vec<RunRecord>> {
        let (tenant, before) = (tenant.to_owned(), before.map(str::to_owned));
        self.read(move |connection, _| {
            let found: Result<Vec<RunRecord>> = connection
                .prepare_cached(&format!(
                    "SELECT {RUN} FROM workflow_run WHERE tenant = ?1 AND (?2 IS NULL OR id < ?2)
                     ORDER BY id DESC LIMIT ?3"
                ))?
                .query_map(params![tenant, before, limit], run_of)?
                .collect();
            Ok(found?)
        })
    }

    fn run_computers<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        which: RunRowFilter,
    ) -> Reply<'a, Vec<RowRecord>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.read(move |connection, _| {
            run_inline(run_rows::computers(
                &mut SqlSession(connection),
                &tenant,
                &id,
                which,
            ))
        })
    }

    fn run_steps<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Vec<RunStep>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.read(move |connection, _| {
            run_inline(run_rows::steps(&mut SqlSession(connection), &tenant, &id))
        })
    }

    fn claim_run<'a>(
        &'a self,
        worker: &'a str,
        only: Option<&'a str>,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Option<RunRecord>> {
        let (worker, only) = (worker.to_owned(), only.map(str::to_owned));
        Box::pin(async move {
            // Usually no run is due, and no write is needed.
            let which = only.clone();
            let waits = self
                .read(move |connection, _| Ok(due(connection, which.as_deref(), now)?.is_some()));
            if !waits.await? {
                return Ok(None);
            }
            self.write(move |work| {
                Ok(claim(
                    work.connection,
                    &worker,
                    only.as_deref(),
                    now,
                    until,
                )?)
            })
            .await
        })
    }

    fn end_stale_leases(&self) -> Reply<'_, ()> {
        self.write(|work| {
            work.connection.prepare_cached(END_LEASES)?.execute([])?;
            Ok(())
        })
    }

    fn extend_lease(&self, hold: Lease, until: Timestamp) -> Reply<'_, LeaseStatus> {
        self.write(move |work| {
            let grip = work
                .connection
                .prepare_cached(
                    "UPDATE workflow_run SET lease_until = ?4 WHERE tenant = ?1 AND id = ?2 AND fence = ?3
                     RETURNING cancelling",
                )?
                .query_row(
                    params![hold.tenant, hold.id, int(hold.fence), until.as_millis()],
                    |row| row.get(0),
                )
                .optional()?;
            Ok(grip.map_or(LeaseStatus::Lost, |cancelling| LeaseStatus::Active { cancelling }))
        })
    }

    fn write_run(&self, hold: Lease, write: RunWrite) -> Reply<'_, LeaseStatus> {
        self.write(move |work| write_run(work.connection, &hold, &write))
    }

    fn cancel_run<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        now: Timestamp,
    ) -> Reply<'a, Option<RunRecord>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.write(move |work| {
            let cancelled = work
                .connection
                .prepare_cached(
                    "UPDATE workflow_run SET cancelling = 1, due_at = 0, revision = revision + 1, updated_at = ?3,
                         state = iif(state = 'AwaitingConfirmation', 'Queued', state)
                     WHERE tenant = ?1 AND id = ?2 AND active IS NOT NULL AND cancelling = 0",
                )?
                .execute(params![tenant, id, now.as_millis()])?;
            if cancelled > 0 {
                work.wake_worker();
            }
            Ok(rows::run(work.connection, &tenant, &id)?)
        })
    }

    fn requeue_run(&self, requeue: Requeue) -> Reply<'_, RequeueOutcome> {
        self.write(move |work| {
            let requeued = apply_requeue(work.connection, &requeue)?;
            if matches!(requeued, RequeueOutcome::Done(_)) {
                work.wake_worker();
            }
            Ok(requeued)
        })
    }

    fn known_entries<'a>(
        &'a self,
        tenant: &'a str,
        list: &'a str,
    ) -> Reply<'a, Vec<ExportedEntry>> {
        let (tenant, list) = (tenant.to_owned(), list.to_owned());
        self.read(move |connection, _| {
            run_inline(run_rows::entries(
                &mut SqlSession(connection),
                &tenant,
                &list,
            ))
        })
    }

    fn run_choices<'a>(&'a self, tenant: &'a str, list: &'a str) -> Reply<'a, Vec<StoredChoice>> {
        let (tenant, list) = (tenant.to_owned(), list.to_owned());
        self.read(move |connection, _| {
            run_inline(run_rows::choices(
                &mut SqlSession(connection),
                &tenant,
                &list,
            ))
        })
    }

    fn job_notifier(&self) -> Arc<JobNotifier> {
        Arc::clone(&self.shared.job_notifier)
    }
}

fn begin(connection: &Connection, new: &NewRun) -> Result<BeginRunOutcome, StoreError> {
    if let Some((operation, body)) = &new.operation {
        let known: Option<(String, [u8; 32])> = connection
            .prepare_cached(
                "SELECT id, operation_body FROM workflow_run WHERE tenant = ?1 AND operation = ?2",
            )?
            .query_row([&new.tenant, operation], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        if let Some((id, asked)) = known {
            let same = (asked == *body)
                .then(|| rows::run(connection, &new.tenant, &id))
                .transpose()?
                .flatten();
            return Ok(same.map_or(BeginRunOutcome::OperationReused, |run| {
                BeginRunOutcome::Same(Box::new(run))
            }));
        }
    }
    if let Some(id) = rows::active(connection, &new.tenant, &new.list_key)? {
        return Ok(BeginRunOutcome::Busy(id));
    }
    run_inline(know_tenant(
        &mut SqlSession(connection),
        &new.tenant,
        new.at,
    ))?;
    rows::insert_run(connection, new)?;
    match rows::run(connection, &new.tenant, &new.id)? {
        Some(run) => Ok(BeginRunOutcome::New(Box::new(run))),
        None => Err(StoreError::Broken("a new run is not there".to_owned())),
    }
}

fn due(
    connection: &Connection,
    only: Option<&str>,
    now: Timestamp,
) -> Result<Option<(String, String)>> {
    connection
        .prepare_cached(
            "SELECT tenant, id FROM workflow_run
             WHERE state IN ('Queued', 'Running') AND due_at <= ?1 AND lease_until <= ?1
                 AND (?2 IS NULL OR id = ?2)
             ORDER BY due_at LIMIT 1",
        )?
        .query_row(params![now.as_millis(), only], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()
}

fn claim(
    connection: &Connection,
    worker: &str,
    only: Option<&str>,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<RunRecord>> {
    let Some((tenant, id)) = due(connection, only, now)? else {
        return Ok(None);
    };
    connection
        .prepare_cached(
            "UPDATE workflow_run SET state = 'Running', worker = ?3, lease_until = ?4, fence = fence + 1,
                 revision = revision + 1, updated_at = ?5
             WHERE tenant = ?1 AND id = ?2",
        )?
        .execute(params![
            tenant,
            id,
            worker,
            until.as_millis(),
            now.as_millis()
        ])?;
    rows::run(connection, &tenant, &id)
}

fn write_run(
    connection: &Connection,
    hold: &Lease,
    write: &RunWrite,
) -> Result<LeaseStatus, StoreError> {
    let session = &mut SqlSession(connection);
    let (tenant, id) = (hold.tenant.as_str(), hold.id.as_str());
    let held: Option<(bool, String)> = connection
        .prepare_cached(
            "SELECT cancelling, list_key FROM workflow_run WHERE tenant = ?1 AND id = ?2 AND fence = ?3",
        )?
        .query_row(params![tenant, id, int(hold.fence)], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((cancelling, list)) = held else {
        return Ok(LeaseStatus::Lost);
    };
    run_inline(run_rows::save_computers(session, tenant, id, &write.rows))?;
    if let Some(step) = &write.step {
        run_inline(run_rows::save_step(session, tenant, id, step))?;
    }
    run_inline(run_rows::save_entries(
        session,
        tenant,
        &list,
        &write.entries,
        &write.gone,
    ))?;
    if let Some(progress) = &write.progress {
        connection
            .prepare_cached("UPDATE workflow_run SET progress = ?3 WHERE tenant = ?1 AND id = ?2")?
            .execute(params![tenant, id, json(progress)?])?;
    }
    if let Some(state) = write.state {
        connection
            .prepare_cached(
                "UPDATE workflow_run SET state = ?3, active = iif(?4, NULL, active), ended_at = iif(?4, ?5, NULL)
                 WHERE tenant = ?1 AND id = ?2",
            )?
            .execute(params![
                tenant,
                id,
                state.name(),
                state.is_final(),
                hold.now.as_millis()
            ])?;
    }
    if let Some(due) = write.release {
        // A cancellation may have been requested meanwhile: then the run is due at once.
        connection
            .prepare_cached(
                "UPDATE workflow_run SET worker = NULL, lease_until = 0, fence = fence + 1,
                     due_at = iif(cancelling, 0, ?3),
                     state = iif(cancelling AND state = 'AwaitingConfirmation', 'Queued', state)
                 WHERE tenant = ?1 AND id = ?2",
            )?
            .execute(params![tenant, id, due.as_millis()])?;
    }
    run_inline(run_rows::count(session, tenant, id, hold.now))?;
    Ok(LeaseStatus::Active { cancelling })
}

fn apply_requeue(connection: &Connection, requeue: &Requeue) -> Result<RequeueOutcome, StoreError> {
    let session = &mut SqlSession(connection);
    let (tenant, id) = (requeue.tenant.as_str(), requeue.id.as_str());
    let Some(run) = rows::run(connection, tenant, id)? else {
        return Ok(RequeueOutcome::Changed);
    };
    if run.revision != requeue.revision {
        return Ok(RequeueOutcome::Changed);
    }
    if let Some(other) =
        rows::active(connection, tenant, &run.list_key)?.filter(|other| other != id)
    {
        return Ok(RequeueOutcome::Busy(other));
    }
    run_inline(run_rows::save_computers(session, tenant, id, &requeue.rows))?;
    run_inline(run_rows::save_choices(
        session,
        tenant,
        &run.list_key,
        &requeue.choices,
    ))?;
    connection
        .prepare_cached(
            "UPDATE workflow_run SET state = 'Queued', active = list_key, cancelling = 0, progress = ?3,
                 due_at = ?4, ended_at = NULL, lease_until = 0, fence = fence + 1
             WHERE tenant = ?1 AND id = ?2",
        )?
        .execute(params![
            tenant,
            id,
            json(&requeue.progress)?,
            requeue.at.as_millis()
        ])?;
    run_inline(run_rows::count(session, tenant, id, requeue.at))?;
    match rows::run(connection, tenant, id)? {
        Some(run) => Ok(RequeueOutcome::Done(Box::new(run))),
        None => Ok(RequeueOutcome::Changed),
    }
}
