//! One-time links that sign in an administrator without an identity provider.
//!
//! The operator creates a link on the command line, with `init` or at the first start, and an
//! administrator in the administration, for another one. It is valid for ten minutes and one use, and is
//! bound to the browser that opens it first, so a link that leaks through a log or a screen cannot be used
//! by someone else. Redeeming it creates a local administrator, who exists on this server only, and whom the
//! trail names as made by whoever made the link.
//!
//! No link outlives the revocation of everything in its tenant, the time that the tenant is disabled, or
//! the administration of whoever made it. A link that was used ends those of the operator, which may be
//! in a log; those that administrators have made for others go on.

use checklist_auth::{Credential, Principal, api_key};
use checklist_runtime::clock::new_item_id;
use checklist_shared::permission::Role;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::{AdminLink, AdminLinkState, CreatedAdminLink};
use checklist_store::directory::{AdminLinkRecord, DirectoryChange, SecretHash, UserRecord};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::initiator::Initiator;
use checklist_store::keyset::Keyset;

use super::access::{self, FieldErrors};
use super::base_url::BaseUrl;
use super::initiator;
use super::sessions::{self, LOCAL, NewSession};
use super::tenants;
use crate::app::App;

/// The lifetime of a link, in milliseconds.
const HOLDS: i64 = 10 * 60 * 1_000;

/// A link that was created.
pub struct CreatedLink {
    /// What authenticates; shown once.
    pub secret: String,
    expires_at: Timestamp,
}

impl CreatedLink {
    /// Its address. The secret stands behind the `#`, which browsers keep to themselves.
    #[must_use]
    pub fn address(&self, base: &BaseUrl) -> String {
        format!("{base}/admin/link#{}", self.secret)
    }

    /// What the administration shows of it.
    #[must_use]
    pub fn to_wire(&self, base: &BaseUrl) -> CreatedAdminLink {
        CreatedAdminLink {
            link: self.address(base),
            expires_at: self.expires_at,
        }
    }
}

/// Creates a link for the caller's tenant. With `subject` it signs in that existing local
/// administrator instead of a new one.
///
/// # Errors
/// `PermissionDenied`; `NotFound` if the tenant or the administrator does not exist.
pub async fn create(
    app: &App,
    principal: &Principal,
    subject: Option<&str>,
) -> ServiceResult<CreatedLink> {
    access::need_admin(principal)?;
    let tenant = &principal.tenant;
    if !tenants::exists(app, tenant).await? {
        return Err(ServiceError::new(
            ProblemCode::NotFound,
            format!("There is no tenant '{tenant}'."),
        ));
    }
    // A tenant that exists only by its data is registered with its first administrator.
    if !tenants::list(app)
        .await?
        .iter()
        .any(|there| there.id == *tenant)
    {
        tenants::put(app, tenant, None, None).await?;
    }
    if let Some(subject) = subject {
        find_local_admin(app, tenant, subject).await?;
    }
    let made_by = match principal.credential {
        // Only the demo's own may administer, and whoever has one is its operator.
        Credential::EmbedToken { .. } => Initiator::Operator,
        _ => initiator::of(app, principal).await?,
    };
    let secret = api_key::new_secret().map_err(|_| no_randomness())?;
    let now = app.clock().now();
    let expires_at = Timestamp::from_millis(now.as_millis() + HOLDS);
    let link = AdminLinkRecord {
        secret: api_key::hash(&secret),
        tenant: tenant.clone(),
        subject: subject.map(str::to_owned),
        browser: None,
        made_by,
        created_at: now,
        expires_at,
        used_at: None,
    };
    app.store()
        .add_admin_link(link, principal.stamp(now))
        .await?;
    Ok(CreatedLink { secret, expires_at })
}

async fn find_local_admin(app: &App, tenant: &str, subject: &str) -> ServiceResult<UserRecord> {
    let users = app.store().users(tenant, Keyset::whole()).await?;
    let found = users
        .into_iter()
        .find(|user| user.issuer == LOCAL && user.subject == subject && !user.disabled);
    found.ok_or_else(|| {
        ServiceError::new(
            ProblemCode::NotFound,
            format!("The tenant '{tenant}' has no local administrator '{subject}' who is let in."),
        )
    })
}

/// Opens a link and returns its state with the browser's secret. Binds the link to the first
/// browser.
///
/// # Errors
/// The store failed.
pub async fn open(
    app: &App,
    secret: &str,
    cookie: Option<&str>,
) -> ServiceResult<(AdminLink, String)> {
    let cookie = match cookie {
        Some(cookie) => cookie.to_owned(),
        None => api_key::new_secret().map_err(|_| no_randomness())?,
    };
    let browser = api_key::hash(&cookie);
    let found = app
        .store()
        .open_admin_link(api_key::hash(secret), browser)
        .await?;
    let answer = describe(app, found.as_ref(), &browser).await?;
    Ok((answer, cookie))
}

