//! "Connect": a person grants access to a site in their browser, by the authorization code flow
//! with PKCE.
//!
//! Invariants: a consent completes within ten minutes, once, in the browser that began it (bound by
//! a cookie), and only if the connection has not changed. Tokens are encrypted and stored before
//! use.

use checklist_auth::Principal;
use checklist_auth::api_key::{hash, new_secret};
use checklist_egress::oauth::grant::GrantError;
use checklist_shared::administration::Action;
use checklist_shared::item::Actor;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::connections::{ConnectionMethod, ConsentBegun};
use checklist_store::administration::{Act, Cause, Target};
use checklist_store::connections::{ConnectionRecord, PendingConsent, SaveOutcome};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::Stamp;
use checklist_vault::HandleSeal;
use secrecy::{ExposeSecret, SecretString};

use super::record::find_record;
use super::settings::{ConnectionSecrets, ConnectionSettings, no_vault};
use super::{provider, token};
use crate::access;
use crate::app::App;

/// The lifetime of a pending consent, in seconds.
pub const LASTS: i64 = 10 * 60;
/// The encryption purpose of the PKCE verifier.
const PURPOSE: &str = "consent";

/// The query parameters of the redirect.
#[derive(Debug, Default)]
pub struct ConsentResponse {
    /// The authorization code.
    pub code: Option<String>,
    /// The error code of the authorization server.
    pub error: Option<String>,
    /// The issuer (RFC 9207).
    pub issuer: Option<String>,
}

/// Why a consent failed. The page that the browser returns to gets the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentError {
    /// The person or the server denied access.
    Refused,
    /// It expired, was completed before, or belongs to another browser.
    Expired,
    /// The connection was changed meanwhile.
    Changed,
    /// The server did not respond, or its response is invalid.
    ProviderFailed,
    /// The server issued no refresh token.
    NotLasting,
}

impl ConsentError {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refused => "Refused",
            Self::Expired => "Expired",
            Self::Changed => "Changed",
            Self::ProviderFailed => "ProviderFailed",
            Self::NotLasting => "NotLasting",
        }
    }
}

/// Begins a consent. Returns the URL to redirect to, and a cookie for the browser.
///
/// # Errors
/// `PermissionDenied` unless the caller is the owner, `ConnectionNotFound`, `InvalidRequest` if the
/// connection needs no consent, `SiteFailed` if the server's metadata cannot be loaded.
pub async fn begin(
    app: &App,
    principal: &Principal,
    id: &str,
    callback: &str,
) -> ServiceResult<(ConsentBegun, String)> {
    access::need_admin(principal)?;
    let record = find_record(app, &principal.tenant, id).await?;
    let settings = ConnectionSettings::of(&record)?;
    if settings.method != ConnectionMethod::Delegated {
        return Err(ServiceError::new(
            ProblemCode::InvalidRequest,
            "This connection does not act on behalf of a person, so there is nothing to consent to.",
        ));
    }
    if record.owner != principal.actor.identity() {
        return Err(ServiceError::new(
            ProblemCode::PermissionDenied,
            format!(
                "The connection belongs to {} and would act in your name; save it as yours first.",
                record.owner_name
            ),
        ));
    }
    if app.vault().is_none() {
        return Err(no_vault());
    }
    let secrets = ConnectionSecrets::of(app, &record)?;
    let asker = token::asker(app, &settings, &secrets).ok_or_else(consent_failure)?;
    let no_randomness = |_| consent_failure();
    let cookie = new_secret().map_err(no_randomness)?;
    let state = new_secret().map_err(no_randomness)?;
    let scopes = provider::scopes(&settings);
    let begun = asker
        .begin(app.egress(), callback, &state, &scopes)
        .await
        .map_err(|error| ServiceError::new(ProblemCode::SiteFailed, format!("{error}.")))?;
    let verifier = begun.verifier.expose_secret().as_bytes();
    let now = app.clock().now();
    let pending = PendingConsent {
        state: hash(&state),
        browser: hash(&cookie),
        tenant: record.tenant,
        connection: record.id,
        revision: settings.revision,
        actor: principal.actor.identity(),
        verifier: HandleSeal::of(&cookie, PURPOSE)
            .seal(verifier)
            .map_err(|_| consent_failure())?,
        expires_at: Timestamp::from_millis(now.as_millis() + LASTS * 1_000),
    };
    app.store().begin_consent(pending).await?;
    let begun = ConsentBegun {
        authorization_url: begun.address,
    };
    Ok((begun, cookie))
}

