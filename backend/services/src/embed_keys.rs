//! Embed keys: the public keys of host platforms, registered and revoked while the server runs.
//!
//! Two keys are valid in parallel while a platform rotates them. Keys of the configuration are not
//! listed.

use std::future::ready;

use checklist_auth::Principal;
use checklist_auth::keys::{algorithm_name, public_jwk, read_keys};
use checklist_shared::patch::Patch;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::access::{EmbedKey, EmbedKeys, PutEmbedKey};
use checklist_store::directory::{DirectoryChange, DirectoryOutcome, EmbedKeyRecord};
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::keyset::Keyset;

use super::access::{self, FieldErrors};
use super::listing::{self, ListQuery};
use crate::app::App;

/// The maximum number of origins of one key.
const MOST_ORIGINS: usize = 50;

/// Lists a page of the tenant's keys, by name; searches name and origin.
///
/// # Errors
/// `PermissionDenied`, `InvalidRequest`.
pub async fn list(app: &App, principal: &Principal, query: &ListQuery) -> ServiceResult<EmbedKeys> {
    // Every node has all keys of a tenant in memory, so this paginates without the store.
    let keys = all(app, principal).await?;
    let (embed_keys, next) = listing::page(
        "EmbedKeys",
        query,
        |page: Keyset<String>| ready(Ok(page.of(&keys, |key| key.kid.as_str()))),
        |key: &EmbedKey| key.kid.clone(),
        |key, words| {
            let origins = key.origins.iter().flatten().map(String::as_str);
            words.stand_in(origins.chain([key.kid.as_str()]))
        },
    )
    .await?;
    Ok(EmbedKeys { embed_keys, next })
}

/// All keys of the tenant, by name.
///
/// # Errors
/// `PermissionDenied`.
pub async fn all(app: &App, principal: &Principal) -> ServiceResult<Vec<EmbedKey>> {
    access::need_admin(principal)?;
    let keys = app.store().trust(&principal.tenant).await?.embed_keys;
    Ok(keys
        .into_iter()
        .filter(|key| !key.own)
        .map(to_wire)
        .collect())
}

/// Registers a key, or changes one that is not revoked. Absent fields keep their values, so that a
/// new public key cannot widen the permissions of the tokens.
///
/// # Errors
/// `PermissionDenied`, `KeyRevoked`, or `InvalidRequest` with every field error.
pub async fn put(
    app: &App,
    principal: &Principal,
    kid: &str,
    request: PutEmbedKey,
) -> ServiceResult<EmbedKey> {
    access::need_admin(principal)?;
    let now = app.clock().now();
    let mut faults = FieldErrors::default();
    faults.name("", kid);
    let read = read_keys(request.public_key.trim(), kid, true);
    let key = match read.as_deref() {
        Ok([key]) => Some(key),
        Ok(_) => None,
        Err(error) => {
            let detail = format!("The text {error}.");
            faults.say("/PublicKey", FieldErrorCode::Invalid, detail);
            None
        }
    };
    if let Patch::Set(origins) = &request.origins {
        if origins.is_empty() || origins.len() > MOST_ORIGINS {
            let detail = "1 to 50 origins; null stands for any.";
            faults.say("/Origins", FieldErrorCode::Invalid, detail);
        }
        for (index, origin) in origins.iter().take(MOST_ORIGINS).enumerate() {
            faults.origin(&format!("/Origins/{index}"), origin);
        }
    }
    if let Patch::Set(issuer) = &request.issuer {
        faults.name("/Issuer", issuer);
    }
    check_ceiling(&mut faults, &request);
    faults.end(
        "/ExpiresAt",
        request.expires_at.new_value().flatten().copied(),
        now,
    );
    faults.refuse()?;

    let unreadable =
        || ServiceError::new(ProblemCode::Internal, "The key could not be written down.");
    let key = key.ok_or_else(unreadable)?;
    let keys = app.store().trust(&principal.tenant).await?.embed_keys;
    let is_it = |key: &EmbedKeyRecord| key.kid == kid && !key.own;
    let before = keys.into_iter().find(is_it).map_or_else(
        || (None, None, None, None, None),
        |key| {
            (
                key.origins,
                key.issuer,
                key.permissions,
                key.contexts,
                key.expires_at,
            )
        },
    );
    let (origins, issuer, permissions, contexts, expires_at) = before;
    let origins = match request.origins {
        Patch::Set(origins) => {
            let known = origins.iter().filter_map(|text| access::origin_of(text));
            Some(known.collect())
        }
        other => other.or(origins),
    };
    let permissions = match request.permissions {
        Patch::Set(listed) => listed.into_iter().collect(),
        Patch::Keep => permissions.unwrap_or_else(Permissions::usually_embedded),
        Patch::Clear => Permissions::usually_embedded(),
    };
    let record = EmbedKeyRecord {
        tenant: principal.tenant.clone(),
        kid: kid.to_owned(),
        algorithm: algorithm_name(key).to_owned(),
        public_key: public_jwk(key).ok_or_else(unreadable)?,
        origins,
        issuer: request.issuer.or(issuer),
        permissions: Some(permissions),
        contexts: request.contexts.or(contexts),
        own: false,
        created_at: now,
        expires_at: request.expires_at.or(expires_at),
        revoked_at: None,
        used_at: None,
    };
    let put = DirectoryChange::PutEmbedKey(record);
    if app.trust_cache().change(put, principal.stamp(now)).await? == DirectoryOutcome::Taken {
        return Err(ServiceError::new(
            ProblemCode::KeyRevoked,
            format!("The key '{kid}' was revoked; register the new one under another name."),
        ));
    }
    tracing::info!(
        tenant = principal.tenant,
        kid,
        by = principal.actor.identity(),
        "embed key registered"
    );
    let keys = app.store().trust(&principal.tenant).await?.embed_keys;
    let written = keys.into_iter().find(|key| key.kid == kid);
    written.map(to_wire).ok_or_else(|| not_found(kid))
}

