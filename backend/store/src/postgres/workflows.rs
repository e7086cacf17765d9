//! Runs of workflows in PostgreSQL.
//!
//! The statements are in `workflow_rows`. A tenant's data is accessed in that tenant's session;
//! only the search for due runs covers all tenants. Whatever makes a run due wakes the workers of
//! all nodes with its commit.

use std::sync::Arc;

use checklist_shared::time::Timestamp;
use checklist_shared::wire::workflow::RunStep;

use super::announcer::NOTIFY_JOBS;
use super::columns::{get, get_hash, int, json};
use super::error::PostgresError;
use super::session::Session;
use super::workflow_rows::{self as rows, run_columns, run_of};
use super::{PostgresStore, is_nobody};
use crate::job_notifier::JobNotifier;
use crate::sql::run_rows;
use crate::sql::tenants::know_tenant;
use crate::store::Reply;
use crate::workflows::{
    BeginRunOutcome, ExportedEntry, Lease, LeaseStatus, NewRun, Requeue, RequeueOutcome, RowRecord,
    RunRecord, RunRowFilter, RunWrite, StoredChoice, Workflows,
};

impl Workflows for PostgresStore {
    fn begin_run(&self, run: NewRun) -> Reply<'_, BeginRunOutcome> {
        Box::pin(async move {
            let is_due = |begun: &BeginRunOutcome| matches!(begun, BeginRunOutcome::New(_));
            let work = async |session: &mut Session| begin(session, &run).await;
            Ok(self.enqueue(&run.tenant, is_due, work).await?)
        })
    }

    fn run<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Option<RunRecord>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(None) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            Ok(rows::run(&mut session, tenant, id).await?)
        })
    }

    fn runs<'a>(
        &'a self,
        tenant: &'a str,
        before: Option<&'a str>,
        limit: u32,
    ) -> Reply<'a, Vec<RunRecord>> {
        if is_nobody(tenant) || before.is_some_and(is_nobody) {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            let found = session
                .query(
                    concat!(
                        "SELECT ",
                        run_columns!(),
                        " FROM workflow_run WHERE tenant = $1 AND ($2::text IS NULL OR id < $2) \
                         ORDER BY id DESC LIMIT $3"
                    ),
                    &[&tenant, &before, &i64::from(limit)],
                )
                .await?;
            Ok(found
                .iter()
                .map(run_of)
                .collect::<Result<_, PostgresError>>()?)
        })
    }

    fn run_computers<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        which: RunRowFilter,
    ) -> Reply<'a, Vec<RowRecord>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            run_rows::computers(&mut *session, tenant, id, which).await
        })
    }

    fn run_steps<'a>(&'a self, tenant: &'a str, id: &'a str) -> Reply<'a, Vec<RunStep>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            run_rows::steps(&mut *session, tenant, id).await
        })
    }

    fn claim_run<'a>(
        &'a self,
        worker: &'a str,
        only: Option<&'a str>,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, Option<RunRecord>> {
        Box::pin(async move {
            let mut session = self.pool.sign_in().await?;
            let found = session
                .query(
                    concat!(
                        "UPDATE workflow_run SET state = 'Running', worker = $1, lease_until = $3, \
                             fence = fence + 1, revision = revision + 1, updated_at = $2 \
                         WHERE (tenant, id) = (SELECT tenant, id FROM workflow_run \
                             WHERE state IN ('Queued', 'Running') AND due_at <= $2 AND lease_until <= $2 \
                                 AND ($4::text IS NULL OR id = $4) \
                             ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) \
                         RETURNING ",
                        run_columns!()
                    ),
                    &[&worker, &now.as_millis(), &until.as_millis(), &only],
                )
                .await?;
            Ok(found.first().map(run_of).transpose()?)
        })
    }

    fn end_stale_leases(&self) -> Reply<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn extend_lease(&self, hold: Lease, until: Timestamp) -> Reply<'_, LeaseStatus> {
        Box::pin(async move {
            let mut session = self.pool.of(&hold.tenant).await?;
            let found = session
                .query(
                    "UPDATE workflow_run SET lease_until = $4 \
                     WHERE tenant = $1 AND id = $2 AND fence = $3 RETURNING cancelling",
                    &[&hold.tenant, &hold.id, &int(hold.fence), &until.as_millis()],
                )
                .await?;
            Ok(match found.first() {
                Some(row) => LeaseStatus::Active {
                    cancelling: get(row, 0)?,
                },
                None => LeaseStatus::Lost,
            })
        })
    }

    fn write_run(&self, hold: Lease, write: RunWrite) -> Reply<'_, LeaseStatus> {
        Box::pin(async move {
            let work = async |session: &mut Session| write_run(session, &hold, &write).await;
            Ok(self.transaction(&hold.tenant, "BEGIN", work).await?)
        })
    }

    fn cancel_run<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        now: Timestamp,
    ) -> Reply<'a, Option<RunRecord>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(None) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            let cancelled = session
                .execute(
                    "WITH cancelled AS (UPDATE workflow_run \
                         SET cancelling = TRUE, due_at = 0, revision = revision + 1, updated_at = $3, \
                         state = CASE state WHEN 'AwaitingConfirmation' THEN 'Queued' ELSE state END \
                         WHERE tenant = $1 AND id = $2 AND active IS NOT NULL AND NOT cancelling \
                         RETURNING id) \
                     SELECT pg_notify('checklist_jobs', $4) FROM cancelled",
                    &[&tenant, &id, &now.as_millis(), &self.announcer.node()],
                )
                .await?;
            if cancelled > 0 {
                self.announcer.job_notifier().notify();
            }
            Ok(rows::run(&mut session, tenant, id).await?)
        })
    }

    fn requeue_run(&self, requeue: Requeue) -> Reply<'_, RequeueOutcome> {
        Box::pin(async move {
            let is_due = |requeued: &RequeueOutcome| matches!(requeued, RequeueOutcome::Done(_));
            let work = async |session: &mut Session| apply_requeue(session, &requeue).await;
            Ok(self.enqueue(&requeue.tenant, is_due, work).await?)
        })
    }

    fn known_entries<'a>(
        &'a self,
        tenant: &'a str,
        list: &'a str,
    ) -> Reply<'a, Vec<ExportedEntry>> {
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            run_rows::entries(&mut *session, tenant, list).await
        })
    }

    fn run_choices<'a>(&'a self, tenant: &'a str, list: &'a str) -> Reply<'a, Vec<StoredChoice>> {
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            run_rows::choices(&mut *session, tenant, list).await
        })
    }

    fn job_notifier(&self) -> Arc<JobNotifier> {
        Arc::clone(self.announcer.job_notifier())
    }
}

