//! Creates and changes service connections.
//!
//! Invariant: stored secrets are dropped when the origin, the sign-in method or the owner changes.

use checklist_auth::Principal;
use checklist_runtime::clock::new_item_id;
use checklist_runtime::failpoint;
use checklist_shared::administration::Action;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::connections::{PutServiceConnection, ServiceConnection};
use checklist_store::administration::{Act, Cause, Target};
use checklist_store::connections::{ConnectionRecord, SaveOutcome};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::expected::ExpectedState;

use super::draft::ConnectionDraft;
use super::record::{find_record, not_found};
use super::settings::{ConnectionSecrets, ConnectionSettings, no_vault};
use super::to_wire;
use super::validate::validate_draft;
use crate::access::{self, FieldErrors};
use crate::app::App;

/// How often a change is retried if a token is refreshed concurrently.
const TRIES: usize = 5;

/// Creates a connection that the caller owns.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest` with every field error, `NameTaken`, `VaultMissing` if
/// there is a secret and no key to encrypt it.
pub async fn create(
    app: &App,
    principal: &Principal,
    request: PutServiceConnection,
) -> ServiceResult<ServiceConnection> {
    access::need_admin(principal)?;
    let wish = ConnectionDraft::of(request.clone(), None);
    let (settings, origin) = validate_draft(app, &wish)?;
    failpoint::break_down("connection.written", &request);
    let now = app.clock().now();
    let id = new_item_id(now)
        .map_err(|_| ServiceError::new(ProblemCode::Internal, "The system gave no randomness."))?;
    let mut record = ConnectionRecord {
        tenant: principal.tenant.clone(),
        id: id.to_string(),
        name: wish.name.trim().to_owned(),
        name_key: name_key(&wish.name),
        owner: principal.actor.identity(),
        owner_name: principal.actor.name.clone(),
        origin,
        settings: settings.json()?,
        sealed: None,
        problem: None,
        revision: 1,
        created_at: now,
        updated_at: now,
    };
    let named = wish.secrets();
    let secrets = ConnectionSecrets {
        password: wish.password.map(Into::into),
        client_secret: wish.client_secret.map(Into::into),
        client_certificate: wish.client_certificate.map(Into::into),
        ..ConnectionSecrets::default()
    };
    if app.vault().is_none() && (settings.takes_password() || settings.method.is_oauth()) {
        return Err(no_vault());
    }
    record.sealed = secrets.seal(app, &record)?;
    let act = Act {
        secrets: named,
        ..Act::new(
            principal.stamp(now),
            Target::Connection(record.id.clone()),
            Action::Created,
        )
    };
    match app.store().add_connection(record.clone(), act).await? {
        SaveOutcome::Done => {}
        _ => return Err(name_taken(&record.name)),
    }
    log_change(&record, principal, "service connection made");
    to_wire(app, &record)
}

/// Changes a connection. Absent fields keep their values.
///
/// # Errors
/// See `create`; `ConnectionNotFound`, and `ConnectionChanged` if the revision differs from the one
/// that the caller expects in the header or in the body.
pub async fn put(
    app: &App,
    principal: &Principal,
    id: &str,
    request: PutServiceConnection,
    expected: &ExpectedState,
) -> ServiceResult<ServiceConnection> {
    access::need_admin(principal)?;
    // Retried if a token is refreshed concurrently.
    for _ in 0..TRIES {
        let before = find_record(app, &principal.tenant, id).await?;
        let old = ConnectionSettings::of(&before)?;
        is_as_expected(expected, old.revision)?;
        let wish = ConnectionDraft::of(request.clone(), Some(&old));
        let (settings, origin) = validate_draft(app, &wish)?;
        let record = changed_record(app, principal, (&before, &old), &wish, settings, &origin)?;
        let act = Act {
            secrets: wish.secrets(),
            ..Act::new(
                principal.stamp(record.updated_at),
                Target::Connection(record.id.clone()),
                Action::Changed,
            )
        };
        let saved = app
            .store()
            .save_connection(record.clone(), Cause::Act(Box::new(act)))
            .await?;
        match saved {
            SaveOutcome::Done => {
                app.access_tokens().forget(&record.tenant, &record.id);
                log_change(&record, principal, "service connection changed");
                return to_wire(app, &record);
            }
            SaveOutcome::Missing => return Err(not_found()),
            SaveOutcome::NameTaken => return Err(name_taken(&record.name)),
            SaveOutcome::Changed => {}
        }
    }
    Err(ServiceError::new(
        ProblemCode::Busy,
        "The connection is being changed again and again; try again in a moment.",
    )
    .retry_after(1))
}

/// Checks the precondition of `If-Match` or `If-None-Match`.
fn is_as_expected(expected: &ExpectedState, revision: u64) -> ServiceResult<()> {
    let holds = match expected {
        ExpectedState::Anything | ExpectedState::Something => true,
        ExpectedState::Nothing => false,
        ExpectedState::States(states) => states.contains(&revision.to_string()),
    };
    if holds {
        Ok(())
    } else {
        Err(changed_meanwhile(revision))
    }
}

