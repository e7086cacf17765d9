//! Creates, changes, tests and deletes webhooks.
//!
//! Every change is logged with its actor.

use std::time::Duration;

use checklist_auth::Principal;
use checklist_runtime::clock::new_item_id;
use checklist_shared::administration::Action;
use checklist_shared::phrase::PhraseCode;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::webhooks::{
    PutWebhook, RotateSecret, Webhook, WebhookData, WebhookDelivery, WebhookEvent,
    WebhookWithSecret,
};
use checklist_store::administration::{Act, Cause, Target};
use checklist_store::connections::SaveOutcome;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::outbox;
use checklist_store::webhooks::WebhookRecord;
use secrecy::ExposeSecret as _;
use site_lists::TransportError;
use url::Url;

use super::secrets::{self, OldSecret, WebhookSecrets};
use super::{canonical, find_record, log, not_found, schedule, signature, to_wire};
use crate::access::{self, FieldErrors};
use crate::app::App;

/// The maximum number of webhooks of a tenant.
const MOST: u32 = 50;
/// The maximum length of a URL, in characters.
const MOST_URL: usize = 2_000;
/// How many hours an old secret stays valid: the default, and the maximum.
const OLD_HOURS: u32 = 24;
const MOST_OLD_HOURS: u32 = 7 * 24;

/// Creates a webhook. Only this response contains its secret.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest` with every field error, `LimitExceeded`, `VaultMissing`.
pub async fn create(
    app: &App,
    principal: &Principal,
    wish: PutWebhook,
) -> ServiceResult<WebhookWithSecret> {
    access::need_admin(principal)?;
    let origin = validate_webhook(app, &wish)?;
    if app.vault().is_none() {
        return Err(secrets::no_vault());
    }
    let now = app.clock().now();
    let id = new_item_id(now).map_err(|_| no_randomness())?.to_string();
    let secrets = WebhookSecrets {
        present: signature::new_secret().ok_or_else(no_randomness)?,
        old: None,
    };
    let record = WebhookRecord {
        tenant: principal.tenant.clone(),
        name: wish.name.trim().to_owned(),
        url: wish.url.trim().to_owned(),
        origin,
        events: once_each(&wish.events),
        enabled: wish.enabled.or(None).unwrap_or(true),
        off_because: None,
        failing_since: None,
        sealed: secrets.seal(app, &principal.tenant, &id)?,
        created_by: principal.actor.name.clone(),
        revision: 1,
        created_at: now,
        updated_at: now,
        id,
    };
    if !app
        .store()
        .add_webhook(record.clone(), MOST, principal.stamp(now))
        .await?
    {
        return Err(ServiceError::new(
            ProblemCode::LimitExceeded,
            format!("At most {MOST} webhooks; nothing was changed."),
        ));
    }
    log_change(&record, principal, "webhook made");
    Ok(WebhookWithSecret {
        webhook: to_wire(app, record),
        secret: secrets.present.expose_secret().to_owned(),
    })
}

/// Changes a webhook; its secret stays.
///
/// # Errors
/// See `create`; `WebhookNotFound`, and `WebhookChanged` if the revision differs from the one that
/// the caller expects.
pub async fn put(
    app: &App,
    principal: &Principal,
    id: &str,
    wish: PutWebhook,
) -> ServiceResult<Webhook> {
    access::need_admin(principal)?;
    let before = find_record(app, &principal.tenant, id).await?;
    let origin = validate_webhook(app, &wish)?;
    if wish.revision.is_some_and(|seen| seen != before.revision) {
        return Err(revision_conflict(before.revision));
    }
    let enabled = wish.enabled.or(Some(before.enabled)).unwrap_or(true);
    let begins_anew = enabled && !before.enabled;
    let record = WebhookRecord {
        name: wish.name.trim().to_owned(),
        url: wish.url.trim().to_owned(),
        origin,
        events: once_each(&wish.events),
        enabled,
        off_because: before.off_because.clone().filter(|_| !begins_anew),
        failing_since: before.failing_since.filter(|_| !begins_anew),
        revision: before.revision + 1,
        updated_at: app.clock().now(),
        ..before
    };
    let target = Target::Webhook(record.id.clone());
    let act = Act::new(principal.stamp(record.updated_at), target, Action::Changed);
    save(app, &record, act).await?;
    log_change(&record, principal, "webhook changed");
    Ok(to_wire(app, record))
}

