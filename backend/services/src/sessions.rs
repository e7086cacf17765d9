//! Sessions of the built-in pages: created by a sign-in, described, ended.

use checklist_auth::demo::TENANT;
use checklist_auth::oidc::Oidc;
use checklist_auth::oidc::code_flow::{AuthorizationResponse, SignInError};
use checklist_auth::{Credential, Principal, api_key, permissions_of, session};
use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::Session;
use checklist_store::administration::server;
use checklist_store::directory::{DirectoryChange, SessionRecord, UserRecord};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::Stamp;

use crate::app::App;

/// The issuer of local administrators.
pub const LOCAL: &str = "local";
/// The demo is its own identity provider.
const DEMO_ISSUER: &str = "demo";
const DEMO_SUBJECT: &str = "administrator";

/// A new session and its cookie.
pub struct NewSession {
    /// The value of the cookie.
    pub cookie: String,
    /// The session, as `GetSession` returns it.
    pub session: Session,
}

/// Creates a session with a lifetime in seconds.
///
/// # Errors
/// The store failed.
pub async fn begin(app: &App, user: &UserRecord, seconds: i64) -> ServiceResult<NewSession> {
    let cookie = api_key::new_secret()
        .map_err(|_| ServiceError::new(ProblemCode::Internal, "The system gave no randomness."))?;
    let record = session::new_session(api_key::hash(&cookie), user, seconds, app.clock().now());
    let stamp = Stamp {
        actor: user.actor(),
        at: record.created_at,
    };
    app.store().begin_session(record.clone(), stamp).await?;
    tracing::info!(tenant = user.tenant, subject = user.subject, "signed in");
    Ok(NewSession {
        cookie,
        session: to_wire(&record, user),
    })
}

/// Starts a sign-in at the identity provider. Returns the URL to redirect to, and a cookie.
///
/// # Errors
/// The provider does not respond, or the store failed.
pub async fn begin_sign_in(
    app: &App,
    oidc: &Oidc,
    callback: &str,
    return_to: String,
    tenant: Option<String>,
) -> Result<(String, String), SignInError> {
    let now = app.clock().now();
    let begun = oidc.begin(callback, return_to, tenant, now).await?;
    let kept = app.store().begin_sign_in(begun.pending).await;
    kept.map_err(|_| SignInError::ProviderFailed)?;
    Ok((begun.address, begun.cookie))
}

/// Completes the sign-in with this `state` in the browser with this `cookie`. Returns the page to
/// go back to if it is known, even if the sign-in fails.
pub async fn finish_sign_in(
    app: &App,
    oidc: &Oidc,
    callback: &str,
    state: &str,
    cookie: Option<&str>,
    returned: AuthorizationResponse,
    seconds: i64,
) -> (Option<String>, Result<NewSession, SignInError>) {
    let state = api_key::hash(state);
    let pending = match app.store().finish_sign_in(state).await {
        Ok(Some(pending)) => pending,
        Ok(None) => return (None, Err(SignInError::Expired)),
        Err(_) => return (None, Err(SignInError::ProviderFailed)),
    };
    let cookie = cookie.filter(|cookie| api_key::hash(cookie) == pending.browser);
    let Some(cookie) = cookie else {
        return (None, Err(SignInError::Expired));
    };
    let now = app.clock().now();
    let signed_in = oidc.finish(callback, &pending, cookie, returned, app.trust_cache(), now);
    let begun = match signed_in.await {
        Ok(user) => begin(app, &user, seconds)
            .await
            .map_err(|_| SignInError::ProviderFailed),
        Err(error) => Err(error),
    };
    (Some(pending.return_to), begun)
}

/// Creates a session for the demo's administrator.
///
/// # Errors
/// The store failed.
pub async fn begin_demo(app: &App, seconds: i64) -> ServiceResult<NewSession> {
    let known = app.trust_cache().registrations(DEMO_ISSUER, DEMO_SUBJECT);
    if let Some(user) = known.await?.first() {
        return begin(app, user, seconds).await;
    }
    let user = UserRecord {
        tenant: TENANT.to_owned(),
        issuer: DEMO_ISSUER.to_owned(),
        subject: DEMO_SUBJECT.to_owned(),
        name: "Demo administrator".to_owned(),
        roles: vec![Role::Admin],
        disabled: false,
        epoch: Timestamp::from_millis(0),
        created_at: app.clock().now(),
        signed_in_at: None,
    };
    let stamp = Stamp {
        actor: server(),
        at: user.created_at,
    };
    let put = DirectoryChange::PutUser(user.clone());
    app.trust_cache().change(put, stamp).await?;
    begin(app, &user, seconds).await
}

/// Describes the caller's session.
///
/// # Errors
/// `Unauthenticated` if the caller has none.
pub async fn describe(app: &App, principal: &Principal) -> ServiceResult<Session> {
    let found = match principal.credential {
        Credential::Session(secret) => app.store().session(secret).await?,
        _ => None,
    };
    found
        .map(|(record, user)| to_wire(&record, &user))
        .ok_or_else(|| {
            ServiceError::new(
                ProblemCode::Unauthenticated,
                "Nobody has signed in with this browser.",
            )
        })
}

/// Ends the session of a cookie, if any.
///
/// # Errors
/// The store failed.
pub async fn end(app: &App, cookie: &str) -> ServiceResult<()> {
    let now = app.clock().now();
    Ok(app.store().end_session(api_key::hash(cookie), now).await?)
}

fn to_wire(record: &SessionRecord, user: &UserRecord) -> Session {
    Session {
        name: user.name.clone(),
        subject: user.subject.clone(),
        tenant: user.tenant.clone(),
        roles: user.roles.clone(),
        permissions: permissions_of(&user.roles).iter().collect(),
        expires_at: record.expires_at,
        passkeys: user.issuer == LOCAL,
        oidc: false,
    }
}
