//! The provider's addresses and keys: found by discovery, remembered, looked up again when a key
//! is unknown, but not too often.
//!
//! Keys come from the provider's own document and from nowhere else; what a token's header says of
//! keys (`jku`, `jwk`, `x5u`) means nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checklist_shared::problem::ProblemCode;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::auth::AuthError;
use crate::egress::Egress;
use crate::oauth::discovery::{ProviderMetadata, discover, get_json};

/// How long the documents are taken for true.
const FRESH: Duration = Duration::from_secs(60 * 60);
/// How often an unknown key, or a provider that did not answer, may make us ask again.
const SELDOM: Duration = Duration::from_secs(10);
/// The provider as it was last seen.
pub(super) struct Provider {
    issuer: String,
    egress: Arc<Egress>,
    seen: Mutex<ProviderCache>,
}

#[derive(Default)]
struct ProviderCache {
    known: Option<Arc<CachedProvider>>,
    /// When it was asked last, with or without success.
    asked: Option<Instant>,
}

/// Its addresses and keys.
pub(super) struct CachedProvider {
    pub(super) addresses: ProviderMetadata,
    keys: HashMap<String, Key>,
    since: Instant,
}

/// A key and the one way in which it signs.
#[derive(Clone)]
pub(super) struct Key {
    pub(super) algorithm: Algorithm,
    pub(super) key: DecodingKey,
}

impl Provider {
    pub(super) fn new(issuer: String, egress: Arc<Egress>) -> Self {
        Self {
            issuer,
            egress,
            seen: Mutex::default(),
        }
    }

    pub(super) fn issuer(&self) -> &str {
        &self.issuer
    }

    pub(super) fn egress(&self) -> Arc<Egress> {
        Arc::clone(&self.egress)
    }

    /// The addresses and keys, asked for where they are not known or no longer fresh.
    pub(super) async fn metadata(&self) -> Result<Arc<CachedProvider>, AuthError> {
        let mut seen = self.seen.lock().await;
        if let Some(known) = &seen.known
            && known.since.elapsed() < FRESH
        {
            return Ok(Arc::clone(known));
        }
        self.ask(&mut seen).await
    }

    /// The key of that name. An unknown one is looked for once more, unless that was done a
    /// moment ago.
    pub(super) async fn key(&self, kid: Option<&str>) -> Result<Key, AuthError> {
        let known = self.metadata().await?;
        if let Some(key) = known.key(kid) {
            return Ok(key);
        }
        let mut seen = self.seen.lock().await;
        let known = match &seen.known {
            // Somebody else was faster.
            Some(newer) if !Arc::ptr_eq(newer, &known) => Arc::clone(newer),
            _ => self.ask(&mut seen).await?,
        };
        known
            .key(kid)
            .ok_or_else(|| AuthError::invalid("The identity provider has no such key (kid)."))
    }

    /// Asks the provider, but seldom; what was known goes on to hold where that fails.
    async fn ask(&self, seen: &mut ProviderCache) -> Result<Arc<CachedProvider>, AuthError> {
        let lately = seen.asked.is_some_and(|at| at.elapsed() < SELDOM);
        if !lately {
            seen.asked = Some(Instant::now());
            match self.fetch().await {
                Ok(known) => seen.known = Some(Arc::new(known)),
                Err(reason) => {
                    tracing::warn!(issuer = self.issuer, reason, "the identity provider fails");
                }
            }
        }
        seen.known.clone().ok_or_else(|| AuthError {
            code: ProblemCode::Busy,
            detail: "The identity provider does not answer; try again in a moment.".into(),
        })
    }

    async fn fetch(&self) -> Result<CachedProvider, String> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<serde_json::Value>,
        }
        let addresses = discover(&self.egress, &self.issuer).await?;
        let set: Set = get_json(&self.egress, &addresses.jwks_uri).await?;
        let keys = set
            .keys
            .into_iter()
            // Keys of kinds that nobody here knows do not spoil the others.
            .filter_map(|key| serde_json::from_value::<Jwk>(key).ok())
            .filter_map(|jwk| {
                Some((
                    jwk.common.key_id.clone().unwrap_or_default(),
                    signing_key(&jwk)?,
                ))
            })
            .collect();
        Ok(CachedProvider {
            addresses,
            keys,
            since: Instant::now(),
        })
    }
}

impl CachedProvider {
    /// The key of that name; without a name the only one there is.
    fn key(&self, kid: Option<&str>) -> Option<Key> {
        match kid {
            Some(kid) => self.keys.get(kid).cloned(),
            None if self.keys.len() == 1 => self.keys.values().next().cloned(),
            None => None,
        }
    }
}

/// The key, if it is public, meant for signatures and of a kind that is known.
fn signing_key(jwk: &Jwk) -> Option<Key> {
    let for_signatures = jwk
        .common
        .public_key_use
        .as_ref()
        .is_none_or(|purpose| *purpose == PublicKeyUse::Signature);
    let usual = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) => match key.curve {
            EllipticCurve::P256 => Algorithm::ES256,
            EllipticCurve::P384 => Algorithm::ES384,
            _ => return None,
        },
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        // A shared secret in a public document.
        _ => return None,
    };
    let algorithm = match jwk.common.key_algorithm {
        None => usual,
        Some(KeyAlgorithm::RS256) => Algorithm::RS256,
        Some(KeyAlgorithm::RS384) => Algorithm::RS384,
        Some(KeyAlgorithm::RS512) => Algorithm::RS512,
        Some(KeyAlgorithm::PS256) => Algorithm::PS256,
        Some(KeyAlgorithm::PS384) => Algorithm::PS384,
        Some(KeyAlgorithm::PS512) => Algorithm::PS512,
        Some(KeyAlgorithm::ES256) => Algorithm::ES256,
        Some(KeyAlgorithm::ES384) => Algorithm::ES384,
        Some(KeyAlgorithm::EdDSA) => Algorithm::EdDSA,
        _ => return None,
    };
    let key = DecodingKey::from_jwk(jwk).ok()?;
    (for_signatures && same_family(algorithm, usual)).then_some(Key { algorithm, key })
}

/// Whether a key that usually signs in one way can sign in another.
fn same_family(one: Algorithm, usual: Algorithm) -> bool {
    let is_rsa = |algorithm| {
        matches!(
            algorithm,
            Algorithm::RS256
                | Algorithm::RS384
                | Algorithm::RS512
                | Algorithm::PS256
                | Algorithm::PS384
                | Algorithm::PS512
        )
    };
    one == usual || is_rsa(one) && is_rsa(usual)
}