/// Rotates the secret of a webhook. The old one stays valid for a while.
///
/// # Errors
/// `PermissionDenied`, `WebhookNotFound`, `InvalidRequest`, `WebhookChanged`, `VaultMissing`.
pub async fn rotate(
    app: &App,
    principal: &Principal,
    id: &str,
    wish: RotateSecret,
) -> ServiceResult<WebhookWithSecret> {
    access::need_admin(principal)?;
    let before = find_record(app, &principal.tenant, id).await?;
    let hours = wish.keep_old_for_hours.unwrap_or(OLD_HOURS);
    let mut faults = FieldErrors::default();
    if hours > MOST_OLD_HOURS {
        let why = format!("0 to {MOST_OLD_HOURS} hours.");
        faults.say("/KeepOldForHours", FieldErrorCode::Invalid, why);
    }
    faults.refuse()?;
    let now = app.clock().now();
    let until = schedule::after(now, Duration::from_secs(u64::from(hours) * 60 * 60));
    // A secret that cannot be decrypted must not prevent its rotation.
    let old = secrets::open(app, &before).ok().map(|old| OldSecret {
        secret: old.present,
        until,
    });
    let secrets = WebhookSecrets {
        present: signature::new_secret().ok_or_else(no_randomness)?,
        old: old.filter(|_| hours > 0),
    };
    let record = WebhookRecord {
        sealed: secrets.seal(app, &before.tenant, &before.id)?,
        revision: before.revision + 1,
        updated_at: now,
        ..before
    };
    let target = Target::Webhook(record.id.clone());
    let act = Act {
        secrets: vec!["Secret"],
        ..Act::new(principal.stamp(now), target, Action::SecretRotated)
    };
    save(app, &record, act).await?;
    log_change(&record, principal, "webhook has a new secret");
    Ok(WebhookWithSecret {
        webhook: to_wire(app, record),
        secret: secrets.present.expose_secret().to_owned(),
    })
}

/// Sends the event `webhook.test` in the same way as any other event.
///
/// # Errors
/// `PermissionDenied`, `WebhookNotFound`; `WebhookChanged` if it is disabled.
pub async fn test(app: &App, principal: &Principal, id: &str) -> ServiceResult<WebhookDelivery> {
    access::need_admin(principal)?;
    let record = find_record(app, &principal.tenant, id).await?;
    if !record.enabled {
        return Err(ServiceError::new(
            ProblemCode::WebhookChanged,
            "The webhook is off; turn it on first.",
        ));
    }
    let (event, now) = (WebhookEvent::WebhookTest, app.clock().now());
    let delivery = outbox::delivery(&record.id, event, WebhookData::default(), now)?;
    let sent = delivery.id.clone();
    let stamp = principal.stamp(now);
    if !app
        .store()
        .add_delivery(&record.tenant, delivery, stamp)
        .await?
    {
        return Err(not_found());
    }
    log::one(app, &record.tenant, &sent).await
}

/// Deletes a webhook with its secrets and deliveries.
///
/// # Errors
/// `PermissionDenied`, `WebhookNotFound`.
pub async fn delete(app: &App, principal: &Principal, id: &str) -> ServiceResult<()> {
    access::need_admin(principal)?;
    let id = canonical(id);
    let stamp = principal.stamp(app.clock().now());
    if !app
        .store()
        .delete_webhook(&principal.tenant, &id, stamp)
        .await?
    {
        return Err(not_found());
    }
    tracing::info!(
        tenant = principal.tenant,
        id,
        by = principal.actor.identity(),
        "webhook deleted"
    );
    Ok(())
}

