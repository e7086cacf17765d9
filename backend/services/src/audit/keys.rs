//! The keys that sign a tenant's checkpoints: made with its first checkpoint, encrypted by the
//! vault, replaced by a command.
//!
//! The public halves stay for good, so that checkpoints of an earlier key are still checked. Making
//! and replacing a key is in the trail itself.

use checklist_auth::Principal;
use checklist_runtime::clock::random;
use checklist_shared::administration::Action;
use checklist_shared::problem::ProblemCode;
use checklist_store::administration::{Act, Target, server};
use checklist_store::audit::AuditKey;
use checklist_store::connections::SealedSecret;
use checklist_store::error::{ServiceError, ServiceResult};
use checklist_store::store::Stamp;
use checklist_vault::Binding;
use ed25519_dalek::SigningKey;
use zeroize::Zeroizing;

use super::note::VerifierKey;
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::webhooks::no_vault;

/// The purpose that the ciphertext is bound to, instead of an origin.
const PURPOSE: &str = "audit key";

/// The verifier keys of a tenant, the oldest first.
///
/// # Errors
/// The store failed, or a key cannot be read.
pub async fn verifiers(app: &App, tenant: &str) -> ServiceResult<Vec<VerifierKey>> {
    let keys = app.store().audit_keys(tenant).await?;
    keys.iter().map(verifier).collect()
}

fn verifier(key: &AuditKey) -> ServiceResult<VerifierKey> {
    key.verifier.parse().map_err(|_| {
        let detail = format!(
            "The public half of the audit key {} of {} cannot be read; restore the database from a backup.",
            key.number, key.tenant
        );
        ServiceError::new(ProblemCode::Internal, detail)
    })
}

/// Fails if the key that signs the tenant's checkpoints is missing or damaged. A trail without any
/// checkpoint needs none yet.
///
/// # Errors
/// What is wrong with it, and what to do about it; the store failed.
pub async fn check(app: &App, tenant: &str) -> ServiceResult<()> {
    match app.store().audit_keys(tenant).await?.last() {
        Some(newest) => pair(app, newest).map(drop),
        None => refuse_missing(app, tenant).await,
    }
}

/// Both halves of a key.
fn pair(app: &App, key: &AuditKey) -> ServiceResult<(SigningKey, VerifierKey)> {
    let verifier = verifier(key)?;
    let signing = open(app, key)?;
    if VerifierKey::of(verifier.name(), &signing) != verifier {
        let detail = format!(
            "The halves of the audit key {} of {} do not belong together; restore the database from a backup, or make \
             a new key with `checklist-server audit rotate-key`.",
            key.number, key.tenant
        );
        return Err(ServiceError::new(ProblemCode::Internal, detail));
    }
    Ok((signing, verifier))
}

/// Fails if somebody has signed: a new key would belong to none of the checkpoints so far.
async fn refuse_missing(app: &App, tenant: &str) -> ServiceResult<()> {
    if app.store().audit_tree(tenant).await?.checkpoint.is_none() {
        return Ok(());
    }
    let detail = format!(
        "The key that has signed the checkpoints of {tenant} is missing; restore the database from a backup."
    );
    Err(ServiceError::new(ProblemCode::Internal, detail))
}

/// The key that signs the tenant's checkpoints, and the origin that it signs as. Makes the first
/// one. `None` without a vault.
///
/// # Errors
/// The store failed; `VaultMissing` if the vault does not open the key; it is missing or damaged.
pub(super) async fn signing(
    app: &App,
    tenant: &str,
    base: &BaseUrl,
) -> ServiceResult<Option<(SigningKey, String)>> {
    if app.vault().is_none() {
        return Ok(None);
    }
    let mut keys = app.store().audit_keys(tenant).await?;
    if keys.is_empty() {
        refuse_missing(app, tenant).await?;
        let stamp = Stamp {
            actor: server(),
            at: app.clock().now(),
        };
        add(
            app,
            tenant,
            &origin(base, tenant),
            1,
            Action::Created,
            stamp,
        )
        .await?;
        // Another node may have been first.
        keys = app.store().audit_keys(tenant).await?;
    }
    let newest = keys.last().ok_or_else(no_key)?;
    let (key, verifier) = pair(app, newest)?;
    Ok(Some((key, verifier.name().to_owned())))
}

