//! Who a request acts as: by its bearer token, by its session, by what a trusted proxy says, or
//! nobody.
//!
//! With an issuer to check against, a token that was not issued there is refused, whatever it says.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};
use serde_json::{Value, json};

use crate::core::{Core, Identity};
use crate::graph;
use crate::odata::flavour::Flavour;
use crate::request::{Answer, Incoming};
use crate::rest::error::RestError;
use crate::store::person;

/// Keys of the issuer, by their ids.
#[derive(Debug, Default)]
pub struct Keys(Mutex<HashMap<String, DecodingKey>>);

/// Claims that name a person, the best first.
const NAMES: [&str; 6] = [
    "upn",
    "preferred_username",
    "unique_name",
    "email",
    "sub",
    "appid",
];

/// Finds out who asks.
///
/// # Errors
/// The answer to whoever is not let in.
pub async fn of(core: &Core, keys: &Keys, incoming: &Incoming) -> Result<Identity, Answer> {
    let authorization = incoming.header("authorization").unwrap_or_default();
    if let Some((scheme, token)) = authorization.split_once(' ')
        && scheme.eq_ignore_ascii_case("bearer")
    {
        return of_token(core, keys, incoming, token.trim()).await;
    }
    if let Some(name) = core.sessions.named_in(incoming) {
        return name
            .map(Identity::Named)
            .ok_or_else(|| session_ended(incoming));
    }
    if let Some(header) = &core.options.remote_user_header
        && incoming.peer.is_loopback()
        && let Some(name) = incoming.header(header)
        && !matches!(name, "" | "(null)")
    {
        return Ok(Identity::Named(name.to_owned()));
    }
    let page = incoming.path == "/" || incoming.path.starts_with("/faults");
    let public = page || crate::sign_in::is_dialogue(&incoming.path);
    if core.options.sign_in_required && !public {
        return Err(not_signed_in(incoming, "The request has no credentials."));
    }
    Ok(Identity::Anonymous)
}

async fn of_token(
    core: &Core,
    keys: &Keys,
    incoming: &Incoming,
    token: &str,
) -> Result<Identity, Answer> {
    let claims: Option<Value> = match &core.options.check_tokens {
        None => jsonwebtoken::dangerous::insecure_decode_claims(token).ok(),
        Some(issuer) => match verified(keys, issuer, core.options.audience.as_deref(), token).await
        {
            Ok(claims) => Some(claims),
            Err(reason) => return Err(not_signed_in(incoming, &reason)),
        },
    };
    let named = claims.as_ref().and_then(|claims| {
        let mut names = NAMES.iter().filter_map(|name| claims.get(name)?.as_str());
        names.next().map(str::to_owned)
    });
    // A token that is not ours to read acts as whoever it spells, or as the first person.
    let named = named.or_else(|| {
        let site = core.site();
        let people = || site.people.iter().filter(|person| !person.is_group());
        let spelt = people().find(|person| person.short_name() == token);
        let first = || people().find(|person| person.id == person::ALICE);
        let found = spelt.or_else(first);
        found.map(|person| person.principal_name().to_owned())
    });
    Ok(named.map_or(Identity::Anonymous, Identity::Named))
}

/// The claims of a token that the issuer signed.
async fn verified(
    keys: &Keys,
    issuer: &str,
    audience: Option<&str>,
    token: &str,
) -> Result<Value, String> {
    let header =
        decode_header(token).map_err(|error| format!("The token is not valid: {error}."))?;
    let id = header.kid.clone().unwrap_or_default();
    let known = |keys: &Keys| {
        let keys = keys.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.get(&id).cloned()
    };
    let key = match known(keys) {
        Some(key) => key,
        None => {
            let fetched = fetch(issuer).await?;
            let mut all = keys.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.extend(fetched);
            let key = all.get(&id).cloned();
            key.ok_or("The token was signed with a key that the issuer does not have.")?
        }
    };
    let mut validation = Validation::new(header.alg);
    // Its clock is the issuer's, both being on this machine: what has ended has ended.
    validation.leeway = 0;
    validation.set_issuer(&[issuer]);
    match audience {
        Some(audience) => validation.set_audience(&[audience]),
        None => validation.validate_aud = false,
    }
    let token = decode::<Value>(token, &key, &validation);
    token
        .map(|token| token.claims)
        .map_err(|error| format!("The token is not valid: {error}."))
}

async fn fetch(issuer: &str) -> Result<HashMap<String, DecodingKey>, String> {
    let told = |error: reqwest::Error| format!("The issuer's keys cannot be had: {error}.");
    let address = format!(
        "{}/.well-known/openid-configuration",
        issuer.trim_end_matches('/')
    );
    let text = reqwest::get(&address).await.map_err(told)?;
    let text = text.text().await.map_err(told)?;
    let document: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let address = document["jwks_uri"]
        .as_str()
        .ok_or("The issuer's document names no keys.")?;
    let text = reqwest::get(address).await.map_err(told)?;
    let text = text.text().await.map_err(told)?;
    let set: JwkSet = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let keys = set.keys.iter().filter_map(|jwk| {
        let id = jwk.common.key_id.clone().unwrap_or_default();
        Some((id, DecodingKey::from_jwk(jwk).ok()?))
    });
    Ok(keys.collect())
}

/// The answer to whoever brings nothing that lets them in.
fn not_signed_in(incoming: &Incoming, reason: &str) -> Answer {
    let answer = if graph::split(&incoming.path).is_some() {
        graph::error::GraphError::new(401, "InvalidAuthenticationToken", reason).answer()
    } else if incoming.header("x-forms_based_auth_accepted").is_none()
        && incoming
            .header("accept")
            .is_some_and(|it| it.contains("text/html"))
    {
        // Whoever looks like a browser is sent to a page where a person can sign in.
        return Answer::empty(302).with("location", "/_forms/default.aspx");
    } else {
        let body = json!({"error": "invalid_request", "error_description": reason});
        Answer::json(401, "application/json; charset=utf-8", &body)
    };
    answer.with("www-authenticate", "Bearer realm=\"site\"")
}

/// The answer to a session that has ended.
fn session_ended(incoming: &Incoming) -> Answer {
    let flavour = Flavour::accepted(incoming.header("accept")).unwrap_or(Flavour::Minimal);
    RestError::access_denied().answer(flavour)
}
