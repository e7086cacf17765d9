//! The runs of a list: `Runs` lists them, and `GetItems` with `Run` reads one that was closed.
//!
//! Invariant: a closed run is answered as a locked list, and grants nothing but reading.

use std::sync::Arc;

use checklist_auth::Principal;
use checklist_shared::checklist::ListMark;
use checklist_shared::checklist::{Checklist, FIRST_RUN};
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::progress;
use checklist_shared::run::ClosedRun;
use checklist_shared::wire::list::{ListAnswer, RunView};
use checklist_shared::wire::runs::{GetRuns, RunSummary, Runs};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::{ListFacts, Purpose};

use super::answer::{self, ListReadRequest};
use super::pins::list_request;
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Runs in a page.
const PAGE: u32 = 50;
/// What is said of a run 0.
const RUN_NUMBERS: &str = "The number of a run: 1 for the first, or higher.";

/// Lists the runs of a list.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn runs(app: &App, principal: &Principal, request: GetRuns) -> ServiceResult<Runs> {
    access::require_permission(principal, Permission::Read)?;
    let mut faults = FieldErrors::default();
    if request.before == Some(0) {
        faults.say("/Before", FieldErrorCode::Invalid, RUN_NUMBERS);
    }
    faults.refuse()?;
    let context = &request.context;
    access::require_context(principal, context, "/Context")?;
    let mut found = Vec::new();
    if request.before.is_none() {
        let wanted = vec![list_request(principal, context, Purpose::Change)];
        let read = app.store().read_lists(&principal.tenant, wanted).await?;
        let facts = read.into_iter().next().transpose()?.unwrap_or_default();
        found.extend(facts.list.map(|list| summary(&list, None)));
    }
    let below = request.before.unwrap_or(u32::MAX);
    let read = app.store();
    let closed = read.closed_runs(&principal.tenant, context, below, PAGE + 1);
    let closed = closed.await?;
    let room = PAGE as usize - found.len();
    let has_more = closed.len() > room;
    let of_closed = |run: &ClosedRun| summary(&run.to_list(context), Some(run.closed.clone()));
    found.extend(closed.iter().take(room).map(of_closed));
    Ok(Runs {
        next: has_more
            .then(|| found.last().map(|last| last.run.number))
            .flatten(),
        runs: found,
    })
}

fn summary(list: &Checklist, closed: Option<ListMark>) -> RunSummary {
    let progress = progress::of(list);
    let template = list.template.as_ref();
    RunSummary {
        run: RunView {
            number: list.run.number,
            started_at: list.created_at,
            closed,
        },
        state: progress.state,
        counts: progress.counts,
        template_id: template.map(|template| template.id.clone()),
        template_version: template.map(|template| template.version),
    }
}

/// A run of a list: the present one, or one that was closed.
///
/// # Errors
/// `RunNotFound`, or the list cannot be read.
pub(super) async fn read(
    app: &App,
    principal: &Principal,
    number: u32,
    (present, asked): (&ListFacts, &ListReadRequest<'_>),
) -> ServiceResult<ListAnswer> {
    let is_present = |list: &Arc<Checklist>| list.run.number == number;
    if present.list.as_ref().is_some_and(is_present) {
        return answer::whole(present, asked, principal, app.limits());
    }
    let store = app.store();
    let below = number.saturating_add(1);
    let found = store.closed_runs(&principal.tenant, asked.context, below, 1);
    let found = found.await?.into_iter().find(|run| run.number == number);
    let Some(closed) = found else {
        let detail = format!("The checklist has no run {number}.");
        return Err(ServiceError::new(ProblemCode::RunNotFound, detail));
    };
    let facts = ListFacts {
        list: Some(Arc::new(closed.to_list(asked.context))),
        kind: present.kind.clone(),
        ..ListFacts::default()
    };
    let answer = answer::whole(&facts, asked, principal, app.limits())?;
    let title = closed.title.as_ref();
    let title = title.and_then(|title| title.resolve(asked.languages));
    Ok(ListAnswer {
        title: title.map(|(_, title)| title.to_owned()),
        permissions: reading(principal.permissions),
        run: Some(RunView {
            number,
            started_at: closed.started_at,
            closed: Some(closed.closed),
        }),
        ..answer
    })
}

/// What of these permissions means a closed run.
fn reading(granted: Permissions) -> Permissions {
    let reading = [Permission::Read, Permission::Audit].into_iter();
    reading.filter(|one| granted.allows(*one)).collect()
}

/// The run of a list that has had others before.
pub(super) fn view(list: &Checklist) -> Option<RunView> {
    (list.run.number > FIRST_RUN).then_some(RunView {
        number: list.run.number,
        started_at: list.created_at,
        closed: None,
    })
}

/// Refuses a request that names a run with what does not go with one.
pub(super) fn check(run: Option<u32>, since: Option<u64>, faults: &mut FieldErrors) {
    match run {
        Some(0) => faults.say("/Run", FieldErrorCode::Invalid, RUN_NUMBERS),
        Some(_) if since.is_some() => faults.say(
            "/SinceRevision",
            FieldErrorCode::Invalid,
            "Without Run: a closed run does not change.",
        ),
        _ => {}
    }
}

/// Says that many lists are read at their present runs.
pub(super) fn refuse_with_many(run: Option<u32>, faults: &mut FieldErrors) {
    if run.is_some() {
        let detail = "Run goes with a single Context.";
        faults.say("/Run", FieldErrorCode::Invalid, detail);
    }
}
