//! `GetItems`: reads one list or many, whole or as a delta. A read never writes.

use checklist_auth::Principal;
use checklist_runtime::spans;
use checklist_shared::context::Context;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, Problem};
use checklist_shared::wire::list::{GetItems, ListAnswer, ListAnswers, ListResult};
use checklist_store::error::ServiceResult;
use checklist_store::store::{ListFacts, Purpose};
use serde::Serialize;

use super::answer::{self, ListReadRequest};
use super::isolate;
use super::pins::list_request;
use super::runs;
use crate::access::{self, FieldErrors};
use crate::app::App;

/// The answer to `Context`, or to `Contexts`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum GetItemsAnswer {
    /// For `Context`.
    One(Box<ListAnswer>),
    /// For `Contexts`, in the same order.
    Many(ListAnswers),
}

/// Answers `GetItems`.
///
/// # Errors
/// `InvalidRequest`, `LimitExceeded`, `PermissionDenied`; for a single context also
/// `ContextNotFound` and `TemplateNotFound`, which a batch answers entry by entry.
pub async fn get_items(
    app: &App,
    principal: &Principal,
    request: GetItems,
) -> ServiceResult<GetItemsAnswer> {
    access::require_permission(principal, Permission::Read)?;
    if request.include_deleted {
        access::require_permission(principal, Permission::Delete)?;
    }
    check(app, &request)?;
    let languages = principal.languages_after(request.language.as_deref());
    let asked = |context| ListReadRequest {
        context,
        languages: &languages,
        since: request.since_revision,
        view: request.view,
        deleted: request
            .include_deleted
            .then(|| app.retention().deleted_items),
        tells_facts: true,
        now: app.clock().now(),
    };
    if let Some(context) = &request.context {
        access::require_context(principal, context, "/Context")?;
        let wanted = vec![list_request(principal, context, Purpose::Show)];
        let reading = app.store().read_lists(&principal.tenant, wanted);
        let mut facts = spans::work("read lists", reading).await?;
        let facts = facts.pop().unwrap_or_else(|| Ok(ListFacts::default()));
        if let Some(run) = request.run {
            let answer = runs::read(app, principal, run, (&facts?, &asked(context))).await?;
            return Ok(GetItemsAnswer::One(Box::new(answer)));
        }
        let answer = isolate(&principal.tenant, context, || {
            answer::whole(&facts?, &asked(context), principal, app.limits())
        })?;
        return Ok(GetItemsAnswer::One(Box::new(answer)));
    }
    let contexts = request.contexts.unwrap_or_default();
    let refusals: Vec<_> = contexts
        .iter()
        .enumerate()
        .map(|(index, context)| {
            access::require_context(principal, context, &format!("/Contexts/{index}")).err()
        })
        .collect();
    let allowed = contexts
        .iter()
        .zip(&refusals)
        .filter(|(_, refusal)| refusal.is_none())
        .map(|(context, _)| list_request(principal, context, Purpose::Show));
    let reading = app.store().read_lists(&principal.tenant, allowed.collect());
    let mut facts = spans::work("read lists", reading).await?.into_iter();
    let results = contexts
        .iter()
        .zip(refusals)
        .enumerate()
        .map(|(index, (context, refusal))| {
            let answer = match refusal {
                Some(refusal) => Err(refusal),
                None => isolate(&principal.tenant, context, || {
                    let facts = facts.next().unwrap_or_else(|| Ok(ListFacts::default()))?;
                    answer::whole(&facts, &asked(context), principal, app.limits())
                }),
            };
            match answer {
                Ok(answer) => ListResult::List(Box::new(answer)),
                Err(refusal) => ListResult::Problem(with_context_at(
                    refusal.problem,
                    &format!("/Contexts/{index}"),
                )),
            }
        })
        .collect();
    Ok(GetItemsAnswer::Many(ListAnswers { results }))
}

/// The problem of one context of a batch, with its fields where they are in the request.
pub(super) fn with_context_at(mut problem: Problem, pointer: &str) -> Problem {
    for error in &mut problem.errors {
        if let Some(field) = error.pointer.strip_prefix("/Context/") {
            error.pointer = format!("{pointer}/{field}");
        }
    }
    problem
}

/// Complains of more contexts than one request may name.
pub(super) fn limit_contexts(app: &App, contexts: &[Context], faults: &mut FieldErrors) {
    let most = app.limits().batch;
    if contexts.len() > most {
        let detail = format!("At most {most} in one request.");
        faults.say("/Contexts", FieldErrorCode::LimitExceeded, detail);
    }
}

fn check(app: &App, request: &GetItems) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    faults.language("/Language", request.language.as_deref());
    match (&request.context, &request.contexts) {
        (None, None) => faults.say(
            "/Context",
            FieldErrorCode::Required,
            "Name Context or Contexts.",
        ),
        (Some(_), Some(_)) => {
            faults.say(
                "/Contexts",
                FieldErrorCode::Invalid,
                "Name either Context or Contexts, not both.",
            );
        }
        (None, Some(contexts)) => {
            limit_contexts(app, contexts, &mut faults);
            runs::refuse_with_many(request.run, &mut faults);
            if request.since_revision.is_some() {
                faults.say(
                    "/SinceRevision",
                    FieldErrorCode::Invalid,
                    "SinceRevision goes with a single Context.",
                );
            }
        }
        (Some(_), None) => runs::check(request.run, request.since_revision, &mut faults),
    }
    faults.refuse()
}
