//! Runs of `ApplyTemplate`: begins, reads and claims them, and writes the outcomes of lists.
//!
//! Each claim increases the fence of a run.

use checklist_shared::context::Context;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::apply::{ApplyCounts, ApplyOutcome};

use super::row::json_option;
use super::tenants::know_tenant;
use super::{DialectSql, Row, Session, json, values};
use crate::store::StoreError;
use crate::template_runs::{
    ListOutcomeFilter, NewTemplateRun, RunListFilter, RunListRecord, TemplateRunPlan,
    TemplateRunRecord, TemplateRunWrite,
};
use crate::workflows::Lease;

/// Uses the index of runs that have not ended.
pub(crate) const END_LEASES: &str = "UPDATE template_run SET lease_until = 0
     WHERE state IN ('Queued', 'Running') AND lease_until > 0";

/// The columns of a run, in the order in which [`run_of`] reads them.
macro_rules! columns {
    () => {
        "tenant, id, scope, state, plan, total, counts, stopping, problem, fence, created_at,
         updated_at, ended_at"
    };
}

/// Selects runs.
macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!(), " FROM template_run ", $rest)
    };
}

/// The run whose turn it is, without locking.
macro_rules! claimable {
    ($columns:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM template_run WHERE state IN ('Queued', 'Running') AND lease_until <= $1
              ORDER BY updated_at LIMIT 1"
        )
    };
}

