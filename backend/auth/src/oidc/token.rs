//! Verifies what the provider signs: access tokens of callers, and the ID token of a sign-in.
//!
//! The key determines the algorithm; times are compared with the server's own clock.

use checklist_shared::time::Timestamp;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::provider::Provider;
use super::roles::{Claims, lookup};
use crate::acting_party::ActingParty;
use crate::claims::{Audience, LEEWAY, seconds};
use crate::embed::expired_token;
use crate::error::AuthError;
use crate::token_header::TokenHeader;

/// The maximum lifetime of an access token, in seconds. Providers usually issue them for an hour.
const LONGEST_LIFE: f64 = 24.0 * 60.0 * 60.0;

/// The claims that matter here.
#[derive(Deserialize)]
pub(super) struct IdentityClaims {
    /// All claims, for those whose names the operator chooses.
    #[serde(skip)]
    all: Claims,
    /// The id of the person: `sub`, or the claim that the operator has chosen.
    #[serde(skip)]
    subject: String,
    iss: String,
    aud: Audience,
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    nonce: Option<String>,
    azp: Option<String>,
    /// The scopes of an access token, separated by spaces (RFC 9068).
    scope: Option<String>,
    /// The scopes as some providers write them.
    scp: Option<Scopes>,
    /// The client that requested an access token.
    client_id: Option<String>,
    /// Who acts for the person, in an access token.
    act: Option<ActingParty>,
    /// The kind of token, as some providers write it.
    typ: Option<String>,
    token_use: Option<String>,
    /// Hashes that only ID tokens contain.
    at_hash: Option<IgnoredAny>,
    c_hash: Option<IgnoredAny>,
    s_hash: Option<IgnoredAny>,
    /// Contained in security event and logout tokens.
    events: Option<IgnoredAny>,
}

/// Scopes as one text or as an array.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scopes {
    Text(String),
    Listed(Vec<String>),
}

impl IdentityClaims {
    pub(super) fn subject(&self) -> &str {
        &self.subject
    }

    pub(super) const fn all(&self) -> &Claims {
        &self.all
    }

    pub(super) fn has(&self, claim: &str) -> bool {
        lookup(&self.all, claim).is_some()
    }

    /// The name for people, or else the id.
    pub(super) fn name(&self) -> String {
        let mut names = ["name", "preferred_username"].iter().filter_map(|claim| {
            let name = self.all.get(*claim)?.as_str()?.trim();
            is_name(name).then(|| name.to_owned())
        });
        names.next().unwrap_or_else(|| self.subject.clone())
    }

    pub(super) fn acting_party(&self) -> Option<ActingParty> {
        self.act.clone()
    }

    pub(super) fn issued_at(&self) -> Timestamp {
        time(self.iat)
    }

    pub(super) fn expires_at(&self) -> Timestamp {
        time(self.exp)
    }

    /// Fails unless this is an access token. RFC 9068 marks it in the header. Providers that do not
    /// follow it write `JWT` or nothing; then the claims must contain one that only access tokens
    /// have, and none that only other tokens have.
    fn check_is_access_token(&self, kind: Option<&str>) -> Result<(), AuthError> {
        let refuse = |what: &str| {
            Err(AuthError::invalid(format!(
                "This is {what}; send an access token."
            )))
        };
        let said = [self.typ.as_deref(), self.token_use.as_deref()];
        let says = |word: &str| {
            let mut said = said.iter().flatten();
            said.any(|one| one.eq_ignore_ascii_case(word))
        };
        let of_sign_in = [&self.at_hash, &self.c_hash, &self.s_hash];
        if self.nonce.is_some() || of_sign_in.iter().any(|hash| hash.is_some()) || says("ID") {
            return refuse("an ID token");
        }
        if self.events.is_some() || says("Refresh") || says("Logout") || says("Offline") {
            return refuse("no token for calling services");
        }
        match kind {
            Some("at+jwt") => Ok(()),
            None | Some("jwt") => {
                let carries =
                    self.scope.is_some() || self.scp.is_some() || self.client_id.is_some();
                if carries || says("Bearer") || says("access") {
                    Ok(())
                } else {
                    refuse("not said to be an access token (typ, scope or client_id)")
                }
            }
            Some(_) => refuse("a token of another kind (typ)"),
        }
    }

    fn names_scope(&self, wanted: &str) -> bool {
        let in_text = |text: &str| text.split(' ').any(|scope| scope == wanted);
        self.scope.as_deref().is_some_and(in_text)
            || match &self.scp {
                None => false,
                Some(Scopes::Text(text)) => in_text(text),
                Some(Scopes::Listed(listed)) => listed.iter().any(|scope| scope == wanted),
            }
    }
}

/// Verifies an access token for `audience`, with `scope` if one is required. Returns its claims.
pub(super) async fn access(
    token: &str,
    provider: &Provider,
    audience: &str,
    scope: Option<&str>,
    subject: &str,
    now: Timestamp,
) -> Result<IdentityClaims, AuthError> {
    let (kind, claims) = verify(token, provider, audience, subject, now).await?;
    claims.check_is_access_token(kind.as_deref())?;
    if let Some(party) = &claims.act {
        party.check()?;
    }
    if let Some(scope) = scope
        && !claims.names_scope(scope)
    {
        return Err(AuthError::invalid(format!(
            "The access token does not name the scope {scope}."
        )));
    }
    Ok(claims)
}

/// Verifies the ID token of a sign-in that was begun with `nonce`. Returns its claims.
pub(super) async fn identity(
    token: &str,
    provider: &Provider,
    client: &str,
    nonce: &str,
    subject: &str,
    now: Timestamp,
) -> Result<IdentityClaims, AuthError> {
    let (_, claims) = verify(token, provider, client, subject, now).await?;
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(AuthError::invalid("The ID token is of another sign-in."));
    }
    if claims.azp.as_deref().is_some_and(|azp| azp != client) {
        return Err(AuthError::invalid("The ID token is for another client."));
    }
    Ok(claims)
}

