//! Sessions of the built-in pages: begun after a sign-in, described, ended.
//!
//! Called by the handlers of `session` and `sign_in`.

use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::access::Session;

use crate::app::App;
use crate::auth::{Credential, Principal, api_key, permissions_of, session};
use crate::demo::TENANT;
use crate::error::{ServiceError, ServiceResult};
use crate::storage::directory::{DirectoryChange, SessionRecord, UserRecord};

/// The demo's own identity provider: itself.
const DEMO_ISSUER: &str = "demo";
const DEMO_SUBJECT: &str = "administrator";

/// A session that was begun, and what the browser is to keep.
pub struct Begun {
    /// The cookie's value.
    pub cookie: String,
    /// The session.
    pub session: Session,
}

/// Begins a session for a person.
///
/// # Errors
/// The store could not do it.
pub async fn begin(app: &App, user: &UserRecord) -> ServiceResult<Begun> {
    let cookie = api_key::new_secret()
        .map_err(|_| ServiceError::new(ProblemCode::Internal, "The system gave no randomness."))?;
    let record = session::begun(api_key::hash(&cookie), user, app.clock().now());
    app.store().begin_session(record.clone()).await?;
    tracing::info!(tenant = user.tenant, subject = user.subject, "signed in");
    Ok(Begun {
        cookie,
        session: shown(&record, user),
    })
}

/// Begins a session for the demo's administrator.
///
/// # Errors
/// The store could not do it.
pub async fn begin_demo(app: &App) -> ServiceResult<Begun> {
    let known = app.trusted().registrations(DEMO_ISSUER, DEMO_SUBJECT);
    if let Some(user) = known.await?.first() {
        return begin(app, user).await;
    }
    let user = UserRecord {
        tenant: TENANT.to_owned(),
        issuer: DEMO_ISSUER.to_owned(),
        subject: DEMO_SUBJECT.to_owned(),
        name: "Demo administrator".to_owned(),
        roles: vec![Role::Admin],
        disabled: false,
        created_at: app.clock().now(),
    };
    let put = DirectoryChange::PutUser(user.clone());
    app.trusted().change(put).await?;
    begin(app, &user).await
}

/// The session of a caller.
///
/// # Errors
/// `Unauthenticated` when the caller has none.
pub async fn describe(app: &App, principal: &Principal) -> ServiceResult<Session> {
    let found = match principal.credential {
        Credential::Session(secret) => app.store().session(secret).await?,
        _ => None,
    };
    found
        .map(|(record, user)| shown(&record, &user))
        .ok_or_else(|| {
            ServiceError::new(
                ProblemCode::Unauthenticated,
                "Nobody has signed in with this browser.",
            )
        })
}

/// Ends the session of a cookie, if there is one.
///
/// # Errors
/// The store could not do it.
pub async fn end(app: &App, cookie: &str) -> ServiceResult<()> {
    Ok(app.store().end_session(api_key::hash(cookie)).await?)
}

fn shown(record: &SessionRecord, user: &UserRecord) -> Session {
    Session {
        name: user.name.clone(),
        subject: user.subject.clone(),
        tenant: user.tenant.clone(),
        roles: user.roles.clone(),
        permissions: permissions_of(&user.roles).iter().collect(),
        expires_at: record.expires_at,
    }
}
