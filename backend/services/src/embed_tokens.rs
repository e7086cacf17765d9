//! Embed tokens for platforms that hold an API key instead of a signing key.
//!
//! Invariant: a token never permits more than the API key that requested it, and expires with it.

use checklist_auth::acting_party::ActingParty;
use checklist_auth::mint::{MintError, Minter};
use checklist_auth::{Credential, LONGEST_TOKEN, Principal, permissions_of};
use checklist_shared::permission::{Permission, Permissions, Role};
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::wire::access::EmbedTokenRequest;
use checklist_shared::wire::admin::Token;
use checklist_store::error::{ServiceError, ServiceResult};

use super::access::{self, FieldErrors};
use super::template;
use crate::app::App;

/// The permitted lifetimes of a token, in seconds.
const LIVES: std::ops::RangeInclusive<u32> = 10..=900;

/// Signs an embed token.
///
/// # Errors
/// `PermissionDenied` without an API key or beyond its permissions, or `InvalidRequest` with every
/// field error.
pub async fn mint(
    app: &App,
    minter: &Minter,
    principal: &Principal,
    mut request: EmbedTokenRequest,
) -> ServiceResult<Token> {
    if !matches!(principal.credential, Credential::ApiKey(_)) {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "Tokens are given for an API key; this credential is none.",
        ));
    }
    check(&request)?;
    refuse_retired(app, principal, &request).await?;
    if let Some(origin) = &request.origin {
        request.origin = access::origin_of(origin);
    }
    let permissions = requested_permissions(&request, principal);
    access::need_all(principal, permissions)?;
    if permissions.allows(Permission::Admin) {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            "A token never allows administration, whatever the API key may do.",
        ));
    }
    let outside = request
        .contexts
        .iter()
        .position(|context| !principal.contexts.includes(context));
    if let Some(index) = outside {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            format!("The API key does not cover /Contexts/{index}, or pins another template."),
        ));
    }
    minter
        .mint(
            app.trust_cache(),
            &principal.tenant,
            (principal.actor.key.clone(), principal.expires_at),
            permissions,
            request,
            app.clock().now(),
        )
        .await
        .map_err(|error| match error {
            MintError::Refused(denied) => {
                ServiceError::new(ProblemCode::InvalidRequest, denied.detail)
            }
            MintError::TooLong(bytes) => {
                let detail = format!(
                    "The token would have {bytes} bytes, of at most {LONGEST_TOKEN}. Name fewer contexts, or shorter facts."
                );
                let fault =
                    FieldError::new("/Contexts", FieldErrorCode::LimitExceeded, detail.as_str());
                ServiceError::fields(ProblemCode::LimitExceeded, detail, vec![fault])
            }
            MintError::NoKey(error) => ServiceError::new(ProblemCode::Internal, error.to_string()),
            MintError::Store(error) => error.into(),
        })
}

/// A token that pins a retired template could begin nothing.
async fn refuse_retired(
    app: &App,
    principal: &Principal,
    request: &EmbedTokenRequest,
) -> ServiceResult<()> {
    let retired = app
        .store()
        .types(&principal.tenant)
        .await?
        .retired_templates;
    let mut faults = FieldErrors::default();
    let mut check = |pointer: String, template: Option<&str>| {
        if let Some(template) = template.filter(|template| retired.contains(*template)) {
            let detail = template::retired_sentence(template);
            faults.say(pointer, FieldErrorCode::Invalid, detail);
        }
    };
    check("/Template".to_owned(), request.template.as_deref());
    for (index, context) in request.contexts.iter().enumerate() {
        let pointer = format!("/Contexts/{index}/TemplateId");
        check(pointer, context.pinned_template());
    }
    faults.refuse()
}

fn check(request: &EmbedTokenRequest) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    faults.name("/Subject", &request.subject);
    faults.name("/Name", &request.name);
    if request.contexts.is_empty() {
        faults.say("/Contexts", FieldErrorCode::Required, "Name at least one.");
    }
    faults.contexts("/Contexts", &request.contexts);
    faults.language("/Lang", request.lang.as_deref());
    if let Some(template) = &request.template {
        faults.name("/Template", template);
    }
    if let Some(party) = &request.act {
        for (field, fault) in ActingParty::from(party.clone()).faults() {
            faults.say(format!("/Act/{field}"), FieldErrorCode::Invalid, fault);
        }
    }
    if let Some(origin) = &request.origin {
        faults.origin("/Origin", origin);
    }
    if request.lifetime.is_some_and(|life| !LIVES.contains(&life)) {
        faults.say("/Lifetime", FieldErrorCode::Invalid, "10 to 900 seconds.");
    }
    faults.refuse()
}

/// The permissions of the token: as requested, else those of the key that concern lists.
fn requested_permissions(request: &EmbedTokenRequest, principal: &Principal) -> Permissions {
    if request.permissions.is_none() && request.roles.is_none() {
        return principal
            .permissions
            .intersection(Role::Owner.permissions());
    }
    let listed = request.permissions.iter().flatten().copied();
    let of_roles = permissions_of(request.roles.as_deref().unwrap_or_default());
    listed.collect::<Permissions>().union(of_roles)
}
