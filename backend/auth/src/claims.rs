//! The claims of an embed token, and their validation.
//!
//! Used only after `embed` has verified the signature, and by `demo`, which writes them. Unknown
//! claims are ignored, as RFC 7519 requires.

use checklist_shared::facts::Facts;
use checklist_shared::item::{Actor, ActorSource};
use checklist_shared::language_tag::is_language_tag;
use checklist_shared::limits::Limits;
use checklist_shared::permission::{Permission, Permissions};
use checklist_shared::time::Timestamp;
use checklist_shared::wire::admin::TokenContext;
use checklist_store::scope::ContextScope;
use serde::{Deserialize, Serialize};

use super::acting_party::ActingParty;
use super::error::AuthError;
use super::keys::EmbedKey;
use super::principal::{Credential, Principal};

/// The latest permitted expiry of a token, in seconds from now.
pub const LONGEST_LIFE: f64 = 15.0 * 60.0;
/// The tolerated clock skew of the host, in seconds.
pub const LEEWAY: f64 = 5.0;
/// The maximum number of contexts in a token.
pub const MOST_CONTEXTS: usize = 200;

/// The claims of a token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    /// The issuer: the host platform.
    pub iss: String,
    /// The audience: the base URL of this server.
    pub aud: Audience,
    /// The stable id of the person.
    pub sub: String,
    /// The display name of the person.
    pub name: String,
    /// The tenant.
    pub tenant: String,
    /// The contexts of the lists that the token covers.
    pub contexts: Vec<TokenContext>,
    /// The permissions.
    pub perm: Vec<Permission>,
    /// Who acts for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<ActingParty>,
    /// The language tag of the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The only origin whose pages may use the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Whether writes are logged in the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<bool>,
    /// The template for lists that were never written and whose context names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// The time of issue, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iat: Option<f64>,
    /// The expiry, in seconds since 1970.
    pub exp: f64,
    /// The time before which the token is invalid, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nbf: Option<f64>,
    /// The id of the token, by which it can be revoked.
    pub jti: String,
    /// The id of the API key that requested the token. Ignored unless the server signed the token
    /// itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
}

/// One audience or several.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Audience {
    /// A single audience.
    One(String),
    /// Several audiences, one of which has to be this server.
    Many(Vec<String>),
}

impl Audience {
    /// Whether this is, or contains, exactly `audience`.
    #[must_use]
    pub fn is_for(&self, audience: &str) -> bool {
        match self {
            Self::One(name) => name == audience,
            Self::Many(names) => names.iter().any(|name| name == audience),
        }
    }

    fn names(&self, audience: &str) -> bool {
        let same = |name: &String| name.trim_end_matches('/') == audience;
        match self {
            Self::One(name) => same(name),
            Self::Many(names) => names.iter().any(same),
        }
    }
}

impl Claims {
    /// Validates everything except the expiry, which is compared on each use.
    ///
    /// # Errors
    /// The first violated rule.
    pub fn check(
        &self,
        audience: &str,
        tenant: Option<&str>,
        now: Timestamp,
    ) -> Result<(), AuthError> {
        let texts = [
            ("iss", &self.iss),
            ("sub", &self.sub),
            ("name", &self.name),
            ("tenant", &self.tenant),
            ("jti", &self.jti),
        ];
        for (claim, value) in texts {
            let fits = !value.is_empty() && value.chars().count() <= Limits::IDENTIFIER;
            if !fits || value.chars().any(char::is_control) {
                return Err(AuthError::invalid(format!(
                    "The claim {claim} has to have 1 to 200 characters and no control characters."
                )));
            }
        }
        if !self.aud.names(audience) {
            return Err(AuthError::invalid(format!(
                "The token is for another server; aud has to be {audience}."
            )));
        }
        if tenant.is_some_and(|tenant| tenant != self.tenant) {
            return Err(AuthError::invalid("The key may not sign for this tenant."));
        }
        if self.contexts.len() > MOST_CONTEXTS {
            return Err(AuthError::invalid("A token lists at most 200 contexts."));
        }
        for (index, context) in self.contexts.iter().enumerate() {
            let mut faults = context.facts.iter().flat_map(Facts::faults);
            if let Some((name, _, fault)) = faults.next() {
                let name = name.unwrap_or("all of them");
                return Err(AuthError::invalid(format!(
                    "The facts of entry {index} of the claim contexts are not valid ({name}): {fault}"
                )));
            }
        }
        if let Some(party) = &self.act {
            party.check()?;
        }
        let now = seconds(now);
        if !self.exp.is_finite() || self.exp > now + LONGEST_LIFE + LEEWAY {
            return Err(AuthError::invalid(
                "A token may end at most 15 minutes ahead.",
            ));
        }
        if self
            .iat
            .is_some_and(|at| !at.is_finite() || at > now + LEEWAY)
        {
            return Err(AuthError::invalid("The token was issued in the future."));
        }
        if self
            .nbf
            .is_some_and(|from| !from.is_finite() || from > now + LEEWAY)
        {
            return Err(AuthError::invalid("The token does not hold yet."));
        }
        Ok(())
    }

