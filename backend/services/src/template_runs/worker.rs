//! Carries out runs of `ApplyTemplate`, one chunk of lists at a time.
//!
//! A claim is for one chunk, so runs take turns, and every node can take one. All state is in the store:
//! a worker may be killed at any point. What a run does to a list is one operation, which the store
//! answers from its record if it is repeated, so nothing is appended twice and each outcome is the first.

use std::sync::Arc;
use std::time::Duration;

use checklist_auth::Principal;
use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::template::Template;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::apply::{ApplyCounts, ApplyOutcome, TemplateRunState};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::template_runs::{
    ListOutcomeFilter, RunListFilter, RunListRecord, TemplateRunRecord, TemplateRunWrite,
};
use checklist_store::workflows::Lease;
use futures_util::StreamExt as _;
use futures_util::stream;
use tokio::sync::watch;

use crate::app::App;
use crate::checklist::apply_template;
use crate::initiator;

/// How often to look for a run.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The pause after an error of the store, and while it takes no more writes.
const STORE_PAUSE: Duration = Duration::from_secs(1);
/// The duration of a lease: how long a chunk of a node that was killed is left alone.
const LEASE_MILLIS: i64 = 10_000;
/// The lists of a chunk: well below a second of work.
const CHUNK: u32 = 100;
/// How many of them are written at a time, so that they share commits.
const AT_ONCE: usize = 16;

/// Carries out runs until it is stopped; finishes the chunk that it is at.
pub async fn run(app: App, name: String, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let pause = match take_turn(&app, &name).await {
            Ok(Turn::Done) => continue,
            Ok(Turn::Nothing) => POLL_INTERVAL,
            Ok(Turn::NoProgress) => STORE_PAUSE,
            Err(error) => {
                tracing::warn!(problem = ?error.problem, "a chunk of a template run failed");
                STORE_PAUSE
            }
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// What a turn has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// No run is due.
    Nothing,
    /// A chunk of a run is done.
    Done,
    /// The store takes no writes at present.
    NoProgress,
}

/// Claims a run and carries out one chunk of it.
///
/// # Errors
/// The store failed; the lease expires by itself.
pub async fn take_turn(app: &App, name: &str) -> ServiceResult<Turn> {
    let now = app.clock().now();
    let until = Timestamp::from_millis(now.as_millis().saturating_add(LEASE_MILLIS));
    let Some(run) = app.store().claim_template_run(name, now, until).await? else {
        return Ok(Turn::Nothing);
    };
    let write = match chunk(app, &run).await {
        Ok(write) => write,
        Err(error) if is_temporary(error.code()) => return Err(error),
        Err(error) => TemplateRunWrite {
            state: TemplateRunState::Failed,
            counts: run.counts,
            lists: Vec::new(),
            problem: Some(error.problem),
        },
    };
    let turn = match write.lists.is_empty() && !write.state.has_ended() && !run.stopping {
        true => Turn::NoProgress,
        false => Turn::Done,
    };
    let lease = Lease {
        tenant: run.tenant,
        id: run.id,
        fence: run.fence,
        now: app.clock().now(),
    };
    let (id, state) = (lease.id.clone(), write.state);
    if !app.store().settle_template_run(lease, write).await? {
        tracing::warn!(run = id, "another worker has taken the template run over");
    } else if state.has_ended() {
        tracing::info!(run = id, state = state.name(), "a template run has ended");
    }
    Ok(turn)
}

/// The next lists of a run, and what became of them.
async fn chunk(app: &App, run: &TemplateRunRecord) -> ServiceResult<TemplateRunWrite> {
    let mut write = TemplateRunWrite {
        state: TemplateRunState::Running,
        counts: run.counts,
        lists: Vec::new(),
        problem: None,
    };
    if run.stopping {
        return Ok(write);
    }
    let plan = &run.plan;
    let by = (&plan.standing, &plan.actor);
    let principal = initiator::principal(app, &run.tenant, by).await?;
    super::need_runs(&principal)?;
    let template = app
        .store()
        .template(&run.tenant, &plan.template, Some(plan.version))
        .await?
        .ok_or_else(|| {
            let detail = format!("There is no published template '{}'.", plan.template);
            ServiceError::new(ProblemCode::TemplateNotFound, detail)
        })?;
    let open = RunListFilter {
        after: None,
        limit: CHUNK,
        outcome: ListOutcomeFilter::None,
    };
    let lists = app
        .store()
        .template_run_lists(&run.tenant, &run.id, open)
        .await?;
    let is_last = lists.len() < CHUNK as usize;
    let asked = lists.len();
    let done = stream::iter(lists)
        .map(|list| {
            let template = template.clone();
            apply(app, &principal, &run.id, list, template)
        })
        .buffer_unordered(AT_ONCE)
        .collect::<Vec<_>>()
        .await;
    write.lists = done.into_iter().flatten().collect();
    count(&mut write.counts, &write.lists);
    if is_last && write.lists.len() == asked {
        write.state = TemplateRunState::Completed;
    }
    Ok(write)
}

fn count(counts: &mut ApplyCounts, lists: &[RunListRecord]) {
    for list in lists {
        if let Some(outcome) = list.outcome {
            counts.count(outcome, list.items);
        }
    }
}

/// The list with its outcome; `None` if it can be written only later.
async fn apply(
    app: &App,
    principal: &Principal,
    run: &str,
    list: RunListRecord,
    template: Arc<Template>,
) -> Option<RunListRecord> {
    let context = list.context.clone();
    match apply_template(app, principal, context, template, run.to_owned()).await {
        Ok(applied) => Some(RunListRecord {
            outcome: Some(applied.outcome),
            items: applied.items,
            ..list
        }),
        Err(error) if is_temporary(error.code()) => None,
        Err(error) => Some(RunListRecord {
            outcome: Some(ApplyOutcome::Skipped),
            problem: Some(without_names(error.problem)),
            ..list
        }),
    }
}

const fn is_temporary(code: ProblemCode) -> bool {
    matches!(code, ProblemCode::Busy | ProblemCode::StorageFull)
}

/// A lock names whoever has locked the list. That is told when the list is read, and not kept here.
fn without_names(problem: Problem) -> Problem {
    Problem {
        detail: problem
            .detail
            .filter(|_| problem.code != ProblemCode::Locked),
        ..problem
    }
}
