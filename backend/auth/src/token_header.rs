//! The header of a signed token (RFC 7515), parsed before any verification or lookup.
//!
//! A critical extension (`crit`) that is unknown is an error; references to keys (`jku`, `jwk`,
//! `x5u`) are ignored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use checklist_shared::limits::Limits;
use serde_json::{Map, Value};

use super::error::AuthError;

/// The maximum length of a token, in bytes. HTTP servers limit headers far below it.
pub const LONGEST_TOKEN: usize = 64 * 1024;

/// The members of a header that matter here.
#[derive(Debug)]
pub struct TokenHeader {
    /// The key id.
    pub kid: Option<String>,
    /// The media type (`typ`), in lower case and without `application/`.
    pub kind: Option<String>,
}

impl TokenHeader {
    /// Parses the header of a token.
    ///
    /// # Errors
    /// It is not a signed JSON Web Token, or requires an unknown extension.
    pub fn of(token: &str) -> Result<Self, AuthError> {
        if token.len() > LONGEST_TOKEN {
            return Err(AuthError::invalid("The token is too long."));
        }
        let read = || -> Option<Map<String, Value>> {
            let (head, _) = token.split_once('.')?;
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(head).ok()?).ok()
        };
        let header =
            read().ok_or_else(|| AuthError::invalid("This is not a signed JSON web token."))?;
        if header.contains_key("crit") {
            return Err(AuthError::invalid(
                "The token's header asks for extensions (crit); none are known here.",
            ));
        }
        let text = |name: &str| -> Result<Option<String>, AuthError> {
            match header.get(name) {
                None => Ok(None),
                Some(Value::String(text)) if text.chars().count() <= Limits::IDENTIFIER => {
                    Ok(Some(text.clone()))
                }
                Some(_) => Err(AuthError::invalid(format!(
                    "The token's header has to have a text of at most 200 characters as {name}."
                ))),
            }
        };
        let kind = text("typ")?.map(|kind| {
            let kind = kind.to_ascii_lowercase();
            match kind.strip_prefix("application/") {
                Some(rest) => rest.to_owned(),
                None => kind,
            }
        });
        Ok(Self {
            kid: text("kid")?,
            kind,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(json: &str) -> Result<TokenHeader, AuthError> {
        TokenHeader::of(&format!("{}.e30.AA", URL_SAFE_NO_PAD.encode(json)))
    }

    #[test]
    fn an_extension_that_is_asked_for_is_refused_whatever_it_is() {
        for crit in [r#"["exp"]"#, r#"["unheard"]"#, "[]", "null"] {
            let text = format!(r#"{{"alg":"EdDSA","kid":"a","crit":{crit}}}"#);
            let denied = header(&text).expect_err("a refusal");
            assert!(denied.detail.contains("crit"), "{crit}");
        }
    }

    #[test]
    fn a_name_of_any_length_is_not_taken() {
        let long = "k".repeat(201);
        assert!(header(&format!(r#"{{"kid":"{long}"}}"#)).is_err());
        assert!(header(r#"{"kid":1}"#).is_err());
        assert!(TokenHeader::of(&"a".repeat(LONGEST_TOKEN + 1)).is_err());
        let read = header(r#"{"kid":"a","typ":"application/AT+JWT"}"#).expect("a header");
        assert_eq!(read.kid.as_deref(), Some("a"));
        assert_eq!(read.kind.as_deref(), Some("at+jwt"));
    }
}
