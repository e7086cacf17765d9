//! Embed keys: the public keys of host platforms, registered and revoked while the server runs.
//!
//! Two keys live side by side while a platform changes from one to the other. Keys of the
//! configuration are not among them. Called by the handlers of `EmbedKeys` and by the command
//! line.

use checklist_shared::problem::{FieldErrorCode, ProblemCode};
use checklist_shared::wire::access::{EmbedKey, EmbedKeys, PutEmbedKey};

use super::access::{self, Faults};
use crate::app::App;
use crate::auth::Principal;
use crate::auth::keys::{algorithm_name, public_jwk, read_keys};
use crate::error::{ServiceError, ServiceResult};
use crate::storage::directory::{Changed, DirectoryChange, EmbedKeyRecord};

/// The most origins of one key.
const MOST_ORIGINS: usize = 50;

/// The tenant's keys.
///
/// # Errors
/// `PermissionDenied`.
pub async fn list(app: &App, principal: &Principal) -> ServiceResult<EmbedKeys> {
    access::need_admin(principal)?;
    let keys = app.store().trust(&principal.tenant).await?.embed_keys;
    let of_hosts = keys.into_iter().filter(|key| !key.own);
    Ok(EmbedKeys {
        embed_keys: of_hosts.map(shown).collect(),
    })
}

/// Registers a key, or replaces one that is not revoked.
///
/// # Errors
/// `PermissionDenied`, `KeyRevoked`, or `InvalidRequest` with everything that is wrong.
pub async fn put(
    app: &App,
    principal: &Principal,
    kid: &str,
    request: PutEmbedKey,
) -> ServiceResult<EmbedKey> {
    access::need_admin(principal)?;
    let now = app.clock().now();
    let mut faults = Faults::default();
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
    if let Some(origins) = &request.origins {
        if origins.is_empty() || origins.len() > MOST_ORIGINS {
            let detail = "1 to 50 origins, or leave it out for any.";
            faults.say("/Origins", FieldErrorCode::Invalid, detail);
        }
        for (index, origin) in origins.iter().take(MOST_ORIGINS).enumerate() {
            faults.origin(&format!("/Origins/{index}"), origin);
        }
    }
    faults.end("/ExpiresAt", request.expires_at, now);
    faults.refuse()?;

    let unreadable =
        || ServiceError::new(ProblemCode::Internal, "The key could not be written down.");
    let key = key.ok_or_else(unreadable)?;
    let origins = request.origins.as_ref().map(|origins| {
        let known = origins.iter().filter_map(|text| access::origin_of(text));
        known.collect()
    });
    let record = EmbedKeyRecord {
        tenant: principal.tenant.clone(),
        kid: kid.to_owned(),
        algorithm: algorithm_name(key).to_owned(),
        public_key: public_jwk(key).ok_or_else(unreadable)?,
        origins,
        own: false,
        created_at: now,
        expires_at: request.expires_at,
        revoked_at: None,
    };
    let put = DirectoryChange::PutEmbedKey(record);
    if app.trusted().change(put).await? == Changed::Taken {
        return Err(ServiceError::new(
            ProblemCode::KeyRevoked,
            format!("The key '{kid}' was revoked; register the new one under another name."),
        ));
    }
    tracing::info!(
        tenant = principal.tenant,
        kid,
        by = principal.actor.id,
        "embed key registered"
    );
    let keys = app.store().trust(&principal.tenant).await?.embed_keys;
    let written = keys.into_iter().find(|key| key.kid == kid);
    written.map(shown).ok_or_else(|| not_found(kid))
}

/// Revokes a key.
///
/// # Errors
/// `PermissionDenied`, `KeyNotFound`.
pub async fn revoke(app: &App, principal: &Principal, kid: &str) -> ServiceResult<()> {
    access::need_admin(principal)?;
    let revoked = DirectoryChange::RevokeEmbedKey {
        tenant: principal.tenant.clone(),
        kid: kid.to_owned(),
        at: app.clock().now(),
    };
    if app.trusted().change(revoked).await? == Changed::Missing {
        return Err(not_found(kid));
    }
    tracing::info!(
        tenant = principal.tenant,
        kid,
        by = principal.actor.id,
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

fn shown(record: EmbedKeyRecord) -> EmbedKey {
    EmbedKey {
        kid: record.kid,
        algorithm: record.algorithm,
        public_key: record.public_key,
        origins: record.origins,
        created_at: record.created_at,
        expires_at: record.expires_at,
        revoked_at: record.revoked_at,
    }
}
