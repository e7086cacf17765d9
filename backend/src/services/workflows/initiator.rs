//! Whether whoever began a run may still do what it does.
//!
//! A run outlives the request that began it, so its worker judges anew, at the beginning of every
//! pass, by what is known now: keys that were revoked, people who were disabled, roles that were
//! taken away.

use checklist_shared::problem::ProblemCode;

use crate::app::App;
use crate::auth::{AuthError, Credential, Principal, api_key, session};
use crate::error::{ServiceError, ServiceResult};
use crate::storage::keyset::Keyset;
use crate::storage::workflows::{RunInitiator, RunRecord};

/// By what a caller is known later.
pub(super) async fn of(app: &App, principal: &Principal) -> ServiceResult<RunInitiator> {
    Ok(match &principal.credential {
        Credential::Own => RunInitiator::Operator,
        Credential::ApiKey(secret) => RunInitiator::ApiKey(*secret),
        Credential::Session(secret) => {
            let session = app.store().session(*secret).await?;
            RunInitiator::Person {
                issuer: session.map(|(record, _)| record.issuer),
                subject: principal.actor.id.clone(),
            }
        }
        Credential::IdentityToken { subject, .. } => RunInitiator::Person {
            issuer: principal.actor.issuer.clone(),
            subject: subject.clone(),
        },
        // Refused before it comes to this.
        Credential::EmbedToken { .. } => return Err(gone()),
    })
}

/// Whoever began a run, with the permissions of now.
pub(super) async fn principal(app: &App, run: &RunRecord) -> ServiceResult<Principal> {
    let tenant = &run.tenant;
    let mut found = match &run.plan.standing {
        RunInitiator::Operator => Principal::operator(tenant),
        RunInitiator::ApiKey(secret) => {
            let key = app.trusted().api_key(*secret).await?;
            let key = key.filter(|key| key.tenant == *tenant).ok_or_else(gone)?;
            api_key::admit(&key, app.clock().now()).map_err(denied)?
        }
        RunInitiator::Person { issuer, subject } => {
            let users = match issuer {
                Some(issuer) => app.store().registrations(issuer, subject).await?,
                None => app.store().users(tenant, Keyset::whole()).await?,
            };
            let user = users
                .into_iter()
                .find(|user| user.tenant == *tenant && user.subject == *subject);
            session::person(&user.ok_or_else(gone)?).map_err(denied)?
        }
    };
    let trust = app.trusted().of(tenant).await?;
    trust.lets_in(None).map_err(denied)?;
    found.actor = run.plan.actor.clone();
    Ok(found)
}

fn gone() -> ServiceError {
    ServiceError::new(
        ProblemCode::PermissionDenied,
        "Whoever began the run is not let in any more.",
    )
}

fn denied(denied: AuthError) -> ServiceError {
    ServiceError::new(
        ProblemCode::PermissionDenied,
        format!(
            "Whoever began the run is not let in any more: {}",
            denied.detail
        ),
    )
}
