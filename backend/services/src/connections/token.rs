//! Access tokens for connections that use OAuth.
//!
//! Invariants: a refresh token works only once, so its successor is stored before the new access
//! token is used. One refresh is in flight per connection: a mutex ensures it on this node, a claim
//! in the store across nodes. The access token is stored with the refresh token, so that the other
//! nodes need no refresh of their own.

use std::time::{Duration, Instant};

use checklist_egress::oauth::certificate::ClientCertificate;
use checklist_egress::oauth::grant::{GrantError, OAuthClient};
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::connections::ConnectionMethod;
use checklist_store::connections::{ConnectionRecord, SaveOutcome};
use checklist_store::error::{ServiceError, ServiceResult};
use secrecy::{ExposeSecret, SecretString};

use super::provider;
use super::record::find_record;
use super::settings::{ConnectionSecrets, ConnectionSettings, StoredAccessToken};
use crate::access_tokens::{FetchedToken, RejectedToken, is_refused};
use crate::app::App;

/// The lifetime of a claim whose node has died, in milliseconds.
const CLAIM: i64 = 30_000;
/// How long a caller waits for another node's refresh.
const PATIENCE: Duration = Duration::from_secs(35);
/// The polling interval of that wait.
const LOOK: Duration = Duration::from_millis(150);

/// The access token of a connection. Fetches a new one if the cached one is about to expire or has
/// been rejected by the site.
///
/// # Errors
/// `ConnectionNeedsSignIn` without a valid consent; `SiteFailed` if the authorization server fails;
/// `Busy` if another node's refresh takes too long.
pub(super) async fn of(
    app: &App,
    record: &ConnectionRecord,
    refused: RejectedToken<'_>,
) -> ServiceResult<SecretString> {
    let key = (record.tenant.clone(), record.id.clone());
    let tokens = app.access_tokens();
    if let Some(token) = tokens.get(&key, &record.origin, refused) {
        return Ok(token);
    }
    let turn = tokens.fetch_lock(&key);
    let _mine = turn.lock().await;
    // Another caller may have fetched it meanwhile.
    if let Some(token) = tokens.get(&key, &record.origin, refused) {
        return Ok(token);
    }
    let settings = ConnectionSettings::of(record)?;
    let fetched = if settings.method == ConnectionMethod::Application {
        as_application(app, record, &settings).await?
    } else {
        refresh_token(app, record, refused).await?
    };
    tokens.keep(key, &record.origin, &fetched);
    Ok(fetched.token)
}

/// The OAuth client of a connection.
pub(super) fn asker(
    app: &App,
    settings: &ConnectionSettings,
    secrets: &ConnectionSecrets,
) -> Option<OAuthClient> {
    let certificate = secrets.client_certificate.as_ref();
    Some(OAuthClient {
        issuer: settings.issuer.clone()?,
        client_id: settings.client_id.clone()?,
        client_secret: secrets.client_secret.clone(),
        // It was validated when it was stored.
        certificate: certificate.and_then(|pem| ClientCertificate::read(pem).ok()),
        now: app.clock().now(),
    })
}

async fn as_application(
    app: &App,
    record: &ConnectionRecord,
    settings: &ConnectionSettings,
) -> ServiceResult<FetchedToken> {
    let secrets = ConnectionSecrets::of(app, record)?;
    let asker = asker(app, settings, &secrets).ok_or_else(needs_sign_in)?;
    let scopes = provider::scopes(settings);
    let granted = asker.as_application(app.egress(), &scopes).await;
    let granted = granted.map_err(|error| grant_failure(record, &error))?;
    Ok(FetchedToken::of(&granted))
}

