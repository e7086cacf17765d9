//! API keys: `ck_` and 256 random bits, for programs that call the server themselves.
//!
//! Only the hash is stored, so a key is shown once, when it is created. Web pages must not use one:
//! `authenticator` rejects a request with an `Origin`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_runtime::clock::random;
use checklist_shared::item::{Actor, ActorKind, ActorSource};
use checklist_shared::time::Timestamp;
use checklist_store::directory::{ApiKeyRecord, SecretHash};
use checklist_store::scope::ContextScope;
use sha2::{Digest, Sha256};

use super::error::AuthError;
use super::principal::permissions_of;
use super::principal::{Credential, Principal};
use checklist_shared::problem::ProblemCode;

/// The prefix of keys, so that people and secret scanners recognise them.
const PREFIX: &str = "ck_";

/// Whether a credential looks like an API key.
#[must_use]
pub fn is_api_key(credential: &str) -> bool {
    credential.starts_with(PREFIX)
}

/// Generates a secret of 256 random bits, as text for headers and cookies.
///
/// # Errors
/// The operating system has no random numbers.
pub fn new_secret() -> Result<String, checklist_runtime::clock::NoKey> {
    let mut bytes = [0; 32];
    random(&mut bytes).map_err(|_| checklist_runtime::clock::NoKey)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Generates an API key.
///
/// # Errors
/// The operating system has no random numbers.
pub fn new_api_key() -> Result<String, checklist_runtime::clock::NoKey> {
    Ok(format!("{PREFIX}{}", new_secret()?))
}

/// The hash that a secret is looked up by.
#[must_use]
pub fn hash(secret: &str) -> SecretHash {
    Sha256::digest(secret.as_bytes()).into()
}

/// Converts a stored key to a principal.
///
/// # Errors
/// `TokenExpired` if the key has expired, `Unauthenticated` if it was revoked.
pub fn admit(key: &ApiKeyRecord, now: Timestamp) -> Result<Principal, AuthError> {
    if key.revoked_at.is_some() {
        return Err(AuthError::invalid("The API key was revoked."));
    }
    if key.expires_at.is_some_and(|end| end <= now) {
        return Err(AuthError {
            code: ProblemCode::TokenExpired,
            detail: "The API key has expired.".into(),
        });
    }
    Ok(Principal {
        tenant: key.tenant.clone(),
        actor: Actor {
            key: Some(key.id.clone()),
            ..Actor::of(
                ActorKind::Program,
                &format!("api-key:{}", key.id),
                &key.name,
            )
            .vouched_for_by(ActorSource::ApiKey, None)
        },
        permissions: permissions_of(&key.roles),
        contexts: match &key.contexts {
            None => ContextScope::Any,
            Some(listed) => ContextScope::Listed(listed.clone()),
        },
        languages: Vec::new(),
        sources: key.sources.clone(),
        journal: false,
        template: None,
        idempotency_scope: format!("key:{}", key.id),
        expires_at: key.expires_at,
        credential: Credential::ApiKey(key.secret),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_prefix_and_256_bits_and_no_two_are_alike() {
        let (one, other) = (new_api_key().expect("a key"), new_api_key().expect("a key"));
        assert!(is_api_key(&one) && one.len() == 3 + 43);
        assert_ne!(one, other);
        assert_ne!(hash(&one), hash(&other));
    }
}
