//! Erasure of people, and how long names are kept.
//!
//! An erasure first ends every token of the person and is noted, in one transaction; from then on
//! housekeeping finishes it, whatever happens to the call. Names and texts go next, tenant by tenant in
//! small transactions. No proof of the audit trail changes: see `checklist_store::erasure`.

use checklist_auth::Principal;
use checklist_shared::patch::Patch;
use checklist_shared::problem::FieldErrorCode;
use checklist_shared::time::Timestamp;
use checklist_shared::wire::access::UserRef;
use checklist_shared::wire::erasure::{Erasure, PutRetention, Retention};
use checklist_store::administration::server;
use checklist_store::directory::{DirectoryChange, ErasedPerson};
use checklist_store::error::ServiceResult;
use checklist_store::store::Stamp;

use super::access::{self, FieldErrors};
use super::users;
use crate::app::App;

const DAY: i64 = 24 * 60 * 60 * 1_000;

/// The most days that names can be kept, if not for ever.
const MOST_DAYS: u32 = 36_500;

/// What the tenant has decided about names.
///
/// # Errors
/// `PermissionDenied`.
pub async fn retention(app: &App, principal: &Principal) -> ServiceResult<Retention> {
    access::need_admin(principal)?;
    let decided = app.store().retention(&principal.tenant).await?;
    let decided = decided.unwrap_or_default();
    Ok(Retention {
        personal_days: decided.personal_days,
        texts: decided.texts,
    })
}

/// Changes what the tenant has decided. Names are erased with the next run of housekeeping, within an
/// hour.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn put_retention(
    app: &App,
    principal: &Principal,
    request: PutRetention,
) -> ServiceResult<Retention> {
    let Retention {
        personal_days,
        texts,
    } = retention(app, principal).await?;
    let personal_days = match request.personal_days {
        Patch::Keep => personal_days,
        Patch::Clear => None,
        Patch::Set(days) => Some(days),
    };
    let mut texts = match request.texts {
        Patch::Keep => texts,
        Patch::Clear => Vec::new(),
        Patch::Set(texts) => texts,
    };
    texts.sort_unstable();
    texts.dedup();
    let mut faults = FieldErrors::default();
    if personal_days.is_some_and(|days| !(1..=MOST_DAYS).contains(&days)) {
        let detail = format!("From 1 to {MOST_DAYS} days, or null for ever.");
        faults.say("/PersonalDays", FieldErrorCode::Invalid, detail);
    }
    faults.refuse()?;
    let new = Retention {
        personal_days,
        texts,
    };
    let stamp = principal.stamp(app.clock().now());
    let store = app.store();
    store
        .put_retention(&principal.tenant, new.clone(), stamp)
        .await?;
    Ok(new)
}

/// Erases a person: registration, sessions and tokens, and their name wherever the tenant's data has
/// it. Erasing somebody who is nowhere erases nothing and is no error.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`, `LastAdministrator`.
pub async fn erase_person(
    app: &App,
    principal: &Principal,
    person: UserRef,
) -> ServiceResult<Erasure> {
    let person = begin(app, principal, person).await?;
    let erasure = app.store().erase_person(person).await?;
    // The log does not name the person either.
    tracing::info!(tenant = principal.tenant, ?erasure, "person erased");
    Ok(erasure)
}

/// Begins an erasure: ends registration, sessions and tokens. Housekeeping of the server finishes it, so a
/// command beside a server changes no list that the server has in memory.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`, `LastAdministrator`.
pub async fn begin(
    app: &App,
    principal: &Principal,
    person: UserRef,
) -> ServiceResult<ErasedPerson> {
    access::need_admin(principal)?;
    let mut faults = FieldErrors::default();
    faults.name("/Issuer", &person.issuer);
    faults.name("/Subject", &person.subject);
    faults.refuse()?;
    let now = app.clock().now();
    let person = ErasedPerson {
        tenant: principal.tenant.clone(),
        issuer: person.issuer,
        subject: person.subject,
        erased_at: now,
    };
    let begin = DirectoryChange::BeginErasure(person.clone());
    let begun = app
        .trust_cache()
        .change(begin, principal.stamp(now))
        .await?;
    users::check(begun)?;
    Ok(person)
}

/// Finishes erasures that were interrupted, erases what people have written while they were erased,
/// and once a day what is older than a tenant's retention.
///
/// # Errors
/// The store failed.
pub async fn run_due(app: &App) -> ServiceResult<()> {
    let (store, now) = (app.store(), app.clock().now());
    for tenant in store.audited_tenants().await? {
        for person in store.erased_people(&tenant).await? {
            store.erase_person(person).await?;
        }
        let Some(decided) = store.retention(&tenant).await? else {
            continue;
        };
        let Some(days) = decided.personal_days else {
            continue;
        };
        let ran = |at: Timestamp| now.as_millis() - at.as_millis() < DAY;
        if decided.erased_at.is_some_and(ran) {
            continue;
        }
        let before = Timestamp::from_millis(now.as_millis() - i64::from(days) * DAY);
        let stamp = Stamp {
            actor: server(),
            at: now,
        };
        let erasure = store.erase_outdated(&tenant, before, stamp).await?;
        tracing::debug!(tenant, ?erasure, "old names erased");
    }
    Ok(())
}
