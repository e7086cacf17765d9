//! Users of the identity provider, with their roles.
//!
//! Invariant: a person who is not registered cannot sign in, even with a valid token of the
//! provider.

use checklist_auth::{Credential, Principal};
use checklist_shared::patch::Patch;
use checklist_shared::permission::Role;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::{PutUser, User, UserRef, Users};
use checklist_store::directory::{DirectoryChange, DirectoryOutcome, UserRecord};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::expected::ExpectedState;
use checklist_store::keyset::Keyset;
use checklist_store::sort_name::sort_name;

use super::access::{self, FieldErrors};
use super::api_keys::once_each;
use super::listing::{self, ListQuery};
use crate::app::App;

/// Lists a page of the tenant's users, by name, issuer and subject; searches name, subject and issuer. With
/// `role` only users who have that role.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(
    app: &App,
    principal: &Principal,
    query: &ListQuery,
    role: Option<Role>,
) -> ServiceResult<Users> {
    access::need_admin(principal)?;
    let (records, next) = listing::filtered_page(
        "Users",
        query,
        role.is_some(),
        |page| app.store().users(&principal.tenant, page),
        |user: &UserRecord| {
            let name = sort_name(&user.name);
            (name, user.issuer.clone(), user.subject.clone())
        },
        |user, words| {
            role.is_none_or(|role| user.roles.contains(&role))
                && words.stand_in([user.name.as_str(), &user.subject, &user.issuer])
        },
    )
    .await?;
    Ok(Users {
        users: records.into_iter().map(to_wire).collect(),
        next,
    })
}

/// All users of the tenant.
///
/// # Errors
/// `PermissionDenied`.
pub async fn all(app: &App, principal: &Principal) -> ServiceResult<Vec<User>> {
    access::need_admin(principal)?;
    let records = app
        .store()
        .users(&principal.tenant, Keyset::whole())
        .await?;
    Ok(records.into_iter().map(to_wire).collect())
}

/// Registers a user, or changes name, roles and whether the user is disabled.
///
/// # Errors
/// `PermissionDenied`, `LastAdministrator` unless the operator calls, `UserNotFound` if the person
/// has to be registered (`Something`) and is not, or `InvalidRequest` with every field error.
pub async fn put(
    app: &App,
    principal: &Principal,
    user: PutUser,
    expected: &ExpectedState,
) -> ServiceResult<User> {
    access::need_admin(principal)?;
    let has_to_exist = match expected {
        ExpectedState::Anything => false,
        ExpectedState::Something => true,
        ExpectedState::Nothing | ExpectedState::States(_) => {
            return Err(ServiceError::new(
                ProblemCode::InvalidRequest,
                "People have no tags: `If-Match: *` alone, for somebody who is registered.",
            ));
        }
    };
    let mut faults = FieldErrors::default();
    faults.name("/Issuer", &user.issuer);
    faults.name("/Subject", &user.subject);
    faults.name("/Name", &user.name);
    faults.refuse()?;
    let disabled = match user.disabled {
        Patch::Set(disabled) => disabled,
        Patch::Clear => false,
        Patch::Keep => registered(app, principal, &user.issuer, &user.subject)
            .await?
            .is_some_and(|registered| registered.disabled),
    };
    let record = UserRecord {
        tenant: principal.tenant.clone(),
        issuer: user.issuer,
        subject: user.subject,
        name: user.name.trim().to_owned(),
        roles: once_each(user.roles),
        disabled,
        epoch: app.clock().now(),
        created_at: app.clock().now(),
        signed_in_at: None,
    };
    // Only the operator can replace the last administrator, on the command line.
    let change = match principal.credential {
        Credential::Own => DirectoryChange::PutUser,
        _ if has_to_exist => DirectoryChange::ChangeUserButLastAdministrator,
        _ => DirectoryChange::PutUserButLastAdministrator,
    };
    write(app, principal, record, change).await
}