/// Checks the ceiling of a key: not empty, and without administration.
fn check_ceiling(faults: &mut FieldErrors, request: &PutEmbedKey) {
    let listed = request.permissions.new_value().flatten().map(Vec::as_slice);
    if listed.is_some_and(<[_]>::is_empty) {
        let detail = "Name at least one; null stands for the work on lists.";
        faults.say("/Permissions", FieldErrorCode::Invalid, detail);
    }
    let admin = listed.and_then(|listed| listed.iter().position(|one| *one == Permission::Admin));
    if let Some(place) = admin {
        faults.say(
            format!("/Permissions/{place}"),
            FieldErrorCode::Invalid,
            "Embed tokens never allow administration.",
        );
    }
    match request.contexts.new_value().flatten() {
        Some(contexts) if contexts.is_empty() => faults.say(
            "/Contexts",
            FieldErrorCode::Invalid,
            "Name at least one; null stands for all lists.",
        ),
        Some(contexts) => {
            faults.contexts("/Contexts", contexts);
            faults.no_facts("/Contexts", contexts);
        }
        None => {}
    }
}

/// Revokes a key.
///
/// # Errors
/// `PermissionDenied`, `KeyNotFound`.
pub async fn revoke(app: &App, principal: &Principal, kid: &str) -> ServiceResult<()> {
    access::need_admin(principal)?;
    let now = app.clock().now();
    let revoked = DirectoryChange::RevokeEmbedKey {
        tenant: principal.tenant.clone(),
        kid: kid.to_owned(),
        at: now,
    };
    let stamp = principal.stamp(now);
    if app.trust_cache().change(revoked, stamp).await? == DirectoryOutcome::Missing {
        return Err(not_found(kid));
    }
    tracing::info!(
        tenant = principal.tenant,
        kid,
        by = principal.actor.identity(),
        "embed key revoked"
    );
    Ok(())
}

fn not_found(kid: &str) -> ServiceError {
    ServiceError::new(
        ProblemCode::KeyNotFound,
        format!("There is no embed key '{kid}'."),
    )
}

fn to_wire(record: EmbedKeyRecord) -> EmbedKey {
    EmbedKey {
        kid: record.kid,
        algorithm: record.algorithm,
        public_key: record.public_key,
        origins: record.origins,
        issuer: record.issuer,
        permissions: record
            .permissions
            .unwrap_or_else(Permissions::usually_embedded),
        contexts: record.contexts,
        created_at: record.created_at,
        expires_at: record.expires_at,
        revoked_at: record.revoked_at,
        last_used_at: record.used_at,
    }
}
