//! Extracts the precondition of a write: `If-Match` with a tag, or `If-None-Match: *` to create.
//!
//! Weak tags are accepted, because compressing proxies weaken them, and a tag here identifies the
//! content rather than the bytes.

use axum::extract::FromRequestParts;
use axum::http::header::{self, HeaderMap, HeaderName};
use axum::http::request::Parts;
use checklist_services::template::ExpectedState;
use checklist_shared::problem::ProblemCode;

use crate::http::problem::ProblemResponse;

/// What is expected to be there.
pub struct Precondition(pub ExpectedState);

impl<S: Send + Sync> FromRequestParts<S> for Precondition {
    type Rejection = ProblemResponse;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ProblemResponse> {
        read(&parts.headers)
            .map(Self)
            .map_err(|detail| ProblemResponse::new(ProblemCode::InvalidRequest, detail))
    }
}

fn read(headers: &HeaderMap) -> Result<ExpectedState, &'static str> {
    let (matching, new) = (
        tags(headers, &header::IF_MATCH),
        tags(headers, &header::IF_NONE_MATCH),
    );
    match (matching.as_slice(), new.as_slice()) {
        ([], []) => Ok(ExpectedState::Anything),
        ([], ["*"]) => Ok(ExpectedState::Nothing),
        (["*"], []) => Ok(ExpectedState::Something),
        (matching, []) => Ok(ExpectedState::States(
            matching.iter().map(|tag| state(tag)).collect(),
        )),
        ([], _) => Err("If-None-Match takes a star alone here: write only what is new."),
        _ => Err("If-Match and If-None-Match exclude each other."),
    }
}

fn tags<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Vec<&'a str> {
    let values = headers.get_all(name).iter();
    values
        // What is no text is no tag of ours, but a condition all the same.
        .map(|value| value.to_str().unwrap_or("?"))
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .collect()
}

fn state(tag: &str) -> String {
    let strong = tag.strip_prefix("W/").unwrap_or(tag);
    strong.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn of(pairs: &[(HeaderName, &'static str)]) -> Result<ExpectedState, &'static str> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(name, HeaderValue::from_static(value));
        }
        read(&headers)
    }

    #[test]
    fn conditions_are_read_as_http_writes_them() {
        let states = |states: &[&str]| {
            Ok(ExpectedState::States(
                states.iter().map(|&state| state.to_owned()).collect(),
            ))
        };
        assert_eq!(of(&[]), Ok(ExpectedState::Anything));
        assert_eq!(
            of(&[(header::IF_NONE_MATCH, "*")]),
            Ok(ExpectedState::Nothing)
        );
        assert_eq!(of(&[(header::IF_MATCH, "*")]), Ok(ExpectedState::Something));
        assert_eq!(of(&[(header::IF_MATCH, "\"a\"")]), states(&["a"]));
        assert_eq!(
            of(&[
                (header::IF_MATCH, "\"a\", W/\"b\""),
                (header::IF_MATCH, "\"c\"")
            ]),
            states(&["a", "b", "c"])
        );
        // Never met, and so never a licence to overwrite.
        assert_eq!(of(&[(header::IF_MATCH, "")]), states(&[""]));
    }

    #[test]
    fn what_says_two_things_is_refused() {
        let both = [(header::IF_MATCH, "\"a\""), (header::IF_NONE_MATCH, "*")];
        assert!(of(&both).is_err());
        assert!(of(&[(header::IF_NONE_MATCH, "\"a\"")]).is_err());
    }
}