async fn describe(
    app: &App,
    link: Option<&AdminLinkRecord>,
    browser: &SecretHash,
) -> ServiceResult<AdminLink> {
    let state = state_of(app, link, browser).await?;
    let Some(link) = link.filter(|_| state == AdminLinkState::Open) else {
        return Ok(AdminLink {
            state,
            tenant: None,
            name: None,
        });
    };
    let name = match &link.subject {
        Some(subject) => Some(find_local_admin(app, &link.tenant, subject).await?.name),
        None => None,
    };
    Ok(AdminLink {
        state,
        tenant: Some(link.tenant.clone()),
        name,
    })
}

/// The state that a browser sees: a link that another browser has opened is `OtherBrowser`.
async fn state_of(
    app: &App,
    link: Option<&AdminLinkRecord>,
    browser: &SecretHash,
) -> ServiceResult<AdminLinkState> {
    // Links are purged after a day, so an unknown one may have expired or never existed.
    let Some(link) = link else {
        return Ok(AdminLinkState::Expired);
    };
    Ok(if link.used_at.is_some() {
        AdminLinkState::Used
    } else if link.expires_at <= app.clock().now() || maker_of(app, link).await?.is_none() {
        AdminLinkState::Expired
    } else if link.browser.as_ref() != Some(browser) {
        AdminLinkState::OtherBrowser
    } else {
        AdminLinkState::Open
    })
}

/// Who has made a link; `None` if that is nobody who may make one now, or if the tenant was disabled
/// since then.
async fn maker_of(app: &App, link: &AdminLinkRecord) -> ServiceResult<Option<Principal>> {
    let trust = app.trust_cache().of(&link.tenant).await?;
    if trust.lets_in(Some(link.created_at)).is_err() {
        return Ok(None);
    }
    match initiator::current(app, &link.tenant, &link.made_by).await {
        Ok(maker) => Ok(access::need_admin(&maker).is_ok().then_some(maker)),
        Err(error) if error.code() == ProblemCode::PermissionDenied => Ok(None),
        Err(error) => Err(error),
    }
}

/// Redeems a link and starts a session. Returns the link's state if it cannot be redeemed.
///
/// # Errors
/// `InvalidRequest` when a new administrator has no name.
pub async fn redeem(
    app: &App,
    secret: &str,
    cookie: Option<&str>,
    name: Option<&str>,
    seconds: i64,
) -> ServiceResult<Result<NewSession, AdminLink>> {
    let Some(cookie) = cookie else {
        // Opening the link sets a cookie, so a request without one comes from another browser.
        return Ok(Err(AdminLink {
            state: AdminLinkState::OtherBrowser,
            tenant: None,
            name: None,
        }));
    };
    let (secret, browser) = (api_key::hash(secret), api_key::hash(cookie));
    let now = app.clock().now();
    let link = app.store().open_admin_link(secret, browser).await?;
    let open = match link {
        Some(link) if state_of(app, Some(&link), &browser).await? == AdminLinkState::Open => link,
        other => return Ok(Err(describe(app, other.as_ref(), &browser).await?)),
    };
    let Some(maker) = maker_of(app, &open).await? else {
        return Ok(Err(describe(app, Some(&open), &browser).await?));
    };
    let user = match &open.subject {
        Some(subject) => find_local_admin(app, &open.tenant, subject).await?,
        None => new_administrator(&open.tenant, name, now)?,
    };
    if !app.store().use_admin_link(secret, browser, now).await? {
        let again = app.store().open_admin_link(secret, browser).await?;
        return Ok(Err(describe(app, again.as_ref(), &browser).await?));
    }
    if open.subject.is_none() {
        let stamp = maker.stamp(now);
        let put = DirectoryChange::PutUser(user.clone());
        app.trust_cache().change(put, stamp).await?;
    }
    sessions::begin(app, &user, seconds).await.map(Ok)
}

fn new_administrator(
    tenant: &str,
    name: Option<&str>,
    now: Timestamp,
) -> ServiceResult<UserRecord> {
    let mut faults = FieldErrors::default();
    match name.map(str::trim) {
        None | Some("") => faults.say("/Name", FieldErrorCode::Required, "Enter your name."),
        Some(name) => faults.name("/Name", name),
    }
    faults.refuse()?;
    Ok(UserRecord {
        tenant: tenant.to_owned(),
        issuer: LOCAL.to_owned(),
        subject: new_item_id(now).map_err(|_| no_randomness())?.to_string(),
        name: name.unwrap_or_default().trim().to_owned(),
        roles: vec![Role::Admin],
        disabled: false,
        epoch: now,
        created_at: now,
        signed_in_at: None,
    })
}

fn no_randomness() -> ServiceError {
    ServiceError::new(ProblemCode::Internal, "The system gave no randomness.")
}