impl PostgresStore {
    /// Writes a run in a transaction of the tenant. If the run is due then, the commit wakes the
    /// workers of all nodes.
    async fn enqueue<T>(
        &self,
        tenant: &str,
        is_due: fn(&T) -> bool,
        write: impl AsyncFnOnce(&mut Session) -> Result<T, PostgresError>,
    ) -> Result<T, PostgresError> {
        let written = self
            .transaction(tenant, "BEGIN", async |session| {
                let written = write(session).await?;
                if is_due(&written) {
                    let node = self.announcer.node();
                    session.execute(NOTIFY_JOBS, &[&node]).await?;
                }
                Ok(written)
            })
            .await?;
        if is_due(&written) {
            self.announcer.job_notifier().notify();
        }
        Ok(written)
    }
}

async fn begin(session: &mut Session, new: &NewRun) -> Result<BeginRunOutcome, PostgresError> {
    know_tenant(session, &new.tenant, new.at).await?;
    // Unique indexes serialize concurrent inserts: the later one waits for the earlier, inserts
    // nothing, and then sees it.
    if let Some(known) = find_earlier_run(session, new).await? {
        return Ok(known);
    }
    if !rows::insert_run(session, new).await? {
        return match find_earlier_run(session, new).await? {
            Some(known) => Ok(known),
            None => Err(PostgresError::Busy),
        };
    }
    match rows::run(session, &new.tenant, &new.id).await? {
        Some(run) => Ok(BeginRunOutcome::New(Box::new(run))),
        None => Err(PostgresError::Broken("a new run is not there".to_owned())),
    }
}

/// The run that the same operation began, or the active run of the list.
async fn find_earlier_run(
    session: &mut Session,
    new: &NewRun,
) -> Result<Option<BeginRunOutcome>, PostgresError> {
    if let Some((operation, body)) = &new.operation {
        let found = session
            .query(
                "SELECT id, operation_body FROM workflow_run WHERE tenant = $1 AND operation = $2",
                &[&new.tenant, operation],
            )
            .await?;
        if let Some(row) = found.first() {
            if get_hash(row, 1)? != *body {
                return Ok(Some(BeginRunOutcome::OperationReused));
            }
            let id: String = get(row, 0)?;
            let run = rows::run(session, &new.tenant, &id).await?;
            return Ok(run.map(|run| BeginRunOutcome::Same(Box::new(run))));
        }
    }
    let active = rows::active(session, &new.tenant, &new.list_key).await?;
    Ok(active.map(BeginRunOutcome::Busy))
}