/// Replaces the key that signs. The origin stays, whatever the server's address is by now: it names
/// the trail. Checkpoints so far stay valid with the key that signed them.
///
/// # Errors
/// `KeyNotFound` if there is no key yet, `VaultMissing`.
pub async fn rotate(app: &App, principal: &Principal) -> ServiceResult<VerifierKey> {
    let tenant = &principal.tenant;
    let keys = app.store().audit_keys(tenant).await?;
    let newest = keys.last().ok_or_else(no_key)?;
    let origin = verifier(newest)?.name().to_owned();
    let stamp = principal.stamp(app.clock().now());
    let action = Action::SecretRotated;
    add(app, tenant, &origin, newest.number + 1, action, stamp).await?;
    let keys = verifiers(app, tenant).await?;
    keys.last().cloned().ok_or_else(no_key)
}

async fn add(
    app: &App,
    tenant: &str,
    origin: &str,
    number: u64,
    action: Action,
    stamp: Stamp,
) -> ServiceResult<()> {
    let mut seed = Zeroizing::new([0; 32]);
    random(seed.as_mut_slice()).map_err(|_| {
        ServiceError::new(ProblemCode::Internal, "The system has no random numbers.")
    })?;
    let key = AuditKey {
        tenant: tenant.to_owned(),
        number,
        verifier: VerifierKey::of(origin, &SigningKey::from_bytes(&seed)).to_string(),
        created_at: stamp.at,
        sealed: seal(app, tenant, number, seed.as_slice())?,
    };
    let act = Act::new(stamp, Target::AuditKey(number), action);
    app.store().add_audit_key(key, act).await?;
    Ok(())
}

/// Re-encrypts a key with the first key of the vault. `false` if that is done already.
///
/// # Errors
/// `VaultMissing` if the key cannot be decrypted.
pub async fn reseal(app: &App, key: &AuditKey) -> ServiceResult<bool> {
    let vault = app.vault().ok_or_else(no_vault)?;
    if key.sealed.key_id == vault.current() {
        return Ok(false);
    }
    let signing = open(app, key)?;
    let sealed = seal(app, &key.tenant, key.number, &signing.to_bytes())?;
    let key = AuditKey {
        sealed,
        ..key.clone()
    };
    app.store().reseal_audit_key(key).await?;
    Ok(true)
}

fn seal(app: &App, tenant: &str, number: u64, seed: &[u8]) -> ServiceResult<SealedSecret> {
    let vault = app.vault().ok_or_else(no_vault)?;
    let id = number.to_string();
    vault
        .seal(seed, binding(tenant, &id))
        .map_err(|_| ServiceError::new(ProblemCode::Internal, "The audit key cannot be sealed."))
}

fn open(app: &App, key: &AuditKey) -> ServiceResult<SigningKey> {
    let vault = app.vault().ok_or_else(no_vault)?;
    let id = key.number.to_string();
    let opened = vault.open(&key.sealed, binding(&key.tenant, &id));
    let seed = opened
        .ok()
        .and_then(|seed| <[u8; 32]>::try_from(seed.as_slice()).ok());
    let seed = Zeroizing::new(seed.ok_or_else(|| {
        ServiceError::new(
            ProblemCode::VaultMissing,
            "The key that signs checkpoints of the audit trail cannot be opened; put the vault's key back, or make a \
             new one with `checklist-server audit rotate-key`.",
        )
    })?);
    Ok(SigningKey::from_bytes(&seed))
}

const fn binding<'a>(tenant: &'a str, number: &'a str) -> Binding<'a> {
    Binding {
        tenant,
        connection: number,
        origin: PURPOSE,
    }
}

/// Names a tenant's trail: the base URL without its scheme, and the tenant. A name in a signed note
/// has neither spaces nor plus signs.
fn origin(base: &BaseUrl, tenant: &str) -> String {
    let base = base.to_string();
    let place = base
        .split_once("://")
        .map_or(base.as_str(), |(_, place)| place);
    let tenant: String = url::form_urlencoded::byte_serialize(tenant.as_bytes()).collect();
    format!("{place}/{}", tenant.replace('+', "%20"))
}

fn no_key() -> ServiceError {
    ServiceError::new(
        ProblemCode::KeyNotFound,
        "The audit trail has no key yet; the server makes one with the first checkpoint.",
    )
}
