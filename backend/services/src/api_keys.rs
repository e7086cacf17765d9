//! API keys: listed without their secrets, which only the response to `create` contains.

use checklist_auth::{Principal, api_key};
use checklist_runtime::clock::new_item_id;
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::access::{ApiKey, ApiKeys, CreatedApiKey, NewApiKey};
use checklist_store::directory::{ApiKeyRecord, DirectoryChange, DirectoryOutcome};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::keyset::Keyset;

use super::access::{self, FieldErrors};
use super::listing::{self, ListQuery};
use crate::app::App;

/// The most systems whose signals one key may send.
const MAX_SOURCES: usize = 20;

/// Lists a page of the tenant's keys, newest first; searches name, id and creator.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(app: &App, principal: &Principal, query: &ListQuery) -> ServiceResult<ApiKeys> {
    access::need_admin(principal)?;
    let (records, next) = listing::page(
        "ApiKeys",
        query,
        |page| app.store().api_keys(&principal.tenant, page),
        |key: &ApiKeyRecord| (key.created_at.as_millis(), key.id.clone()),
        |key, words| words.stand_in([key.name.as_str(), &key.id, &key.created_by]),
    )
    .await?;
    Ok(ApiKeys {
        api_keys: records.into_iter().map(to_wire).collect(),
        next,
    })
}

/// All keys of the tenant, in the order of their creation.
///
/// # Errors
/// `PermissionDenied`.
pub async fn all(app: &App, principal: &Principal) -> ServiceResult<Vec<ApiKey>> {
    access::need_admin(principal)?;
    let records = app
        .store()
        .api_keys(&principal.tenant, Keyset::whole())
        .await?;
    Ok(records.into_iter().rev().map(to_wire).collect())
}

/// Creates a key.
///
/// # Errors
/// `PermissionDenied`, or `InvalidRequest` with every field error.
pub async fn create(
    app: &App,
    principal: &Principal,
    request: NewApiKey,
) -> ServiceResult<CreatedApiKey> {
    access::need_admin(principal)?;
    let now = app.clock().now();
    let mut faults = FieldErrors::default();
    faults.name("/Name", &request.name);
    if request.roles.is_empty() {
        faults.say("/Roles", FieldErrorCode::Required, "Name at least one.");
    }
    match &request.contexts {
        Some(contexts) if contexts.is_empty() => faults.say(
            "/Contexts",
            FieldErrorCode::Invalid,
            "Name at least one, or leave it out for all lists.",
        ),
        Some(contexts) => {
            faults.contexts("/Contexts", contexts);
            faults.no_facts("/Contexts", contexts);
        }
        None => {}
    }
    let sources = request.sources.unwrap_or_default();
    if sources.len() > MAX_SOURCES {
        let detail = format!("At most {MAX_SOURCES} for a key.");
        faults.say("/Sources", FieldErrorCode::LimitExceeded, detail);
    }
    for (index, source) in sources.iter().enumerate() {
        faults.name(&format!("/Sources/{index}"), source);
    }
    faults.end("/ExpiresAt", request.expires_at, now);
    faults.refuse()?;

    let no_randomness =
        || ServiceError::new(ProblemCode::Internal, "The system gave no randomness.");
    let secret = api_key::new_api_key().map_err(|_| no_randomness())?;
    let record = ApiKeyRecord {
        id: new_item_id(now).map_err(|_| no_randomness())?.to_string(),
        tenant: principal.tenant.clone(),
        name: request.name.trim().to_owned(),
        secret: api_key::hash(&secret),
        roles: once_each(request.roles),
        contexts: request.contexts,
        sources: once_each(sources),
        created_by: principal.actor.name.clone(),
        created_at: now,
        expires_at: request.expires_at,
        revoked_at: None,
        used_at: None,
    };
    let added = DirectoryChange::AddApiKey(record.clone());
    if app
        .trust_cache()
        .change(added, principal.stamp(now))
        .await?
        != DirectoryOutcome::Done
    {
        return Err(no_randomness());
    }
    tracing::info!(
        tenant = record.tenant,
        id = record.id,
        by = principal.actor.identity(),
        "API key made"
    );
    Ok(CreatedApiKey {
        key: to_wire(record),
        secret,
    })
}

/// Revokes a key.
///
/// # Errors
/// `PermissionDenied`, `KeyNotFound`.
pub async fn revoke(app: &App, principal: &Principal, id: &str) -> ServiceResult<()> {
    access::need_admin(principal)?;
    let now = app.clock().now();
    let revoked = DirectoryChange::RevokeApiKey {
        tenant: principal.tenant.clone(),
        id: id.to_owned(),
        at: now,
    };
    let stamp = principal.stamp(now);
    if app.trust_cache().change(revoked, stamp).await? == DirectoryOutcome::Missing {
        return Err(ServiceError::new(
            ProblemCode::KeyNotFound,
            format!("There is no API key '{id}'."),
        ));
    }
    tracing::info!(
        tenant = principal.tenant,
        id,
        by = principal.actor.identity(),
        "API key revoked"
    );
    Ok(())
}

/// Removes duplicates and keeps the order.
pub(super) fn once_each<T: PartialEq>(values: Vec<T>) -> Vec<T> {
    let mut seen = Vec::with_capacity(values.len());
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

fn to_wire(record: ApiKeyRecord) -> ApiKey {
    ApiKey {
        id: record.id,
        name: record.name,
        roles: record.roles,
        contexts: record.contexts,
        sources: record.sources,
        created_by: record.created_by,
        created_at: record.created_at,
        expires_at: record.expires_at,
        revoked_at: record.revoked_at,
        last_used_at: record.used_at,
    }
}
