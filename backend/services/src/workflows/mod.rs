//! Runs of the example workflow: start, read, cancel, confirm, retry.
//!
//! `start` accepts a run, `answer` continues one that waits, `view` converts them for callers,
//! `follow` streams one, `outside` gives the engine in `workflow` access to other services.

mod answer;
pub mod follow;
mod outside;
mod record;
mod start;
mod view;

use checklist_shared::wire::workflow::{Outcome, Run, RunAnswer, RunsPage};

use super::access::page_size;
use super::listing::{self, ListQuery};
use super::sites::need_sites;
use crate::app::App;

pub use answer::{confirm, retry_failed};
use checklist_auth::Principal;
use checklist_store::error::ServiceResult;
use checklist_store::keyset::Keyset;
use checklist_store::workflows::{OutcomeFilter, RunRecord, RunRowFilter};
pub use follow::follow;
pub use outside::engine;
use record::{find_record, missing, run_changed};
pub use start::start;

/// The maximum page size of the computers of a run.
const PAGE: u32 = 1_000;
/// The default page size.
const USUAL: u32 = 100;

/// Filters and pagination of a run's computers.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunQuery {
    /// Computers after this position.
    pub after: Option<u32>,
    /// The page size: 1 to 1,000.
    pub limit: Option<u32>,
    /// Computers with this outcome only.
    pub outcome: Option<Outcome>,
}

/// Lists a page of the tenant's runs, newest first; searches list, connection and who started it.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(app: &App, principal: &Principal, query: &ListQuery) -> ServiceResult<RunsPage> {
    need_sites(principal)?;
    let read = |page: Keyset<String>| async move {
        let before = Some(page.after.as_str()).filter(|id| !id.is_empty());
        let tenant = &principal.tenant;
        app.store().runs(tenant, before, page.limit).await
    };
    let (records, next) = listing::page(
        "Workflows/Runs",
        query,
        read,
        |run: &RunRecord| run.id.clone(),
        |RunRecord { plan, .. }, words| {
            words.stand_in([plan.list.as_str(), &plan.connection_name, &plan.actor.name])
        },
    )
    .await?;
    Ok(RunsPage {
        runs: records.into_iter().map(view::run).collect(),
        next,
    })
}

/// Reads a run with a page of its computers.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`.
pub async fn get(
    app: &App,
    principal: &Principal,
    id: &str,
    part: RunQuery,
) -> ServiceResult<RunAnswer> {
    need_sites(principal)?;
    let run = find_record(app, principal, id).await?;
    let limit = page_size(part.limit, USUAL, PAGE)?;
    let which = RunRowFilter {
        after: part.after,
        limit: limit + 1,
        outcome: part.outcome.map_or(OutcomeFilter::Any, OutcomeFilter::Only),
    };
    let store = app.store();
    let mut rows = store.run_computers(&run.tenant, &run.id, which).await?;
    let steps = store.run_steps(&run.tenant, &run.id).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    Ok(RunAnswer {
        next: rows.last().filter(|_| more).map(|row| row.place),
        computers: rows.into_iter().map(view::computer).collect(),
        run: view::run(run),
        steps,
    })
}

/// Cancels a run. It stops before its next chunk and keeps what it has written.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`; `RunChanged` if it has ended.
pub async fn cancel(app: &App, principal: &Principal, id: &str) -> ServiceResult<Run> {
    need_sites(principal)?;
    let before = find_record(app, principal, id).await?;
    if before.state.is_final() {
        return Err(run_changed("The run has ended already."));
    }
    let stamp = principal.stamp(app.clock().now());
    let run = app.store().cancel_run(&principal.tenant, id, stamp).await?;
    run.map(view::run).ok_or_else(missing)
}