/// Claims a run. PostgreSQL skips one that another node is claiming.
macro_rules! claim {
    ($lock:literal) => {
        concat!(
            "UPDATE template_run SET state = 'Running', worker = $2, lease_until = $3,
                 fence = fence + 1, updated_at = $1
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

/// The lists of a run after a position that match a filter.
macro_rules! lists {
    ($filter:literal) => {
        concat!(
            "SELECT place, object_type, object_id, purpose, template, outcome, items, problem
             FROM template_run_list WHERE tenant = $1 AND run = $2 AND place > $3 ",
            $filter,
            " ORDER BY place LIMIT $4"
        )
    };
}

fn run_of(row: &Row) -> Result<TemplateRunRecord, StoreError> {
    Ok(TemplateRunRecord {
        tenant: row.get_text(0)?.to_owned(),
        id: row.get_text(1)?.to_owned(),
        scope: row.get_text(2)?.to_owned(),
        state: row.get_named(3)?,
        plan: row.get_json(4)?,
        total: row.get_u32(5)?,
        counts: row.get_json(6)?,
        stopping: row.get_bool(7)?,
        problem: row.get_json_option(8)?,
        fence: row.get_u64(9)?,
        created_at: row.get_time(10)?,
        updated_at: row.get_time(11)?,
        ended_at: row.get_time_option(12)?,
    })
}

fn list_of(row: &Row) -> Result<RunListRecord, StoreError> {
    let context = Context::new(row.get_text(1)?, row.get_text(2)?, row.get_text(3)?);
    Ok(RunListRecord {
        place: row.get_u32(0)?,
        context: Context {
            template_id: row.get_text_option(4)?.map(str::to_owned),
            ..context
        },
        outcome: row.get_named_option(5)?,
        items: row.get_u32(6)?,
        problem: row.get_json_option(7)?,
    })
}

pub(crate) async fn begin<S: Session>(
    session: &mut S,
    new: &NewTemplateRun,
) -> Result<TemplateRunRecord, StoreError> {
    know_tenant(session, &new.tenant, new.at).await?;
    let (plan, none) = (json(&new.plan)?, json(&ApplyCounts::default())?);
    let parameters = values![
        &new.tenant,
        &new.id,
        &new.scope,
        &plan,
        new.contexts.len() as u64,
        &none,
        new.at,
    ];
    session
        .execute(
            "INSERT INTO template_run
                 (tenant, id, scope, state, plan, total, counts, created_at, updated_at)
             VALUES ($1, $2, $3, 'Queued', $4, $5, $6, $7, $7)",
            parameters,
        )
        .await?;
    let lists: Vec<_> = (0_u64..)
        .zip(&new.contexts)
        .map(|(place, context)| {
            values![
                &new.tenant,
                &new.id,
                place,
                &context.object_type,
                &context.object_id,
                &context.purpose,
                context.template_id.as_ref(),
            ]
        })
        .collect();
    session
        .execute_each(
            "INSERT INTO template_run_list
                 (tenant, run, place, object_type, object_id, purpose, template)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &lists,
        )
        .await?;
    let run = one(session, &new.tenant, &new.id).await?;
    run.ok_or_else(|| StoreError::Broken("a new run is not there".to_owned()))
}

pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<TemplateRunRecord>, StoreError> {
    let sql = select!("WHERE tenant = $1 AND id = $2");
    session.query_opt(sql, values![tenant, id], run_of).await
}

/// A page of runs, newest first.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    scope: Option<&str>,
    before: Option<&str>,
    limit: u32,
) -> Result<Vec<TemplateRunRecord>, StoreError> {
    let sql = select!(
        "WHERE tenant = $1 AND ($2::text IS NULL OR id < $2) AND ($3::text IS NULL OR scope = $3)
         ORDER BY id DESC LIMIT $4"
    );
    let parameters = values![tenant, before, scope, limit];
    session.query_map(sql, parameters, run_of).await
}

pub(crate) async fn lists<S: Session>(
    session: &mut S,
    tenant: &str,
    run: &str,
    which: RunListFilter,
) -> Result<Vec<RunListRecord>, StoreError> {
    let mut parameters = values![tenant, run, which.after.map_or(-1, i64::from), which.limit];
    let sql = match which.outcome {
        ListOutcomeFilter::Any => lists!(""),
        ListOutcomeFilter::None => lists!("AND outcome IS NULL"),
        ListOutcomeFilter::Only(outcome) => {
            parameters.push(outcome.name().into());
            lists!("AND outcome = $5")
        }
    };
    session.query_map(sql, parameters, list_of).await
}

/// Whether a run can be claimed.
pub(crate) async fn is_due<S: Session>(
    session: &mut S,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let sql = claimable!("id");
    Ok(!session.query(sql, values![now]).await?.is_empty())
}

/// Claims the run that has waited longest for its turn.
pub(crate) async fn claim<S: Session>(
    session: &mut S,
    worker: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<TemplateRunRecord>, StoreError> {
    let parameters = values![now, worker, until];
    session
        .query_opt(CLAIM.of(S::DIALECT), parameters, run_of)
        .await
}

/// Stores outcomes and releases the run, if the lease is active.
pub(crate) async fn settle<S: Session>(
    session: &mut S,
    lease: &Lease,
    write: &TemplateRunWrite,
) -> Result<bool, StoreError> {
    let (tenant, id) = (lease.tenant.as_str(), lease.id.as_str());
    let (counts, problem) = (json(&write.counts)?, json_option(write.problem.as_ref())?);
    let sql = "UPDATE template_run
         SET counts = $4, problem = $5, worker = NULL, lease_until = 0, fence = fence + 1,
             updated_at = $6,
             state = CASE WHEN stopping AND $7 THEN 'Stopped' ELSE $8 END,
             ended_at = CASE WHEN stopping OR NOT $7 THEN $6::bigint END
         WHERE tenant = $1 AND id = $2 AND fence = $3 AND state = 'Running'";
    let parameters = values![
        tenant,
        id,
        lease.fence,
        &counts,
        problem.as_ref(),
        lease.now,
        !write.state.has_ended(),
        write.state.name(),
    ];
    if session.execute(sql, parameters).await? == 0 {
        return Ok(false);
    }
    let problems = write
        .lists
        .iter()
        .map(|list| json_option(list.problem.as_ref()))
        .collect::<Result<Vec<_>, _>>()?;
    let rows: Vec<_> = write
        .lists
        .iter()
        .zip(&problems)
        .map(|(list, problem)| {
            let outcome = list.outcome.map(ApplyOutcome::name);
            values![
                tenant,
                id,
                list.place,
                outcome,
                list.items,
                problem.as_ref()
            ]
        })
        .collect();
    session
        .execute_each(
            "UPDATE template_run_list SET outcome = $4, items = $5, problem = $6
             WHERE tenant = $1 AND run = $2 AND place = $3",
            &rows,
        )
        .await?;
    Ok(true)
}

/// Has a run stop: at once if nobody is at it, else after the present chunk.
pub(crate) async fn stop<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
    now: Timestamp,
) -> Result<Option<TemplateRunRecord>, StoreError> {
    let sql = "UPDATE template_run
         SET stopping = TRUE, updated_at = $3,
             state = CASE WHEN lease_until <= $3 THEN 'Stopped' ELSE state END,
             ended_at = CASE WHEN lease_until <= $3 THEN $3::bigint END
         WHERE tenant = $1 AND id = $2 AND state IN ('Queued', 'Running')";
    if session.execute(sql, values![tenant, id, now]).await? == 0 {
        return Ok(None);
    }
    one(session, tenant, id).await
}

/// Queues a run again that was stopped or failed.
pub(crate) async fn resume<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
    (plan, scope): (&TemplateRunPlan, &str),
    now: Timestamp,
) -> Result<Option<TemplateRunRecord>, StoreError> {
    let plan = json(plan)?;
    let sql = "UPDATE template_run
         SET state = 'Queued', stopping = FALSE, problem = NULL, ended_at = NULL, plan = $3,
             scope = $4, lease_until = 0, fence = fence + 1, updated_at = $5
         WHERE tenant = $1 AND id = $2 AND state IN ('Stopped', 'Failed')";
    let parameters = values![tenant, id, &plan, scope, now];
    if session.execute(sql, parameters).await? == 0 {
        return Ok(None);
    }
    one(session, tenant, id).await
}

/// Ends all leases.
pub(crate) async fn end_leases<S: Session>(session: &mut S) -> Result<(), StoreError> {
    session.execute(END_LEASES, values![]).await?;
    Ok(())
}
