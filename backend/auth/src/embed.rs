//! Verifies embed tokens: JSON Web Tokens that a host platform's server signs for a person.
//!
//! The key is looked up by `kid` among the tenant's registered keys and those of the configuration.
//! Its record determines the algorithm; `jku`, `jwk` and `x5u` in a header are ignored.

use std::sync::Arc;

use checklist_shared::limits::Limits;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode};
use serde::Deserialize;

use super::claims::{Claims, LEEWAY, seconds};
use super::error::AuthError;
use super::keys::KeyRing;
use super::principal::Principal;
use super::token_cache::{TokenCache, fingerprint};
use super::token_header::TokenHeader;
use super::trust_cache::TenantTrust;

/// The size of the cache of verified tokens, in bytes: enough for some ten thousand people,
/// independent of the number of streams.
const REMEMBERED: usize = 32 * 1024 * 1024;

/// A token with a valid signature and valid claims.
pub struct VerifiedToken {
    principal: Principal,
    /// The origin that the token permits.
    origin: Option<String>,
    /// The origins that its key permits.
    origins: Option<Vec<String>>,
    /// The expiry, in seconds since 1970.
    ends: f64,
    /// The generation of the trust cache at verification. Any change there invalidates the entry.
    generation: u64,
}

/// Verifies embed tokens for one audience.
pub struct EmbedVerifier {
    keys: KeyRing,
    audience: String,
    recent: TokenCache<VerifiedToken>,
}

/// The claims of a token before verification.
#[derive(Deserialize)]
pub struct UnverifiedClaims {
    /// The claimed issuer.
    #[serde(default)]
    pub iss: String,
    /// The claimed tenant, whose keys are searched.
    #[serde(default)]
    pub tenant: String,
}

impl UnverifiedClaims {
    /// Parses a token without verifying it. Nothing of it may be stored.
    ///
    /// # Errors
    /// The token is malformed, or it contains names that cannot exist.
    pub fn by(token: &str) -> Result<Self, AuthError> {
        TokenHeader::of(token)?;
        let claimed: Self = insecure_decode_claims(token)
            .map_err(|_| AuthError::invalid("This is not a signed JSON web token."))?;
        for (claim, text) in [("iss", &claimed.iss), ("tenant", &claimed.tenant)] {
            if text.chars().count() > Limits::IDENTIFIER {
                return Err(AuthError::invalid(format!(
                    "The claim {claim} has more than 200 characters."
                )));
            }
        }
        Ok(claimed)
    }
}

impl EmbedVerifier {
    /// A verifier for tokens whose `aud` is `audience` (the base URL without a trailing slash).
    #[must_use]
    pub fn new(keys: KeyRing, audience: &str) -> Self {
        Self {
            keys,
            audience: audience.to_owned(),
            recent: TokenCache::new(REMEMBERED),
        }
    }

    /// Looks up a token that was verified before, if nothing has changed since.
    #[must_use]
    pub fn recall(&self, token: &str, generation: u64) -> Option<Arc<VerifiedToken>> {
        self.recent
            .get(&fingerprint(token))
            .filter(|verified| verified.generation == generation)
    }

    /// Verifies a token with the keys of the tenant that it names (`trust`), which were current in
    /// `generation`.
    ///
    /// # Errors
    /// `Unauthenticated` with the first failed check.
    pub fn verify(
        &self,
        token: &str,
        trust: &TenantTrust,
        generation: u64,
        now: Timestamp,
    ) -> Result<Arc<VerifiedToken>, AuthError> {
        let kid = TokenHeader::of(token)?
            .kid
            .ok_or_else(|| AuthError::invalid("The token's header names no key (kid)."))?;
        let key = match trust.key(&kid, now)? {
            Some(key) => key,
            None => self.keys.get(&kid).ok_or_else(|| {
                AuthError::invalid("The token's key (kid) is not registered here.")
            })?,
        };

        let mut rules = Validation::new(key.algorithm);
        // `claims` compares times and audience, with the server's own clock.
        rules.required_spec_claims.clear();
        rules.validate_exp = false;
        rules.validate_aud = false;
        let claims = decode::<Claims>(token, &key.key, &rules)
            .map_err(|error| explain(error.kind()))?
            .claims;
        claims.check(&self.audience, key.tenant.as_deref(), now)?;
        claims.check_issuer(key, &self.audience)?;
        trust.lets_in(Some(claims.issued_at()))?;
        trust.knows_no_revocation_of(&claims.jti)?;
        trust.knows_no_erasure_of(&claims.iss, &claims.sub, claims.issued_at())?;
        if let Some(id) = claims.api_key.as_deref().filter(|_| key.own) {
            trust.knows_no_revocation_of_api_key(id)?;
        }
        let key_ends = key.expires_at.map_or(f64::INFINITY, seconds);
        let verified = Arc::new(VerifiedToken {
            ends: claims.exp.min(key_ends),
            origin: claims.origin.clone(),
            origins: key.origins.clone(),
            principal: claims.into_principal(&kid, key),
            generation,
        });
        self.recent
            .put(fingerprint(token), token.len(), Arc::clone(&verified));
        Ok(verified)
    }
}

impl VerifiedToken {
    /// The principal of a token, on a page of `origin` if the request has that header.
    ///
    /// # Errors
    /// `TokenExpired` if it has expired, `OriginRefused` on a page of another origin.
    pub fn admit(&self, origin: Option<&str>, now: Timestamp) -> Result<Principal, AuthError> {
        if self.ends + LEEWAY <= seconds(now) {
            return Err(expired_token());
        }
        if let Some(origin) = origin {
            // Whoever asks chooses it, and it is logged.
            let named = origin.get(..200).unwrap_or(origin);
            let is_foreign = |own: &String| !same_origin(own, origin);
            if let Some(own) = self.origin.as_ref().filter(|own| is_foreign(own)) {
                let detail = format!("The token is for pages of {own}, and not of {named}.");
                return Err(refused_origin(detail));
            }
            if let Some(own) = self
                .origins
                .as_ref()
                .filter(|own| own.iter().all(is_foreign))
            {
                return Err(refused_origin(format!(
                    "The key of the token is for pages of {}, and not of {named}; register it with that origin too.",
                    own.join(", ")
                )));
            }
        }
        Ok(self.principal.clone())
    }
}

fn refused_origin(detail: String) -> AuthError {
    AuthError {
        code: ProblemCode::OriginRefused,
        detail,
    }
}

/// The error for a valid token that has expired.
pub(super) fn expired_token() -> AuthError {
    AuthError {
        code: ProblemCode::TokenExpired,
        detail: "The token has expired; get a new one.".into(),
    }
}

fn explain(error: &ErrorKind) -> AuthError {
    match error {
        ErrorKind::InvalidAlgorithm => {
            AuthError::invalid("The token is signed with another algorithm than its key.")
        }
        ErrorKind::InvalidSignature => AuthError::invalid("The token's signature is not valid."),
        // The signature was valid, so the host may learn what is wrong with its own claims.
        ErrorKind::Json(error) => AuthError::invalid(format!(
            "The token's claims are not as they should be: {error}."
        )),
        _ => AuthError::invalid("This is not a valid JSON web token."),
    }
}

fn same_origin(one: &str, other: &str) -> bool {
    one.trim_end_matches('/')
        .eq_ignore_ascii_case(other.trim_end_matches('/'))
}

#[cfg(test)]
#[path = "embed_tests.rs"]
mod tests;
