//! The person's identity from the token: for the optimistic "checked by", and for the storage key of
//! unsent operations.
//!
//! No decision depends on it; the server reads the token itself, and its answer replaces what is
//! shown here.

use checklist_shared::item::{Actor, ActorSource};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::api::js;

/// The claims of a token about the person.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Claims {
    sub: String,
    name: String,
    iss: Option<String>,
    perm: Option<IgnoredAny>,
}

/// The issuer, subject and name of a token; empty when it cannot be read, which is no error.
#[must_use]
pub fn of_token(token: &str) -> Actor {
    let claims = token
        .split('.')
        .nth(1)
        .and_then(decode)
        .and_then(|text| js::read_text::<Claims>(&text).ok());
    let Some(claims) = claims else {
        return Actor::person("", "");
    };
    let name = if claims.name.is_empty() {
        &claims.sub
    } else {
        &claims.name
    };
    // Tokens of an identity provider allow nothing by themselves.
    let source = match claims.perm {
        Some(_) => ActorSource::EmbedToken,
        None => ActorSource::IdentityProvider,
    };
    Actor::person(&claims.sub, name).vouched_for_by(source, claims.iss.as_deref())
}

fn decode(part: &str) -> Option<String> {
    let plain: String = part
        .chars()
        .map(|c| {
            if c == '-' {
                '+'
            } else if c == '_' {
                '/'
            } else {
                c
            }
        })
        .collect();
    // The browser gives one character for each byte.
    let bytes: Vec<u8> = web_sys::window()?
        .atob(&plain)
        .ok()?
        .chars()
        .map(|c| c as u8)
        .collect();
    String::from_utf8(bytes).ok()
}
