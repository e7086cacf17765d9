//! The example workflow's runs, as callers ask for them: begin, look, stop, confirm, try again.
//!
//! `start` accepts a run, `answer` lets one go on that waits, `view` shows them, `follow` is the
//! stream of one, `outside` is what the engine in `workflow` needs of the other services.

mod answer;
pub mod follow;
mod initiator;
mod outside;
mod start;
mod view;

use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::workflow::{Outcome, Run, RunAnswer, RunsPage};

use super::access::page_size;
use super::sites::need_sites;
use crate::app::App;
use crate::auth::Principal;
use crate::error::{ServiceError, ServiceResult};
use crate::storage::workflows::{OutcomeFilter, RunRecord, RunRowFilter};

pub use answer::{confirm, retry_failed};
pub use follow::follow;
pub use outside::engine;
pub use start::start;

/// The most computers on a page of a run, and the most runs on a page.
const PAGE: u32 = 1_000;
/// How many there are where nobody says.
const USUAL: u32 = 100;

/// Which part of a run is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunQuery {
    /// The computers after this place.
    pub after: Option<u32>,
    /// At most so many, 1 to 1,000.
    pub limit: Option<u32>,
    /// Those with this outcome only.
    pub outcome: Option<Outcome>,
}

/// The tenant's runs, the newest first.
///
/// # Errors
/// `PermissionDenied`.
pub async fn list(
    app: &App,
    principal: &Principal,
    after: Option<&str>,
    limit: Option<u32>,
) -> ServiceResult<RunsPage> {
    need_sites(principal)?;
    let limit = page_size(limit, USUAL, PAGE)?;
    let store = app.store();
    let mut found = store.runs(&principal.tenant, after, limit + 1).await?;
    let more = found.len() > limit as usize;
    found.truncate(limit as usize);
    Ok(RunsPage {
        next: found.last().filter(|_| more).map(|run| run.id.clone()),
        runs: found.into_iter().map(view::run).collect(),
    })
}

/// A run with a page of its computers.
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
    let run = found(app, principal, id).await?;
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

/// Asks a run to stop; it does at its next chunk, and what was done stays done.
///
/// # Errors
/// `PermissionDenied`, `RunNotFound`; `RunChanged` when it has ended.
pub async fn cancel(app: &App, principal: &Principal, id: &str) -> ServiceResult<Run> {
    need_sites(principal)?;
    let before = found(app, principal, id).await?;
    if before.state.is_final() {
        return Err(changed("The run has ended already."));
    }
    let now = app.clock().now();
    let run = app.store().cancel_run(&principal.tenant, id, now).await?;
    run.map(view::run).ok_or_else(missing)
}

async fn found(app: &App, principal: &Principal, id: &str) -> ServiceResult<RunRecord> {
    let run = app.store().run(&principal.tenant, id).await?;
    run.ok_or_else(missing)
}

fn missing() -> ServiceError {
    ServiceError::new(ProblemCode::RunNotFound, "There is no such run.")
}

fn changed(why: &str) -> ServiceError {
    ServiceError::new(ProblemCode::RunChanged, why)
}

fn busy(id: String) -> ServiceError {
    let mut error = ServiceError::new(
        ProblemCode::RunInProgress,
        format!(
            "The list has a run that has not ended yet: {id}. Wait for it, confirm it or cancel it."
        ),
    );
    error.problem.run = Some(id.into());
    error
}
