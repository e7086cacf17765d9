//! Accepts a run of `ApplyTemplate`, or says what it would do.
//!
//! The template's version and the lists are settled here: what is published or written afterwards does
//! not change what the run is about.

use std::collections::HashSet;

use checklist_auth::Principal;
use checklist_runtime::clock;
use checklist_shared::context::Context;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::template::Template;
use checklist_shared::wire::apply::{
    AppliedList, ApplyCounts, ApplyOutcome, ApplyPreview, ApplyTemplate, TemplateRun, WrittenLists,
};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::template_runs::{NewTemplateRun, TemplateRunPlan};

use super::{need_runs, view};
use crate::access::{self, FieldErrors};
use crate::app::App;
use crate::checklist::{Applied, preview_template};
use crate::lists::{self, ListsQuery};
use crate::{initiator, listing};

/// The maximum number of lists of a run.
const MOST: usize = 10_000;
/// The maximum number of errors that are reported for contexts.
const MOST_REPORTED: usize = 20;
/// How many lists the answer to a dry run names.
const PREVIEWED: usize = 100;
/// How many lists a dry run reads at a time.
const AT_ONCE: usize = 200;

/// The answer of `ApplyTemplate`.
#[derive(Clone, Debug)]
pub enum ApplyAnswer {
    /// To a dry run.
    Preview(ApplyPreview),
    /// The run that was accepted.
    Run(TemplateRun),
}

/// Starts a run, or answers a dry run.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`, `LimitExceeded`; `TemplateNotFound` if no version of the
/// template is published, `TemplateRetired`.
pub async fn apply(
    app: &App,
    principal: &Principal,
    request: ApplyTemplate,
) -> ServiceResult<ApplyAnswer> {
    need_runs(principal)?;
    if !request.dry_run {
        // The only embed tokens that administer are the demo's.
        access::refuse_embed_token(principal)?;
    }
    validate(&request)?;
    let template = app
        .store()
        .template(&principal.tenant, &request.template, None)
        .await?
        .ok_or_else(|| {
            let detail = format!("There is no published template '{}'.", request.template);
            ServiceError::new(ProblemCode::TemplateNotFound, detail)
        })?;
    let known = app.store().types(&principal.tenant).await?;
    if known.retired_templates.contains(&template.id) {
        return Err(crate::template::retired(&template.id));
    }
    if template.items.is_empty() {
        let what = "The template has no items.";
        return Err(refusal("/Template", FieldErrorCode::Invalid, what));
    }
    let contexts = match (request.contexts, request.filter) {
        (Some(contexts), _) => contexts,
        (None, Some(filter)) => find(app, principal, filter).await?,
        (None, None) => Vec::new(),
    };
    if request.dry_run {
        let preview = preview(app, principal, contexts, &template).await?;
        return Ok(ApplyAnswer::Preview(preview));
    }
    if contexts.is_empty() {
        let what = "No checklist that was written matches.";
        return Err(refusal("/Filter", FieldErrorCode::Invalid, what));
    }
    let now = app.clock().now();
    let id = clock::new_item_id(now)
        .map_err(|_| ServiceError::new(ProblemCode::Internal, "No id could be made."))?;
    let run = NewTemplateRun {
        tenant: principal.tenant.clone(),
        id: id.to_string(),
        scope: principal.idempotency_scope.clone(),
        plan: TemplateRunPlan {
            template: template.id.clone(),
            version: template.version,
            actor: principal.actor.clone(),
            standing: initiator::of(app, principal).await?,
        },
        contexts,
        at: now,
    };
    let run = app.store().begin_template_run(run).await?;
    Ok(ApplyAnswer::Run(view::run(run)))
}

fn refusal(pointer: &str, code: FieldErrorCode, what: &str) -> ServiceError {
    let mut faults = FieldErrors::default();
    faults.say(pointer, code, what);
    match faults.refuse() {
        Err(error) => error,
        Ok(()) => ServiceError::new(ProblemCode::InvalidRequest, what),
    }
}

