//! The templates that a credential allows for a list, the facts that a caller brings for it, and the
//! request to the store.
//!
//! Invariant: a pinned template decides what a list is begun with or moved to. A list that has begun
//! with another one stays as usable as any.

use checklist_auth::Principal;
use checklist_shared::checklist::Checklist;
use checklist_shared::context::Context;
use checklist_shared::facts::Facts;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::{ListRequest, Purpose};

/// The store request for a list of this caller, whose credential says the template of a list that
/// was never written if the context does not.
pub(crate) fn list_request(
    principal: &Principal,
    context: &Context,
    purpose: Purpose,
) -> ListRequest {
    let pinned = principal.contexts.pinned_templates(context);
    let usual = principal.template.as_deref();
    let fallback = match &pinned {
        None => usual,
        Some(pinned) => usual
            .filter(|usual| pinned.contains(usual))
            .or_else(|| pinned.first().copied()),
    };
    ListRequest {
        fallback: fallback.map(str::to_owned),
        context: context.clone(),
        purpose,
    }
}

/// The facts that the caller brings for a list: in the request, which `access::require_context` has
/// checked, or in the token; `None` if neither has any.
pub(crate) fn brought_facts<'a>(
    principal: &'a Principal,
    context: &'a Context,
) -> Option<&'a Facts> {
    (context.facts.as_ref()).or_else(|| principal.contexts.facts(context))
}

/// Fails with `PermissionDenied` if the credential pins other templates for the list.
pub(super) fn require_template(
    principal: &Principal,
    context: &Context,
    template: Option<&str>,
) -> ServiceResult<()> {
    let Some(pinned) = principal.contexts.pinned_templates(context) else {
        return Ok(());
    };
    if template.is_some_and(|template| pinned.contains(&template)) {
        return Ok(());
    }
    let detail = format!("This credential allows only: {}.", pinned.join(", "));
    let errors = vec![FieldError::new(
        "/Context/TemplateId",
        FieldErrorCode::Invalid,
        detail,
    )];
    Err(ServiceError::fields(
        ProblemCode::PermissionDenied,
        "This credential does not allow that template for the checklist.",
        errors,
    ))
}

/// Fails like [`require_template`] if a refresh of a written list names a template other than the
/// list's own.
pub(super) fn require_target(
    principal: &Principal,
    context: &Context,
    list: &Checklist,
) -> ServiceResult<()> {
    let own = list.template.as_ref().map(|own| own.id.as_str());
    match context.template_id.as_deref() {
        Some(named) if own != Some(named) => require_template(principal, context, Some(named)),
        _ => Ok(()),
    }
}

/// Fails like [`require_template`] if a write moves a list to another template.
pub(super) fn require_same(
    principal: &Principal,
    context: &Context,
    before: &Checklist,
    after: &Checklist,
) -> ServiceResult<()> {
    let id = |list: &Checklist| list.template.as_ref().map(|own| own.id.clone());
    let (before, after) = (id(before), id(after));
    if before == after {
        return Ok(());
    }
    require_template(principal, context, after.as_deref())
}
