//! The provider's endpoints and keys: discovered, cached, and loaded again for an unknown key, but
//! rate limited.
//!
//! Invariant: keys come from the provider's own document only; references to keys in a token's
//! header (`jku`, `jwk`, `x5u`) are ignored.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checklist_egress::Egress;
use checklist_egress::oauth::discovery::{ProviderMetadata, discover, get_json};
use checklist_shared::problem::ProblemCode;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::error::AuthError;

/// How long the documents are cached.
const FRESH: Duration = Duration::from_secs(60 * 60);
/// The minimum interval between requests, for unknown keys or after errors.
const SELDOM: Duration = Duration::from_secs(10);
/// The provider with its cached documents.
pub(super) struct Provider {
    issuer: String,
    egress: Arc<Egress>,
    seen: Mutex<ProviderCache>,
}

#[derive(Default)]
struct ProviderCache {
    known: Option<Arc<CachedProvider>>,
    /// The time of the last request, whether or not it succeeded.
    asked: Option<Instant>,
}

/// The cached endpoints and keys.
pub(super) struct CachedProvider {
    pub(super) addresses: ProviderMetadata,
    keys: HashMap<String, Key>,
    since: Instant,
}

/// A key and the only algorithm that it may be used with.
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

    /// The endpoints and keys. Loads them if they are missing or stale.
    pub(super) async fn metadata(&self) -> Result<Arc<CachedProvider>, AuthError> {
        let mut seen = self.seen.lock().await;
        if let Some(known) = &seen.known
            && known.since.elapsed() < FRESH
        {
            return Ok(Arc::clone(known));
        }
        self.ask(&mut seen).await
    }

    /// Looks up a key by `kid`. An unknown one triggers a reload, unless there was one a moment
    /// ago.
    pub(super) async fn key(&self, kid: Option<&str>) -> Result<Key, AuthError> {
        let known = self.metadata().await?;
        if let Some(key) = known.key(kid) {
            return Ok(key);
        }
        let mut seen = self.seen.lock().await;
        let known = match &seen.known {
            // Another caller has reloaded it.
            Some(newer) if !Arc::ptr_eq(newer, &known) => Arc::clone(newer),
            _ => self.ask(&mut seen).await?,
        };
        known
            .key(kid)
            .ok_or_else(|| AuthError::invalid("The identity provider has no such key (kid)."))
    }

    /// Loads the documents, rate limited. If that fails, the cached ones stay valid.
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
            // Keys of unknown kinds are skipped.
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
    /// Looks up a key by `kid`; without one, returns the only key.
    fn key(&self, kid: Option<&str>) -> Option<Key> {
        match kid {
            Some(kid) => self.keys.get(kid).cloned(),
            None if self.keys.len() == 1 => self.keys.values().next().cloned(),
            None => None,
        }
    }
}

/// Converts a JWK, if it is a public signing key of a supported kind.
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
        // A symmetric key must not be in a public document.
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

/// Whether a key with this default algorithm may be used with another one.
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