    /// The time of issue. Without `iat`, the earliest time that `exp` permits, so that the token
    /// cannot outlive a revocation.
    #[must_use]
    pub fn issued_at(&self) -> Timestamp {
        Timestamp::from_millis(millis(self.iat.unwrap_or(self.exp - LONGEST_LIFE)))
    }

    /// Checks the issuer against the key's record.
    ///
    /// # Errors
    /// The token names an issuer that does not belong to its key.
    pub fn check_issuer(&self, key: &EmbedKey, audience: &str) -> Result<(), AuthError> {
        if key
            .issuer
            .as_ref()
            .is_some_and(|issuer| *issuer != self.iss)
        {
            return Err(AuthError::invalid("The key may not sign for this issuer."));
        }
        if !key.own && self.iss.trim_end_matches('/') == audience {
            return Err(AuthError::invalid(
                "The token names this server as its issuer, which has not signed it.",
            ));
        }
        Ok(())
    }

    /// Converts the claims to a principal, restricted to the key's ceiling.
    #[must_use]
    pub fn into_principal(self, kid: &str, key: &EmbedKey) -> Principal {
        let signed_by = if key.own {
            self.api_key.clone()
        } else {
            Some(kid.to_owned())
        };
        let credential = Credential::EmbedToken {
            kid: kid.to_owned(),
            jti: self.jti.clone(),
            issued_at: self.issued_at(),
        };
        let person = Actor {
            key: signed_by,
            ..Actor::person(&self.sub, &self.name)
                .vouched_for_by(ActorSource::EmbedToken, Some(&self.iss))
        };
        // The length distinguishes ("ab", "c") from ("a", "bc").
        let scope = format!("embed:{}:{}:{}", self.iss.len(), self.iss, self.sub);
        let principal = Principal {
            credential,
            idempotency_scope: scope,
            actor: person,
            tenant: self.tenant,
            permissions: self.perm.into_iter().collect::<Permissions>(),
            contexts: ContextScope::of(self.contexts),
            // An invalid language tag is ignored: it is no reason to reject the person.
            languages: self
                .lang
                .into_iter()
                .filter(|tag| is_language_tag(tag))
                .collect(),
            sources: Vec::new(),
            journal: self.journal.unwrap_or(false),
            template: self.template,
            expires_at: Some(Timestamp::from_millis(millis(self.exp))),
        };
        key.ceiling.narrow(match self.act {
            Some(party) => party.takes_over(principal),
            None => principal,
        })
    }
}

/// Seconds since 1970, as claims represent times.
#[expect(
    clippy::cast_precision_loss,
    reason = "milliseconds of this millennium fit into 53 bits"
)]
pub fn seconds(time: Timestamp) -> f64 {
    time.as_millis() as f64 / 1000.0
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and check() has bounded it"
)]
fn millis(seconds: f64) -> i64 {
    (seconds * 1000.0) as i64
}