/// Returns the token that another node has just fetched, or refreshes as soon as no other node
/// does.
async fn refresh_token(
    app: &App,
    record: &ConnectionRecord,
    refused: RejectedToken<'_>,
) -> ServiceResult<FetchedToken> {
    let begun = Instant::now();
    let origin = record.origin.clone();
    loop {
        // Reads it again: the caller's copy may be old.
        let record = find_record(app, &record.tenant, &record.id).await?;
        if record.origin != origin {
            return Err(ServiceError::new(
                ProblemCode::ConnectionNotFound,
                "The connection leads elsewhere by now; begin anew.",
            ));
        }
        let now = app.clock().now();
        if let Some(fetched) = brought_before(app, &record, now, refused)? {
            return Ok(fetched);
        }
        let until = Timestamp::from_millis(now.as_millis() + CLAIM);
        let claimed = app
            .store()
            .claim_refresh(&record.tenant, &record.id, record.revision, now, until)
            .await?;
        if claimed {
            let outcome = refresh(app, &record).await;
            if outcome.is_err() {
                give_back(app, &record, now, until).await;
            }
            return outcome;
        }
        if begun.elapsed() > PATIENCE {
            return Err(ServiceError::new(
                ProblemCode::Busy,
                "Another node is signing in for this connection; try again in a moment.",
            )
            .retry_after(5));
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// The stored access token of the last refresh on any node, if still usable.
fn brought_before(
    app: &App,
    record: &ConnectionRecord,
    now: Timestamp,
    refused: RejectedToken<'_>,
) -> ServiceResult<Option<FetchedToken>> {
    let access = ConnectionSecrets::of(app, record)?.access;
    let access = access.filter(|access| !is_refused(&access.token, refused));
    Ok(access.and_then(|access| {
        let left = access.until.as_millis() - now.as_millis();
        let usable = u64::try_from(left).ok().filter(|left| *left > 0)?;
        Some(FetchedToken {
            token: access.token,
            usable: Duration::from_millis(usable),
        })
    }))
}

/// Ends the claim at once, so that nobody waits until it expires.
async fn give_back(app: &App, record: &ConnectionRecord, now: Timestamp, until: Timestamp) {
    let given_back = app
        .store()
        .claim_refresh(&record.tenant, &record.id, record.revision, until, now)
        .await;
    if let Err(error) = given_back {
        tracing::warn!(id = record.id, %error, "a claim was not given back; it ends by itself");
    }
}

async fn refresh(app: &App, record: &ConnectionRecord) -> ServiceResult<FetchedToken> {
    let settings = ConnectionSettings::of(record)?;
    let secrets = ConnectionSecrets::of(app, record)?;
    let asker = asker(app, &settings, &secrets);
    let (Some(asker), Some(used)) = (asker, secrets.refresh_token.as_ref()) else {
        return Err(needs_sign_in());
    };
    if record.problem.is_some() {
        return Err(needs_sign_in());
    }
    let scopes = provider::scopes(&settings);
    match asker.refresh(app.egress(), used, &scopes).await {
        Ok(granted) => {
            let fetched = FetchedToken::of(&granted);
            let next = granted.refresh.as_ref().unwrap_or(used);
            keep(app, record, used, Ok((next, &fetched))).await?;
            Ok(fetched)
        }
        Err(GrantError::Refused { code, detail }) if code == "invalid_grant" => {
            tracing::info!(id = record.id, detail, "a consent is gone");
            let why = "The consent was taken back or has ended.";
            keep(app, record, used, Err(why)).await?;
            Err(needs_sign_in())
        }
        Err(error) => Err(grant_failure(record, &error)),
    }
}

/// Stores the result of a refresh before anything else happens: the next refresh token (unchanged
/// if the server does not rotate it) and the access token, or the reason why there is none. If
/// somebody has changed the connection meanwhile, their change is kept, and the new token replaces
/// only the one that was used.
async fn keep(
    app: &App,
    record: &ConnectionRecord,
    used: &SecretString,
    became: Result<(&SecretString, &FetchedToken), &str>,
) -> ServiceResult<()> {
    let settings = record.settings.clone();
    let mut record = record.clone();
    loop {
        let mut secrets = ConnectionSecrets::of(app, &record)?;
        let still_there = secrets
            .refresh_token
            .as_ref()
            .is_some_and(|token| token.expose_secret() == used.expose_secret());
        if !still_there {
            return Ok(());
        }
        match became {
            Ok((next, fetched)) => {
                secrets.refresh_token = Some(next.clone());
                // A token that was requested under other settings serves only this call.
                secrets.access = (record.settings == settings).then(|| access(app, fetched));
                record.problem = None;
            }
            Err(why) => {
                secrets.access = None;
                record.problem = Some(why.to_owned());
            }
        }
        match secrets.keep(app, &mut record).await? {
            SaveOutcome::Done | SaveOutcome::Missing | SaveOutcome::NameTaken => return Ok(()),
            SaveOutcome::Changed => record = find_record(app, &record.tenant, &record.id).await?,
        }
    }
}

fn access(app: &App, fetched: &FetchedToken) -> StoredAccessToken {
    let usable = i64::try_from(fetched.usable.as_millis()).unwrap_or(0);
    StoredAccessToken {
        token: fetched.token.clone(),
        until: Timestamp::from_millis(app.clock().now().as_millis() + usable),
    }
}

fn needs_sign_in() -> ServiceError {
    ServiceError::new(
        ProblemCode::ConnectionNeedsSignIn,
        "Nobody is signed in for this connection, or the consent was taken back. Its owner has to connect it again.",
    )
}

/// Seconds until a failed request to an authorization server may be retried.
const LATER: u32 = 5;

fn grant_failure(record: &ConnectionRecord, error: &GrantError) -> ServiceError {
    tracing::warn!(id = record.id, %error, "no access token");
    let failed = ServiceError::new(
        ProblemCode::SiteFailed,
        format!("There is no access to the site now: {error}."),
    );
    ServiceError {
        // Only a server that did not respond properly is worth a retry; a denial is final.
        retry_after: matches!(error, GrantError::Failed(_)).then_some(LATER),
        ..failed
    }
}