async fn verify(
    token: &str,
    provider: &Provider,
    audience: &str,
    subject: &str,
    now: Timestamp,
) -> Result<(Option<String>, IdentityClaims), AuthError> {
    let header = TokenHeader::of(token)?;
    let key = provider.key(header.kid.as_deref()).await?;
    let mut rules = Validation::new(key.algorithm);
    rules.required_spec_claims.clear();
    rules.validate_exp = false;
    rules.validate_aud = false;
    let all = decode::<Claims>(token, &key.key, &rules)
        .map_err(|error| explain(error.kind()))?
        .claims;
    let mut claims: IdentityClaims = serde_json::from_value(Value::Object(all.clone()))
        .map_err(|_| AuthError::invalid(WRONG_CLAIMS))?;
    claims.all = all;
    if claims.iss != provider.issuer() {
        return Err(AuthError::invalid("Another issuer has signed the token."));
    }
    if !claims.aud.is_for(audience) {
        return Err(AuthError::invalid(format!(
            "The token is for another service; aud has to be {audience}."
        )));
    }
    let now = seconds(now);
    if claims.exp + LEEWAY <= now {
        return Err(expired_token());
    }
    let times = [Some(claims.iat), claims.nbf];
    if times.into_iter().flatten().any(|from| from > now + LEEWAY) {
        return Err(AuthError::invalid("The token does not hold yet."));
    }
    if !claims.exp.is_finite() || claims.exp - claims.iat > LONGEST_LIFE {
        return Err(AuthError::invalid("The token lives longer than a day."));
    }
    let named = lookup(&claims.all, subject).and_then(Value::as_str);
    let Some(named) = named.filter(|named| is_name(named)) else {
        return Err(AuthError::invalid(format!(
            "The token names nobody ({subject})."
        )));
    };
    claims.subject = named.to_owned();
    Ok((header.kind, claims))
}

/// What is wrong with claims of another form.
const WRONG_CLAIMS: &str = "The token's claims are not as they should be.";

/// Whether a text can be stored as an id or a name.
fn is_name(text: &str) -> bool {
    let length = text.chars().count();
    (1..=200).contains(&length) && !text.chars().any(char::is_control)
}

fn explain(error: &ErrorKind) -> AuthError {
    AuthError::invalid(match error {
        ErrorKind::InvalidAlgorithm => "The token is signed with another algorithm than its key.",
        ErrorKind::InvalidSignature => "The token's signature is not valid.",
        ErrorKind::Json(_) => WRONG_CLAIMS,
        _ => "This is not a valid JSON web token.",
    })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and a time out of range is pulled into it"
)]
fn time(seconds: f64) -> Timestamp {
    Timestamp::from_millis((seconds * 1000.0) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Whether a token with this `typ` and these additional claims counts as an access token.
    fn is_access_token(kind: Option<&str>, more: Value) -> bool {
        let mut claims = json!({ "iss": "https://id.example", "sub": "anna", "aud": "checks",
            "exp": 2, "iat": 1 });
        for (name, value) in more.as_object().into_iter().flatten() {
            claims[name] = value.clone();
        }
        let claims: IdentityClaims = serde_json::from_value(claims).expect("claims");
        claims.check_is_access_token(kind).is_ok()
    }

    #[test]
    fn an_access_token_says_so_in_its_header_or_by_its_claims() {
        assert!(is_access_token(Some("at+jwt"), json!({})));
        for plain in [None, Some("jwt")] {
            assert!(!is_access_token(plain, json!({})), "{plain:?}");
            for claim in [
                json!({ "scope": "checklists" }),
                json!({ "scp": ["checklists"] }),
                json!({ "client_id": "portal" }),
                json!({ "typ": "Bearer" }),
                json!({ "token_use": "access" }),
            ] {
                assert!(is_access_token(plain, claim.clone()), "{plain:?} {claim}");
            }
        }
    }

    #[test]
    fn what_is_made_for_another_purpose_is_no_access_token() {
        for kind in ["id+jwt", "logout+jwt", "dpop+jwt", "secevent+jwt", ""] {
            assert!(
                !is_access_token(Some(kind), json!({ "scope": "a" })),
                "{kind}"
            );
        }
        for claim in [
            json!({ "nonce": "n" }),
            json!({ "at_hash": "h" }),
            json!({ "c_hash": "h" }),
            json!({ "typ": "ID" }),
            json!({ "typ": "Refresh" }),
            json!({ "token_use": "id" }),
            json!({ "events": {} }),
        ] {
            let mut scoped = claim.clone();
            scoped["scope"] = json!("openid");
            for kind in [None, Some("jwt"), Some("at+jwt")] {
                assert!(!is_access_token(kind, scoped.clone()), "{kind:?} {claim}");
            }
        }
    }

    #[test]
    fn a_scope_is_one_word_of_the_text_or_one_of_the_list() {
        let names = |more: Value| {
            let mut claims = json!({ "iss": "i", "sub": "s", "aud": "a", "exp": 2, "iat": 1 });
            for (name, value) in more.as_object().into_iter().flatten() {
                claims[name] = value.clone();
            }
            let claims: IdentityClaims = serde_json::from_value(claims).expect("claims");
            claims.names_scope("checklists")
        };
        assert!(names(json!({ "scope": "openid checklists" })));
        assert!(names(json!({ "scp": "checklists" })));
        assert!(names(json!({ "scp": ["checklists"] })));
        assert!(!names(json!({ "scope": "checklists.read" })));
        assert!(!names(json!({})));
    }
}
