//! Runs of `ApplyTemplate`: start, read, stop, resume.
//!
//! `start` accepts a run or answers a dry run, `worker` carries runs out, `view` converts them for
//! callers. Invariant: a caller for some lists of the tenant alone sees their own runs alone, since a
//! run names lists.

mod start;
mod view;
pub mod worker;

use checklist_auth::Principal;
use checklist_shared::permission::Permission;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::apply::{ApplyOutcome, TemplateRun, TemplateRunAnswer, TemplateRuns};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::template_runs::{
    ListOutcomeFilter, RunListFilter, TemplateRunPlan, TemplateRunRecord,
};

pub use start::{ApplyAnswer, apply};

use crate::access::{self, FieldErrors, page_size};
use crate::app::App;
use crate::initiator;
use crate::listing::Cursor;

/// The name in the cursors of the list of runs.
const LIST: &str = "ApplyTemplate/Runs";
/// The maximum page size, for runs and for the lists of a run.
const PAGE: u32 = 1_000;
/// The default page size.
const USUAL: u32 = 100;

/// Filters and pagination of a run's lists.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunListQuery {
    /// Lists after this position.
    pub after: Option<u32>,
    /// The page size: 1 to 1,000.
    pub limit: Option<u32>,
    /// Lists with this outcome only.
    pub outcome: Option<ApplyOutcome>,
}

/// Fails unless the caller may have runs: who administers, and may add items.
fn need_runs(principal: &Principal) -> ServiceResult<()> {
    access::require_permission(principal, Permission::Admin)?;
    access::require_permission(principal, Permission::Add)
}

/// Lists runs, newest first.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(
    app: &App,
    principal: &Principal,
    after: Option<&str>,
    limit: Option<u32>,
) -> ServiceResult<TemplateRuns> {
    need_runs(principal)?;
    let mut faults = FieldErrors::default();
    let limit = faults.page_size(limit, USUAL, PAGE);
    let after: Option<String> = Cursor::after(LIST, after, &mut faults);
    faults.refuse()?;
    let own = (!principal.contexts.covers_everything()).then_some(&*principal.idempotency_scope);
    let mut found = app
        .store()
        .template_runs(&principal.tenant, own, after.as_deref(), limit + 1)
        .await?;
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    Ok(TemplateRuns {
        next: (found.last().filter(|_| more)).map(|run| run.id.encode(LIST)),
        runs: found.into_iter().map(view::run).collect(),
    })
}

/// Reads a run with a page of its lists.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`.
pub async fn get(
    app: &App,
    principal: &Principal,
    id: &str,
    part: RunListQuery,
) -> ServiceResult<TemplateRunAnswer> {
    let run = find(app, principal, id).await?;
    let limit = page_size(part.limit, USUAL, PAGE)?;
    let which = RunListFilter {
        after: part.after,
        limit: limit + 1,
        outcome: part
            .outcome
            .map_or(ListOutcomeFilter::Any, ListOutcomeFilter::Only),
    };
    let store = app.store();
    let mut lists = store.template_run_lists(&run.tenant, id, which).await?;
    let more = lists.len() > limit as usize;
    lists.truncate(limit as usize);
    Ok(TemplateRunAnswer {
        next: lists.last().filter(|_| more).map(|list| list.place),
        lists: lists.into_iter().map(view::list).collect(),
        run: view::run(run),
    })
}

/// Stops a run: at once, or after the lists that a worker is at. What was done stays done.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`; `RunChanged` if it has ended.
pub async fn stop(app: &App, principal: &Principal, id: &str) -> ServiceResult<TemplateRun> {
    find(app, principal, id).await?;
    let stamp = principal.stamp(app.clock().now());
    let stopped = app
        .store()
        .stop_template_run(&principal.tenant, id, stamp)
        .await?;
    stopped
        .map(view::run)
        .ok_or_else(|| run_changed("The run has ended already."))
}

/// Resumes a run that was stopped or failed, from now on as the caller's.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`; `RunChanged` if it is in another state.
pub async fn resume(app: &App, principal: &Principal, id: &str) -> ServiceResult<TemplateRun> {
    let run = find(app, principal, id).await?;
    access::refuse_embed_token(principal)?;
    let plan = TemplateRunPlan {
        actor: principal.actor.clone(),
        standing: initiator::of(app, principal).await?,
        ..run.plan
    };
    let scope = principal.idempotency_scope.clone();
    let resumed = app
        .store()
        .resume_template_run(&principal.tenant, id, plan, scope, app.clock().now())
        .await?;
    resumed
        .map(view::run)
        .ok_or_else(|| run_changed("Only a run that was stopped or has failed can be resumed."))
}

async fn find(app: &App, principal: &Principal, id: &str) -> ServiceResult<TemplateRunRecord> {
    need_runs(principal)?;
    let run = app.store().template_run(&principal.tenant, id).await?;
    let everything = principal.contexts.covers_everything();
    run.filter(|run| everything || run.scope == principal.idempotency_scope)
        .ok_or_else(|| ServiceError::new(ProblemCode::RunNotFound, "There is no such run."))
}

fn run_changed(why: &str) -> ServiceError {
    ServiceError::new(ProblemCode::RunChanged, why)
}
