//! What the provider has signed: access tokens of callers, and the ID token of a sign-in.
//!
//! The key's record says the algorithm, times are compared with the server's own clock. Called by
//! `oidc` and `code_flow`.

use checklist_shared::time::Timestamp;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Validation, decode, decode_header};
use serde::Deserialize;

use super::provider::Provider;
use crate::auth::Denied;
use crate::auth::claims::{Audience, LEEWAY, seconds};
use crate::auth::embed::expired;

/// Access tokens live an hour or so; one of more than a day is a mistake.
const LONGEST_LIFE: f64 = 24.0 * 60.0 * 60.0;

/// The claims that matter here.
#[derive(Deserialize)]
pub(super) struct IdentityClaims {
    iss: String,
    pub(super) sub: String,
    aud: Audience,
    exp: f64,
    iat: f64,
    nbf: Option<f64>,
    nonce: Option<String>,
    azp: Option<String>,
}

impl IdentityClaims {
    pub(super) fn issued_at(&self) -> Timestamp {
        time(self.iat)
    }

    pub(super) fn expires_at(&self) -> Timestamp {
        time(self.exp)
    }
}

/// The claims of an access token for `audience`.
pub(super) async fn access(
    token: &str,
    provider: &Provider,
    audience: &str,
    now: Timestamp,
) -> Result<IdentityClaims, Denied> {
    let claims = verified(token, provider, audience, now).await?;
    if claims.nonce.is_some() {
        return Err(Denied::invalid(
            "This is an ID token; send an access token.",
        ));
    }
    Ok(claims)
}

/// The claims of the ID token of a sign-in that was begun with `nonce`.
pub(super) async fn identity(
    token: &str,
    provider: &Provider,
    client: &str,
    nonce: &str,
    now: Timestamp,
) -> Result<IdentityClaims, Denied> {
    let claims = verified(token, provider, client, now).await?;
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(Denied::invalid("The ID token is of another sign-in."));
    }
    if claims.azp.as_deref().is_some_and(|azp| azp != client) {
        return Err(Denied::invalid("The ID token is for another client."));
    }
    Ok(claims)
}

async fn verified(
    token: &str,
    provider: &Provider,
    audience: &str,
    now: Timestamp,
) -> Result<IdentityClaims, Denied> {
    let header =
        decode_header(token).map_err(|_| Denied::invalid("This is no signed JSON web token."))?;
    let key = provider.key(header.kid.as_deref()).await?;
    let mut rules = Validation::new(key.algorithm);
    rules.required_spec_claims.clear();
    rules.validate_exp = false;
    rules.validate_aud = false;
    let claims = decode::<IdentityClaims>(token, &key.key, &rules)
        .map_err(|error| explain(error.kind()))?
        .claims;
    if claims.iss != provider.issuer() {
        return Err(Denied::invalid("Another issuer has signed the token."));
    }
    if !claims.aud.is_for(audience) {
        return Err(Denied::invalid(format!(
            "The token is for another service; aud has to be {audience}."
        )));
    }
    let now = seconds(now);
    if claims.exp + LEEWAY <= now {
        return Err(expired());
    }
    let times = [Some(claims.iat), claims.nbf];
    if times.into_iter().flatten().any(|from| from > now + LEEWAY) {
        return Err(Denied::invalid("The token does not hold yet."));
    }
    if !claims.exp.is_finite() || claims.exp - claims.iat > LONGEST_LIFE {
        return Err(Denied::invalid("The token lives longer than a day."));
    }
    let length = claims.sub.chars().count();
    if length == 0 || length > 200 || claims.sub.chars().any(char::is_control) {
        return Err(Denied::invalid("The token names nobody (sub)."));
    }
    Ok(claims)
}

fn explain(error: &ErrorKind) -> Denied {
    Denied::invalid(match error {
        ErrorKind::InvalidAlgorithm => "The token is signed with another algorithm than its key.",
        ErrorKind::InvalidSignature => "The token's signature is not valid.",
        ErrorKind::Json(_) => "The token's claims are not as they should be.",
        _ => "This is no valid JSON web token.",
    })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and a time out of range is pulled into it"
)]
fn time(seconds: f64) -> Timestamp {
    Timestamp::from_millis((seconds * 1000.0) as i64)
}
