//! Who the person is, as far as the token says: for the optimistic "checked by" and for the
//! place where unsent operations are kept.
//!
//! Nothing is decided by it; the server reads the token itself and its answer replaces what
//! was guessed here. Called by `load`.

use checklist_shared::item::{Actor, ActorSource};
use js_sys::JSON;

use crate::api::fields::Fields;

/// The issuer, subject and name of a token; empty when it cannot be read, which is no error.
#[must_use]
pub fn of_token(token: &str) -> Actor {
    let claims = token
        .split('.')
        .nth(1)
        .and_then(decode)
        .and_then(|text| JSON::parse(&text).ok());
    let Some(claims) = claims else {
        return Actor::person("", "");
    };
    let fields = Fields::of(&claims);
    let id = fields.said("sub");
    let name = fields
        .text("name")
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| id.clone());
    // Tokens of an identity provider allow nothing by themselves.
    let source = if fields.get("perm").is_undefined() {
        ActorSource::IdentityProvider
    } else {
        ActorSource::EmbedToken
    };
    let issuer = fields.text("iss");
    Actor::person(&id, &name).vouched_for_by(source, issuer.as_deref())
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