fn changed_meanwhile(revision: u64) -> ServiceError {
    ServiceError::new(
        ProblemCode::ConnectionChanged,
        format!("The connection has revision {revision} by now."),
    )
}

/// Builds the record after the change.
fn changed_record(
    app: &App,
    principal: &Principal,
    (before, old): (&ConnectionRecord, &ConnectionSettings),
    wish: &ConnectionDraft,
    mut settings: ConnectionSettings,
    origin: &str,
) -> ServiceResult<ConnectionRecord> {
    if wish
        .revision
        .is_some_and(|revision| revision != old.revision)
    {
        return Err(changed_meanwhile(old.revision));
    }
    settings.revision = old.revision + 1;
    let mut record = ConnectionRecord {
        name: wish.name.trim().to_owned(),
        name_key: name_key(&wish.name),
        owner: principal.actor.identity(),
        owner_name: principal.actor.name.clone(),
        origin: origin.to_owned(),
        settings: settings.json()?,
        revision: before.revision + 1,
        updated_at: app.clock().now(),
        ..before.clone()
    };
    record.sealed =
        merge_secrets(app, before, old, &record, &settings, wish)?.seal(app, &record)?;
    // A password counts as untried after any change: the site or the user may have changed.
    if record.sealed.is_none()
        || settings.takes_password()
        || wish.client_secret.is_some()
        || wish.client_certificate.is_some()
    {
        record.problem = None;
    }
    Ok(record)
}

/// The secrets after the change: those of the request, and those that may be kept.
fn merge_secrets(
    app: &App,
    before: &ConnectionRecord,
    old: &ConnectionSettings,
    record: &ConnectionRecord,
    settings: &ConnectionSettings,
    wish: &ConnectionDraft,
) -> ServiceResult<ConnectionSecrets> {
    let mut secrets = ConnectionSecrets {
        password: wish.password.clone().map(Into::into),
        client_secret: wish.client_secret.clone().map(Into::into),
        client_certificate: wish.client_certificate.clone().map(Into::into),
        ..ConnectionSecrets::default()
    };
    let same_server = old.issuer == settings.issuer && old.client_id == settings.client_id;
    let same_person = before.owner == record.owner;
    let same_place = before.origin == record.origin && old.method == settings.method;
    if before.sealed.is_none() {
        return Ok(secrets);
    }
    // A client presents one of the two, so either one replaces both.
    let shown_anew = secrets.client_secret.is_some() || secrets.client_certificate.is_some();
    let has_all = if settings.method.is_oauth() {
        shown_anew
    } else {
        secrets.password.is_some()
    };
    if !(same_person && same_place && same_server) {
        if !has_all && settings.takes_password() {
            refuse_to_carry(before, same_person)?;
        }
        return Ok(secrets);
    }
    let is_removing =
        wish.remove_password || wish.remove_client_secret || wish.remove_client_certificate;
    // A secret that cannot be decrypted must not prevent its replacement.
    let old_secrets = match ConnectionSecrets::of(app, before) {
        Ok(secrets) => secrets,
        Err(_) if has_all || is_removing => ConnectionSecrets::default(),
        Err(error) => return Err(error),
    };
    if settings.takes_password() && old.username == settings.username {
        let stays = old_secrets.password.filter(|_| !wish.remove_password);
        secrets.password = secrets.password.or(stays);
    }
    if settings.method.is_oauth() {
        if !shown_anew {
            secrets.client_certificate = old_secrets
                .client_certificate
                .filter(|_| !wish.remove_client_certificate);
            secrets.client_secret = old_secrets
                .client_secret
                .filter(|_| !wish.remove_client_secret);
        }
        if old.access == settings.access && old.url == settings.url {
            secrets.refresh_token = old_secrets.refresh_token;
        }
    }
    Ok(secrets)
}

/// The error for a change that would carry a password to another origin, sign-in method or person.
fn refuse_to_carry(before: &ConnectionRecord, same_person: bool) -> ServiceResult<()> {
    let mut faults = FieldErrors::default();
    let why = if same_person {
        "The password was given for another origin or another way to sign in; give it anew."
            .to_owned()
    } else {
        format!(
            "The connection belongs to {}; give the password anew to make it yours.",
            before.owner_name
        )
    };
    faults.say("/Password", FieldErrorCode::Required, why);
    faults.refuse()
}

/// The key for uniqueness of names: trimmed, case-insensitive.
fn name_key(name: &str) -> String {
    name.trim().to_lowercase()
}

fn name_taken(name: &str) -> ServiceError {
    ServiceError::new(
        ProblemCode::NameTaken,
        format!("Another service connection is called '{name}'."),
    )
}

fn log_change(record: &ConnectionRecord, principal: &Principal, what: &'static str) {
    tracing::info!(
        tenant = record.tenant,
        id = record.id,
        origin = record.origin,
        by = principal.actor.identity(),
        "{what}"
    );
}
