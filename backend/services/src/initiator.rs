//! Checks whether the initiator of a run, or of a one-time link, still has the permissions that it needs.
//!
//! A run outlives the request that started it. Its worker therefore authorizes it again
//! before each part of its work, with the current state of keys, users and roles.

use checklist_auth::{AuthError, Credential, Principal, api_key, session};
use checklist_shared::item::Actor;
use checklist_shared::problem::ProblemCode;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::initiator::Initiator;
use checklist_store::keyset::Keyset;

use crate::app::App;

/// The identification of a caller that is stored with what it has begun.
pub(super) async fn of(app: &App, principal: &Principal) -> ServiceResult<Initiator> {
    Ok(match &principal.credential {
        Credential::Own => Initiator::Operator,
        Credential::ApiKey(secret) => Initiator::ApiKey(*secret),
        Credential::Session(secret) => {
            let session = app.store().session(*secret).await?;
            Initiator::Person {
                issuer: session.map(|(record, _)| record.issuer),
                subject: principal.actor.id.clone(),
            }
        }
        Credential::IdentityToken { subject, .. } => Initiator::Person {
            issuer: principal.actor.issuer.clone(),
            subject: subject.clone(),
        },
        // Unreachable: `refuse_embed_token` comes first.
        Credential::EmbedToken { .. } => return Err(initiator_gone()),
    })
}

/// The initiator of a run with its current permissions, under the name that it had.
pub(super) async fn principal(
    app: &App,
    tenant: &str,
    (standing, actor): (&Initiator, &Actor),
) -> ServiceResult<Principal> {
    let mut found = current(app, tenant, standing).await?;
    found.actor = actor.clone();
    Ok(found)
}

/// The initiator as it is now.
///
/// # Errors
/// `PermissionDenied` if it is not let in any more.
pub(super) async fn current(
    app: &App,
    tenant: &str,
    standing: &Initiator,
) -> ServiceResult<Principal> {
    let found = match standing {
        Initiator::Operator => Principal::operator(tenant),
        Initiator::ApiKey(secret) => {
            let key = app.trust_cache().api_key(*secret).await?;
            let key = key
                .filter(|key| key.tenant == tenant)
                .ok_or_else(initiator_gone)?;
            api_key::admit(&key, app.clock().now()).map_err(initiator_denied)?
        }
        Initiator::Person { issuer, subject } => {
            let users = match issuer {
                Some(issuer) => app.store().registrations(issuer, subject).await?,
                None => app.store().users(tenant, Keyset::whole()).await?,
            };
            let user = users
                .into_iter()
                .find(|user| user.tenant == tenant && user.subject == *subject);
            session::person(&user.ok_or_else(initiator_gone)?).map_err(initiator_denied)?
        }
    };
    let trust = app.trust_cache().of(tenant).await?;
    trust.lets_in(None).map_err(initiator_denied)?;
    Ok(found)
}

fn initiator_gone() -> ServiceError {
    ServiceError::new(
        ProblemCode::PermissionDenied,
        "Whoever began the run is not let in any more.",
    )
}

fn initiator_denied(error: AuthError) -> ServiceError {
    ServiceError::new(
        ProblemCode::PermissionDenied,
        format!(
            "Whoever began the run is not let in any more: {}",
            error.detail
        ),
    )
}
