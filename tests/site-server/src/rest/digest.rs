//! Form digests: who changes something without a bearer token has to show one.
//!
//! Handed out by `contextinfo`, checked before every change; they end after half an hour.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::call::Call;
use super::error::{Rest, RestError};
use super::node::{Node, Target};
use crate::clock;
use crate::odata::flavour::Flavour;
use crate::request::Answer;

/// A digest that was handed out.
#[derive(Clone, Debug)]
pub struct Digest {
    value: String,
    user: u32,
    ends: Timestamp,
}

/// Answers `contextinfo`.
#[must_use]
pub fn context_info(call: &Call<'_>) -> Answer {
    let now = clock::now();
    let seconds = call.core.options.digest_seconds;
    let value = format!(
        "0x{},{}",
        clock::random_hex(64),
        now.strftime("%d %b %Y %H:%M:%S -0000")
    );
    let mut digests = call.core.digests();
    digests.retain(|digest| digest.ends > now);
    digests.push(Digest {
        value: value.clone(),
        user: call.user,
        ends: now + SignedDuration::from_secs(seconds),
    });
    let versions = json!(["14.0.0.0", "15.0.0.0"]);
    let mut info = json!({"FormDigestTimeoutSeconds": seconds, "FormDigestValue": value,
        "LibraryVersion": crate::handler::VERSION, "SiteFullUrl": call.web,
        "SupportedSchemaVersions": versions, "WebFullUrl": call.web});
    let body = match call.flavour {
        Flavour::Verbose => {
            info["SupportedSchemaVersions"] =
                json!({"__metadata": {"type": "Collection(Edm.String)"}, "results": versions});
            let mut named = json!({"__metadata": {"type": "SP.ContextWebInformation"}});
            if let (Value::Object(named), Value::Object(info)) = (&mut named, info) {
                named.extend(info);
            }
            json!({"d": {"GetContextWebInformation": named}})
        }
        Flavour::Minimal => {
            let metadata = format!("{}/_api/$metadata#SP.ContextWebInformation", call.web);
            let mut named = json!({"odata.metadata": metadata});
            if let (Value::Object(named), Value::Object(info)) = (&mut named, info) {
                named.extend(info);
            }
            named
        }
        Flavour::None => info,
    };
    Answer::json(200, call.flavour.media_type(), &body)
}

/// Refuses a change whose caller shows no digest, unless a token does as well.
///
/// # Errors
/// The digest is missing, has ended, or is somebody else's.
pub fn check(call: &Call<'_>, target: &Target) -> Rest<()> {
    let free = ["contextinfo", "getitems", "getchanges"];
    match target {
        Target::Function(Node::Root, function) if function.is("contextinfo") => return Ok(()),
        Target::Function(_, function)
            if call.incoming.in_batch && free.iter().any(|name| function.is(name)) =>
        {
            return Ok(());
        }
        _ => {}
    }
    if has_digest(call) {
        Ok(())
    } else {
        Err(RestError::digest())
    }
}

/// Whether the caller may change something: by token, by digest, or as a part of a batch that
/// showed one.
#[must_use]
pub fn has_digest(call: &Call<'_>) -> bool {
    let incoming = call.incoming;
    let bearer = incoming.header("authorization");
    if bearer.is_some_and(|it| it.len() > 7 && it[..7].eq_ignore_ascii_case("bearer ")) {
        return true;
    }
    if incoming.in_batch && incoming.digest_shown {
        return true;
    }
    let now = clock::now();
    let shown = incoming.header("x-requestdigest").unwrap_or_default();
    let digests = call.core.digests();
    let mut valid = digests.iter();
    valid.any(|digest| digest.value == shown && digest.user == call.user && digest.ends > now)
}