/// Keeps a person out, or lets them in again.
///
/// # Errors
/// `PermissionDenied`, `UserNotFound`, `LastAdministrator`, for the operator too.
pub async fn set_disabled(
    app: &App,
    principal: &Principal,
    user: UserRef,
    disabled: bool,
) -> ServiceResult<User> {
    access::need_admin(principal)?;
    let registered = registered(app, principal, &user.issuer, &user.subject).await?;
    let registered = registered.ok_or_else(not_registered)?;
    let record = UserRecord {
        disabled,
        epoch: app.clock().now(),
        ..registered
    };
    let change = DirectoryChange::ChangeUserButLastAdministrator;
    write(app, principal, record, change).await
}

/// Makes a change to a person, and logs it.
async fn write(
    app: &App,
    principal: &Principal,
    record: UserRecord,
    change: fn(UserRecord) -> DirectoryChange,
) -> ServiceResult<User> {
    let stamp = principal.stamp(app.clock().now());
    let changed = app.trust_cache().change(change(record.clone()), stamp);
    check(changed.await?)?;
    tracing::info!(
        tenant = record.tenant,
        subject = record.subject,
        disabled = record.disabled,
        by = principal.actor.identity(),
        "user written"
    );
    Ok(to_wire(record))
}

/// Deletes a user with their sessions.
///
/// # Errors
/// `PermissionDenied`, `UserNotFound`, `LastAdministrator`.
pub async fn delete(app: &App, principal: &Principal, user: UserRef) -> ServiceResult<()> {
    let change =
        |tenant, UserRef { issuer, subject }, at| DirectoryChange::DeleteUserButLastAdministrator {
            tenant,
            issuer,
            subject,
            at,
        };
    change_user(app, principal, user, change, "user deleted").await
}

/// Ends what a user was given before: sessions and tokens of the identity provider. The user may
/// sign in again.
///
/// # Errors
/// `PermissionDenied`, `UserNotFound`.
pub async fn end_sessions(app: &App, principal: &Principal, user: UserRef) -> ServiceResult<()> {
    let change = |tenant, UserRef { issuer, subject }, at| DirectoryChange::EndSessions {
        tenant,
        issuer,
        subject,
        at,
    };
    change_user(app, principal, user, change, "sessions ended").await
}

/// Makes an administrator's change of a user, and logs it with these words.
async fn change_user(
    app: &App,
    principal: &Principal,
    user: UserRef,
    change: impl FnOnce(String, UserRef, Timestamp) -> DirectoryChange,
    words: &'static str,
) -> ServiceResult<()> {
    access::need_admin(principal)?;
    let stamp = principal.stamp(app.clock().now());
    let (tenant, subject) = (&principal.tenant, user.subject.clone());
    let change = change(tenant.clone(), user, stamp.at);
    check(app.trust_cache().change(change, stamp).await?)?;
    let by = principal.actor.identity();
    tracing::info!(tenant, subject, by, "{words}");
    Ok(())
}

/// Fails unless a change of the directory was made.
pub(super) fn check(outcome: DirectoryOutcome) -> ServiceResult<()> {
    match outcome {
        DirectoryOutcome::LastAdministrator => Err(ServiceError::new(
            ProblemCode::LastAdministrator,
            "Nobody else administrates this tenant; make somebody else an administrator first.",
        )),
        DirectoryOutcome::Missing => Err(not_registered()),
        DirectoryOutcome::Done | DirectoryOutcome::Taken => Ok(()),
    }
}

fn not_registered() -> ServiceError {
    ServiceError::new(
        ProblemCode::UserNotFound,
        "Nobody is registered with this issuer and subject.",
    )
}

/// The user as they are registered in the tenant.
async fn registered(
    app: &App,
    principal: &Principal,
    issuer: &str,
    subject: &str,
) -> ServiceResult<Option<UserRecord>> {
    let registrations = app.store().registrations(issuer, subject).await?;
    let mut registrations = registrations.into_iter();
    Ok(registrations.find(|one| one.tenant == principal.tenant))
}

fn to_wire(record: UserRecord) -> User {
    User {
        issuer: record.issuer,
        subject: record.subject,
        name: record.name,
        roles: record.roles,
        disabled: record.disabled,
        last_sign_in_at: record.signed_in_at,
    }
}
