//! Embed tokens: JSON web tokens that a host platform's server signs for the people on its pages.
//!
//! The key is found by `kid` among the tenant's registered keys and those of the configuration, and
//! the key's record says the algorithm; `jku`, `jwk` and `x5u` in a header mean nothing here.

use std::sync::Arc;

use checklist_shared::limits::Limits;
use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode};
use serde::Deserialize;

use super::AuthError;
use super::claims::{Claims, LEEWAY, seconds};
use super::keys::KeyRing;
use super::principal::Principal;
use super::token_cache::{TokenCache, fingerprint};
use super::token_header::TokenHeader;
use super::trust_cache::TenantTrust;

/// How many bytes of verified tokens are remembered: those of some ten thousand people, whatever
/// the number of streams.
const REMEMBERED: usize = 32 * 1024 * 1024;

/// A token whose signature and claims are good.
pub struct VerifiedToken {
    principal: Principal,
    /// What the token says.
    origin: Option<String>,
    /// What its key says.
    origins: Option<Vec<String>>,
    /// Seconds since 1970.
    ends: f64,
    /// It holds for as long as nobody has changed who may sign in.
    generation: u64,
}

/// Verifies embed tokens for one server.
pub struct EmbedVerifier {
    keys: KeyRing,
    audience: String,
    recent: TokenCache,
}

/// What a token says of itself before anything was verified.
#[derive(Deserialize)]
pub struct UnverifiedClaims {
    /// Who says that they have issued it.
    #[serde(default)]
    pub iss: String,
    /// Whose key is to be looked for.
    #[serde(default)]
    pub tenant: String,
}

impl UnverifiedClaims {
    /// Reads a token without believing it; nothing of it may be kept.
    ///
    /// # Errors
    /// It is no JSON web token, or names what nobody is called.
    pub fn by(token: &str) -> Result<Self, AuthError> {
        TokenHeader::of(token)?;
        let claimed: Self = insecure_decode_claims(token)
            .map_err(|_| AuthError::invalid("This is no signed JSON web token."))?;
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
    /// A verifier for tokens whose `aud` is `audience` (the base URL without a slash at its end).
    #[must_use]
    pub fn new(keys: KeyRing, audience: &str) -> Self {
        Self {
            keys,
            audience: audience.to_owned(),
            recent: TokenCache::new(REMEMBERED),
        }
    }

    /// A token that was found good a moment ago, if nothing has changed since.
    #[must_use]
    pub fn recall(&self, token: &str, generation: u64) -> Option<Arc<VerifiedToken>> {
        self.recent
            .get(&fingerprint(token))
            .filter(|verified| verified.generation == generation)
    }

    /// Verifies a token with the keys of the tenant that it names (`trust`), which were current
    /// in `generation`.
    ///
    /// # Errors
    /// `Unauthenticated` with the first thing that is wrong.
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
        // Times and audience are compared in `claims`, with the server's own clock.
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

    /// The caller of a token that was verified before, with no more than the key of that name
    /// allows now.
    ///
    /// # Errors
    /// It was revoked, has ended, or is not there any more.
    pub fn revalidate(
        &self,
        kid: &str,
        principal: &Principal,
        trust: &TenantTrust,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let key = trust.key(kid, now)?.or_else(|| self.keys.get(kid));
        let key =
            key.ok_or_else(|| AuthError::invalid("The token's key (kid) is not registered here."))?;
        if let Some(id) = principal.actor.key.as_deref().filter(|_| key.own) {
            trust.knows_no_revocation_of_api_key(id)?;
        }
        Ok(key.ceiling.narrow(principal.clone()))
    }
}

impl VerifiedToken {
    /// The caller behind the token, on a page of `origin` where the request names one.
    ///
    /// # Errors
    /// `TokenExpired` when it has ended, `OriginRefused` for a token of another page.
    pub fn admit(&self, origin: Option<&str>, now: Timestamp) -> Result<Principal, AuthError> {
        if self.ends + LEEWAY <= seconds(now) {
            return Err(expired());
        }
        if let Some(origin) = origin {
            let of_token = self.origin.as_ref().into_iter();
            let foreign = of_token.clone().any(|own| !same_origin(own, origin));
            let of_key = self.origins.as_ref();
            if foreign || of_key.is_some_and(|own| !own.iter().any(|own| same_origin(own, origin)))
            {
                let allowed: Vec<&String> = of_token.chain(of_key.into_iter().flatten()).collect();
                let names: Vec<&str> = allowed.into_iter().map(String::as_str).collect();
                return Err(AuthError {
                    code: ProblemCode::OriginRefused,
                    detail: format!("The token is for pages of {}.", names.join(", ")),
                });
            }
        }
        Ok(self.principal.clone())
    }
}

/// A good token that has ended.
pub(super) fn expired() -> AuthError {
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
        // The signature was good, so the host may be told what is wrong with its own claims.
        ErrorKind::Json(error) => AuthError::invalid(format!(
            "The token's claims are not as they should be: {error}."
        )),
        _ => AuthError::invalid("This is no valid JSON web token."),
    }
}

fn same_origin(one: &str, other: &str) -> bool {
    one.trim_end_matches('/')
        .eq_ignore_ascii_case(other.trim_end_matches('/'))
}

#[cfg(test)]
#[path = "embed_tests.rs"]
mod tests;