fn validate(request: &ApplyTemplate) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    faults.name("/Template", &request.template);
    match (&request.contexts, &request.filter) {
        (Some(_), Some(_)) => faults.say(
            "/Filter",
            FieldErrorCode::Invalid,
            "Name contexts or a filter, not both.",
        ),
        (None, None) => faults.say(
            "/Contexts",
            FieldErrorCode::Required,
            "Name contexts or a filter.",
        ),
        (Some(contexts), None) => check_contexts(contexts, &mut faults),
        // Checked where it is used.
        (None, Some(_)) => {}
    }
    faults.refuse()
}

fn check_contexts(contexts: &[Context], faults: &mut FieldErrors) {
    faults.batch("/Contexts", contexts.len(), MOST);
    let mut seen = HashSet::new();
    let mut reported = 0;
    for (index, context) in contexts.iter().take(MOST).enumerate() {
        let list = (&context.object_type, &context.object_id, &context.purpose);
        if let Err(error) = context.validate() {
            faults.say(
                format!("/Contexts/{index}/{}", error.field),
                FieldErrorCode::Invalid,
                format!("{} {}.", error.field, error.reason),
            );
        } else if context.facts.is_some() {
            faults.say(
                format!("/Contexts/{index}/Facts"),
                FieldErrorCode::Invalid,
                "A run takes the facts that each checklist has; begin new ones with theirs first.",
            );
        } else if !seen.insert(list) {
            faults.say(
                format!("/Contexts/{index}"),
                FieldErrorCode::Duplicate,
                "This checklist is named twice.",
            );
        } else {
            continue;
        }
        reported += 1;
        if reported == MOST_REPORTED {
            break;
        }
    }
}

/// The written lists that match.
async fn find(
    app: &App,
    principal: &Principal,
    filter: WrittenLists,
) -> ServiceResult<Vec<Context>> {
    let mut query = ListsQuery {
        object_type: filter.object_type,
        object_id: filter.object_id,
        purpose: filter.purpose,
        template: filter.template,
        state: filter.state,
        update_offered: None,
        after: None,
        limit: Some(listing::MOST),
    };
    let mut contexts = Vec::new();
    loop {
        let page = lists::list(app, principal, query.clone())
            .await
            .map_err(within_filter)?;
        contexts.extend(page.lists.into_iter().map(|found| found.context));
        if contexts.len() > MOST {
            return Err(refusal(
                "/Filter",
                FieldErrorCode::LimitExceeded,
                "More than 10,000 checklists match; narrow it, as with the beginning of the object id.",
            ));
        }
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(contexts),
        }
    }
}

/// The errors of the filter's fields, where the request has them.
fn within_filter(mut error: ServiceError) -> ServiceError {
    for field in &mut error.problem.errors {
        field.pointer.insert_str(0, "/Filter");
    }
    error
}

async fn preview(
    app: &App,
    principal: &Principal,
    contexts: Vec<Context>,
    template: &Template,
) -> ServiceResult<ApplyPreview> {
    let total = u32::try_from(contexts.len()).unwrap_or(u32::MAX);
    let mut counts = ApplyCounts::default();
    let (mut skipped, mut others) = (Vec::new(), Vec::new());
    let mut index = 0;
    for batch in contexts.chunks(AT_ONCE) {
        let found = preview_template(app, principal, batch, template).await?;
        for (context, found) in batch.iter().zip(found) {
            let (applied, problem) = match found {
                Ok(applied) => (applied, None),
                Err(error) => (SKIPPED, Some(error.problem)),
            };
            counts.count(applied.outcome, applied.items);
            let first = match &problem {
                Some(_) => &mut skipped,
                None => &mut others,
            };
            if first.len() < PREVIEWED {
                first.push(AppliedList {
                    index,
                    context: context.clone(),
                    outcome: Some(applied.outcome),
                    items: applied.items,
                    problem,
                });
            }
            index += 1;
        }
    }
    skipped.append(&mut others);
    skipped.truncate(PREVIEWED);
    Ok(ApplyPreview {
        template: template.id.clone(),
        template_version: template.version,
        total,
        counts,
        lists: skipped,
    })
}

const SKIPPED: Applied = Applied {
    outcome: ApplyOutcome::Skipped,
    items: 0,
};