async fn save(app: &App, record: &WebhookRecord, act: Act) -> ServiceResult<()> {
    let saved = app
        .store()
        .save_webhook(record.clone(), Cause::Act(Box::new(act)));
    match saved.await? {
        SaveOutcome::Done => Ok(()),
        SaveOutcome::Missing => Err(not_found()),
        SaveOutcome::Changed | SaveOutcome::NameTaken => Err(revision_conflict(record.revision)),
    }
}

fn revision_conflict(revision: u64) -> ServiceError {
    ServiceError::new(
        ProblemCode::WebhookChanged,
        format!("The webhook has revision {revision} by now."),
    )
}

/// Validates a webhook. Returns the origin of its URL.
fn validate_webhook(app: &App, wish: &PutWebhook) -> ServiceResult<String> {
    let mut faults = FieldErrors::default();
    faults.name("/Name", &wish.name);
    let text = wish.url.trim();
    let origin = match Url::parse(text).map(|url| receiver(app, text, &url)) {
        Ok(Ok(origin)) => origin,
        Ok(Err(why)) => {
            faults.say("/Url", FieldErrorCode::Invalid, why);
            String::new()
        }
        Err(_) => {
            faults.phrase("/Url", FieldErrorCode::Invalid, PhraseCode::WebAddressWrong);
            String::new()
        }
    };
    if wish.events.is_empty() {
        faults.say("/Events", FieldErrorCode::Required, "Name at least one.");
    }
    if wish.events.contains(&WebhookEvent::WebhookTest) {
        let why = "webhook.test is sent by a test alone.";
        faults.say("/Events", FieldErrorCode::Invalid, why);
    }
    faults.refuse()?;
    Ok(origin)
}

/// The origin of a URL, if requests to it are permitted.
fn receiver(app: &App, text: &str, url: &Url) -> Result<String, String> {
    if text.chars().count() > MOST_URL {
        return Err(format!("At most {MOST_URL} characters."));
    }
    if url.fragment().is_some() {
        return Err("Enter the address without # and what follows it.".to_owned());
    }
    match app.egress().check(url) {
        Ok(()) => Ok(url.origin().ascii_serialization()),
        Err(error) => Err(explain(&error, text)),
    }
}

/// Why the receiver at this URL was not asked, and what the operator can do about it.
pub(super) fn explain(error: &TransportError, url: &str) -> String {
    let mut sentence = sentence(&error.to_string());
    if let (TransportError::Refused(_), Ok(url)) = (error, Url::parse(url)) {
        sentence.push_str(&how_to_allow(&url));
    }
    sentence
}

/// The setting that permits requests to a URL; nothing for what no setting permits.
fn how_to_allow(url: &Url) -> String {
    let is_origin = matches!(url.scheme(), "http" | "https");
    if !is_origin || !url.username().is_empty() || url.password().is_some() {
        return String::new();
    }
    let origin = url.origin().ascii_serialization();
    format!(
        " The operator allows it with --allow-origin {origin} or CHECKLIST_ALLOW_ORIGIN={origin}, on the server and for this command line."
    )
}

/// Formats a text as a sentence: with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

fn once_each(events: &[WebhookEvent]) -> Vec<WebhookEvent> {
    let asked = |event: &WebhookEvent| events.contains(event);
    WebhookEvent::ALL.into_iter().filter(asked).collect()
}

fn no_randomness() -> ServiceError {
    ServiceError::new(ProblemCode::Internal, "The system gave no randomness.")
}

fn log_change(record: &WebhookRecord, principal: &Principal, what: &'static str) {
    tracing::info!(
        tenant = record.tenant,
        id = record.id,
        origin = record.origin,
        by = principal.actor.identity(),
        "{what}"
    );
}
