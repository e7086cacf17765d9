//! `BeginLists`: writes lists that are nothing but their templates so far, so that they are found, and
//! their due dates count.
//!
//! Each list is written for itself: what one of them is refused does not keep the others from being
//! begun. A list that was written before stays as it is, so the same call again changes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use checklist_auth::Principal;
use checklist_shared::context::Context;
use checklist_shared::permission::Permission;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::lists::{BeginLists, BegunList, BegunLists};
use checklist_shared::wire::write::Outcome;
use checklist_store::error::{ServiceError, ServiceResult};

use super::read::{limit_contexts, with_context_at};
use super::write::{self, ListChanges, WriteCall};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// Begins lists.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`; what is wrong with one context stands in its entry.
pub async fn begin_lists(
    app: &App,
    principal: &Principal,
    request: BeginLists,
) -> ServiceResult<BegunLists> {
    access::require_permission(principal, Permission::Add)?;
    let mut faults = FieldErrors::default();
    if request.contexts.is_empty() {
        faults.say("/Contexts", FieldErrorCode::Required, "Name at least one.");
    }
    limit_contexts(app, &request.contexts, &mut faults);
    faults.refuse()?;
    let mut results = Vec::with_capacity(request.contexts.len());
    for (index, context) in request.contexts.into_iter().enumerate() {
        let (outcome, problem) = match begin(app, principal, context.clone()).await {
            Ok(true) => (Outcome::Created, None),
            Ok(false) => (Outcome::Unchanged, None),
            Err(refusal) => {
                let problem = with_context_at(refusal.problem, &format!("/Contexts/{index}"));
                (Outcome::Failed, Some(problem))
            }
        };
        results.push(BegunList {
            context: context.without_facts(),
            outcome,
            problem,
        });
    }
    Ok(BegunLists { results })
}

/// Writes a list that was never written; gives whether it was none.
async fn begin(app: &App, principal: &Principal, context: Context) -> ServiceResult<bool> {
    let call = WriteCall::of("BeginLists", context, Permission::Add);
    let is_first = Arc::new(AtomicBool::new(false));
    let found = Arc::clone(&is_first);
    write::run(app, principal, call, move |list, scene| {
        let first = scene.facts.list.is_none();
        if let Some(id) = scene.facts.retired.as_ref().filter(|_| first) {
            return Err(crate::template::retired(id));
        }
        if first && list.template.is_none() {
            return Err(ServiceError::new(
                ProblemCode::TemplateNotFound,
                "Neither the context nor its type names a template to begin the list from.",
            ));
        }
        found.store(first, Ordering::Relaxed);
        Ok(ListChanges {
            materialise: true,
            ..ListChanges::default()
        })
    })
    .await?;
    Ok(is_first.load(Ordering::Relaxed))
}