async fn write_run(
    session: &mut Session,
    hold: &Lease,
    write: &RunWrite,
) -> Result<LeaseStatus, PostgresError> {
    let (tenant, id) = (hold.tenant.as_str(), hold.id.as_str());
    let held = session
        .query(
            "SELECT cancelling, list_key FROM workflow_run \
             WHERE tenant = $1 AND id = $2 AND fence = $3 FOR UPDATE",
            &[&tenant, &id, &int(hold.fence)],
        )
        .await?;
    let Some(row) = held.first() else {
        return Ok(LeaseStatus::Lost);
    };
    let (cancelling, list): (bool, String) = (get(row, 0)?, get(row, 1)?);
    run_rows::save_computers(session, tenant, id, &write.rows).await?;
    if let Some(step) = &write.step {
        run_rows::save_step(session, tenant, id, step).await?;
    }
    run_rows::save_entries(session, tenant, &list, &write.entries, &write.gone).await?;
    if let Some(progress) = &write.progress {
        session
            .execute(
                "UPDATE workflow_run SET progress = $3 WHERE tenant = $1 AND id = $2",
                &[&tenant, &id, &json(progress)?],
            )
            .await?;
    }
    if let Some(state) = write.state {
        session
            .execute(
                "UPDATE workflow_run SET state = $3, \
                     active = CASE WHEN $4 THEN NULL ELSE active END, \
                     ended_at = CASE WHEN $4 THEN $5::bigint END \
                 WHERE tenant = $1 AND id = $2",
                &[
                    &tenant,
                    &id,
                    &state.name(),
                    &state.is_final(),
                    &hold.now.as_millis(),
                ],
            )
            .await?;
    }
    if let Some(due) = write.release {
        // A cancellation may have been requested meanwhile: then the run is due at once.
        session
            .execute(
                "UPDATE workflow_run SET worker = NULL, lease_until = 0, fence = fence + 1, \
                     due_at = CASE WHEN cancelling THEN 0 ELSE $3::bigint END, \
                     state = CASE WHEN cancelling AND state = 'AwaitingConfirmation' THEN 'Queued' \
                         ELSE state END \
                 WHERE tenant = $1 AND id = $2",
                &[&tenant, &id, &due.as_millis()],
            )
            .await?;
    }
    run_rows::count(session, tenant, id, hold.now).await?;
    Ok(LeaseStatus::Active { cancelling })
}

async fn apply_requeue(
    session: &mut Session,
    requeue: &Requeue,
) -> Result<RequeueOutcome, PostgresError> {
    let (tenant, id) = (requeue.tenant.as_str(), requeue.id.as_str());
    // Locked from here on against concurrent changes.
    let locked = session
        .query(
            "SELECT 1 FROM workflow_run WHERE tenant = $1 AND id = $2 AND revision = $3 FOR UPDATE",
            &[&tenant, &id, &int(requeue.revision)],
        )
        .await?;
    let (false, Some(run)) = (locked.is_empty(), rows::run(session, tenant, id).await?) else {
        return Ok(RequeueOutcome::Changed);
    };
    let other = rows::active(session, tenant, &run.list_key).await?;
    if let Some(other) = other.filter(|other| other != id) {
        return Ok(RequeueOutcome::Busy(other));
    }
    run_rows::save_computers(session, tenant, id, &requeue.rows).await?;
    run_rows::save_choices(session, tenant, &run.list_key, &requeue.choices).await?;
    session
        .execute(
            "UPDATE workflow_run SET state = 'Queued', active = list_key, cancelling = FALSE, \
                 progress = $3, due_at = $4, ended_at = NULL, lease_until = 0, fence = fence + 1 \
             WHERE tenant = $1 AND id = $2",
            &[
                &tenant,
                &id,
                &json(&requeue.progress)?,
                &requeue.at.as_millis(),
            ],
        )
        .await?;
    run_rows::count(session, tenant, id, requeue.at).await?;
    match rows::run(session, tenant, id).await? {
        Some(run) => Ok(RequeueOutcome::Done(Box::new(run))),
        None => Ok(RequeueOutcome::Changed),
    }
}
