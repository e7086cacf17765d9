//! Embed tokens: JSON web tokens that a host platform's server signs for the people on its pages.
//!
//! The key is found by `kid`, and the key's record says the algorithm; `jku`, `jwk` and `x5u`
//! in a header mean nothing here. Called by the extractor in `http` for `Authorization: Bearer`.

use std::sync::Arc;

use checklist_shared::problem::ProblemCode;
use checklist_shared::time::Timestamp;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};

use super::Denied;
use super::claims::{Claims, LEEWAY, seconds};
use super::keys::KeyRing;
use super::principal::Principal;
use super::recent::{Fingerprint, Recent, fingerprint};

/// Longer than 200 contexts with the longest names would be; headers end far below it.
const LONGEST_TOKEN: usize = 64 * 1024;
/// Some megabytes at most.
const REMEMBERED: usize = 4_096;

/// A token whose signature and claims are good.
pub struct Verified {
    principal: Principal,
    origin: Option<String>,
    /// Seconds since 1970.
    pub(super) ends: f64,
}

/// Verifies embed tokens for one server.
pub struct EmbedVerifier {
    keys: KeyRing,
    audience: String,
    recent: Recent,
}

impl EmbedVerifier {
    /// A verifier for tokens whose `aud` is `audience` (the base URL without a slash at its end).
    #[must_use]
    pub fn new(keys: KeyRing, audience: &str) -> Self {
        Self {
            keys,
            audience: audience.to_owned(),
            recent: Recent::new(REMEMBERED),
        }
    }

    /// The caller behind a token, on a page of `origin` where the request names one.
    ///
    /// # Errors
    /// `TokenExpired` for a good token that has ended, `OriginRefused` for one of another page,
    /// else `Unauthenticated`.
    pub fn verify(
        &self,
        token: &str,
        origin: Option<&str>,
        now: Timestamp,
    ) -> Result<Principal, Denied> {
        let known = fingerprint(token);
        let verified = match self.recent.get(&known) {
            Some(verified) => verified,
            None => self.verify_anew(token, known, now)?,
        };
        if verified.ends + LEEWAY <= seconds(now) {
            return Err(Denied {
                code: ProblemCode::TokenExpired,
                detail: "The token has expired; get a new one.".into(),
            });
        }
        match (&verified.origin, origin) {
            (Some(allowed), Some(origin)) if !same_origin(allowed, origin) => Err(Denied {
                code: ProblemCode::OriginRefused,
                detail: format!("The token is for pages of {allowed}."),
            }),
            _ => Ok(verified.principal.clone()),
        }
    }

    fn verify_anew(
        &self,
        token: &str,
        known: Fingerprint,
        now: Timestamp,
    ) -> Result<Arc<Verified>, Denied> {
        if token.len() > LONGEST_TOKEN {
            return Err(Denied::invalid("The token is too long."));
        }
        let header = decode_header(token)
            .map_err(|_| Denied::invalid("This is no signed JSON web token."))?;
        let kid = header
            .kid
            .ok_or_else(|| Denied::invalid("The token's header names no key (kid)."))?;
        let key = self
            .keys
            .get(&kid)
            .ok_or_else(|| Denied::invalid("The token's key (kid) is not registered here."))?;

        let mut rules = Validation::new(key.algorithm);
        // Times and audience are compared in `claims`, with the server's own clock.
        rules.required_spec_claims.clear();
        rules.validate_exp = false;
        rules.validate_aud = false;
        let claims = decode::<Claims>(token, &key.key, &rules)
            .map_err(|error| explain(error.kind()))?
            .claims;
        claims.check(&self.audience, key.tenant.as_deref(), now)?;
        let verified = Verified {
            ends: claims.exp,
            origin: claims.origin.clone(),
            principal: claims.into_principal(),
        };
        let verified = Arc::new(verified);
        self.recent.put(known, Arc::clone(&verified), seconds(now));
        Ok(verified)
    }
}

fn explain(error: &ErrorKind) -> Denied {
    match error {
        ErrorKind::InvalidAlgorithm => {
            Denied::invalid("The token is signed with another algorithm than its key.")
        }
        ErrorKind::InvalidSignature => Denied::invalid("The token's signature is not valid."),
        // The signature was good, so the host may be told what is wrong with its own claims.
        ErrorKind::Json(error) => Denied::invalid(format!(
            "The token's claims are not as they should be: {error}."
        )),
        _ => Denied::invalid("This is no valid JSON web token."),
    }
}

fn same_origin(one: &str, other: &str) -> bool {
    one.trim_end_matches('/')
        .eq_ignore_ascii_case(other.trim_end_matches('/'))
}

#[cfg(test)]
#[path = "embed_tests.rs"]
mod tests;