/// Completes a consent. Returns its connection, if known, and the outcome.
pub async fn finish(
    app: &App,
    callback: &str,
    state: &str,
    cookie: Option<&str>,
    returned: ConsentResponse,
) -> (Option<String>, Result<(), ConsentError>) {
    let pending = match app.store().finish_consent(hash(state)).await {
        Ok(Some(pending)) => pending,
        Ok(None) => return (None, Err(ConsentError::Expired)),
        Err(error) => {
            tracing::warn!(%error, "a consent cannot be finished");
            return (None, Err(ConsentError::ProviderFailed));
        }
    };
    let cookie = cookie.filter(|cookie| hash(cookie) == pending.browser);
    let Some(cookie) = cookie else {
        return (None, Err(ConsentError::Expired));
    };
    let id = pending.connection.clone();
    (
        Some(id),
        store_grant(app, callback, &pending, cookie, returned).await,
    )
}

async fn store_grant(
    app: &App,
    callback: &str,
    pending: &PendingConsent,
    cookie: &str,
    returned: ConsentResponse,
) -> Result<(), ConsentError> {
    if pending.expires_at <= app.clock().now() {
        return Err(ConsentError::Expired);
    }
    let record = same(app, pending).await?;
    let failed = |_| ConsentError::ProviderFailed;
    let settings = ConnectionSettings::of(&record).map_err(failed)?;
    let secrets = ConnectionSecrets::of(app, &record).map_err(failed)?;
    let asker = token::asker(app, &settings, &secrets).ok_or(ConsentError::ProviderFailed)?;
    let of_another = returned.issuer.is_some_and(|issuer| issuer != asker.issuer);
    let (Some(code), None, false) = (returned.code, returned.error, of_another) else {
        return Err(ConsentError::Refused);
    };
    let verifier = HandleSeal::of(cookie, PURPOSE)
        .open(&pending.verifier)
        .map_err(|_| ConsentError::Expired)?;
    let verifier = std::str::from_utf8(&verifier).map_err(|_| ConsentError::Expired)?;
    let granted = asker
        .exchange(app.egress(), callback, code, &verifier.into())
        .await
        .map_err(|error| {
            tracing::warn!(id = record.id, %error, "no token for a code");
            match error {
                GrantError::Refused { .. } => ConsentError::Refused,
                GrantError::Failed(_) => ConsentError::ProviderFailed,
            }
        })?;
    let refresh = granted.refresh.ok_or(ConsentError::NotLasting)?;
    keep(app, pending, record, &refresh).await
}

/// The connection, if it is unchanged since the consent began, and belongs to the same person.
async fn same(app: &App, pending: &PendingConsent) -> Result<ConnectionRecord, ConsentError> {
    let record = find_record(app, &pending.tenant, &pending.connection).await;
    let record = record.map_err(|_| ConsentError::Changed)?;
    let settings = ConnectionSettings::of(&record).map_err(|_| ConsentError::Changed)?;
    if settings.revision != pending.revision || record.owner != pending.actor {
        return Err(ConsentError::Changed);
    }
    Ok(record)
}

async fn keep(
    app: &App,
    pending: &PendingConsent,
    mut record: ConnectionRecord,
    refresh: &SecretString,
) -> Result<(), ConsentError> {
    let failed = |_| ConsentError::ProviderFailed;
    loop {
        let mut secrets = ConnectionSecrets::of(app, &record).map_err(failed)?;
        secrets.refresh_token = Some(refresh.clone());
        secrets.access = None;
        record.sealed = secrets.seal(app, &record).map_err(failed)?;
        record.problem = None;
        record.revision += 1;
        record.updated_at = app.clock().now();
        let stamp = Stamp {
            // Only the owner can begin a consent.
            actor: Actor::person(&record.owner, &record.owner_name),
            at: record.updated_at,
        };
        let act = Act {
            secrets: vec!["RefreshToken"],
            ..Act::new(
                stamp,
                Target::Connection(record.id.clone()),
                Action::Connected,
            )
        };
        let saved = app
            .store()
            .save_connection(record.clone(), Cause::Act(Box::new(act)))
            .await;
        match saved.map_err(|_| ConsentError::ProviderFailed)? {
            SaveOutcome::Done => {
                app.access_tokens().forget(&record.tenant, &record.id);
                tracing::info!(
                    tenant = record.tenant,
                    id = record.id,
                    by = pending.actor,
                    "connected"
                );
                return Ok(());
            }
            SaveOutcome::Missing | SaveOutcome::NameTaken => return Err(ConsentError::Changed),
            SaveOutcome::Changed => record = same(app, pending).await?,
        }
    }
}

fn consent_failure() -> ServiceError {
    ServiceError::new(ProblemCode::Internal, "The consent cannot be begun.")
}
