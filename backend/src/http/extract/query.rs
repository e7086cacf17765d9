//! Extracts query parameters. Unknown or invalid ones are errors, like fields of a body.
//!
//! Pointers treat the query as an object: `/Version`.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use serde::de::DeserializeOwned;

use crate::http::problem::ProblemResponse;

/// The parameters.
pub struct Parameters<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ProblemResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ProblemResponse> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(refuse(&rejection.body_text())),
        }
    }
}

/// Shortens axum's message. It ends with parameter and parser error: "…: Version: invalid digit …".
fn refuse(text: &str) -> ProblemResponse {
    let words = text
        .strip_prefix("Failed to deserialize query string: ")
        .unwrap_or(text);
    let (named, words) = match words.split_once(": ") {
        Some((name, words)) if !name.contains([' ', '`']) => (Some(name), words),
        _ => (None, words),
    };
    let code = if words.starts_with("unknown field") {
        FieldErrorCode::UnknownField
    } else if words.starts_with("missing field") {
        FieldErrorCode::Required
    } else if words.starts_with("duplicate field") {
        FieldErrorCode::Duplicate
    } else {
        FieldErrorCode::Invalid
    };
    let quoted = words
        .split('`')
        .nth(1)
        .filter(|_| code != FieldErrorCode::Invalid);
    let pointer = quoted
        .or(named)
        .map_or_else(String::new, |name| format!("/{name}"));
    let detail: String = format!("In the query: {words}.")
        .chars()
        .take(200)
        .collect();
    let errors = vec![FieldError::new(pointer, code, detail)];
    ProblemResponse::fields(
        ProblemCode::InvalidRequest,
        "A query parameter is not as it should be.",
        errors,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "PascalCase", deny_unknown_fields)]
    struct Wanted {
        version: Option<u32>,
    }

    async fn ask(query: &str) -> Result<Option<u32>, (String, FieldErrorCode)> {
        let (mut parts, ()) = Request::get(format!("/?{query}"))
            .body(())
            .expect("a request")
            .into_parts();
        match Parameters::<Wanted>::from_request_parts(&mut parts, &()).await {
            Ok(Parameters(wanted)) => Ok(wanted.version),
            Err(error) => Err((
                error.0.problem.errors[0].pointer.clone(),
                error.0.problem.errors[0].code,
            )),
        }
    }

    #[tokio::test]
    async fn parameters_are_held_to_their_names_and_types() {
        assert_eq!(ask("").await, Ok(None));
        assert_eq!(ask("Version=3").await, Ok(Some(3)));
        assert_eq!(
            ask("Version=three").await,
            Err(("/Version".into(), FieldErrorCode::Invalid))
        );
        assert_eq!(
            ask("Version=-1").await,
            Err(("/Version".into(), FieldErrorCode::Invalid))
        );
        assert_eq!(
            ask("version=3").await,
            Err(("/version".into(), FieldErrorCode::UnknownField))
        );
        assert_eq!(
            ask("Version=1&Version=2").await,
            Err(("/Version".into(), FieldErrorCode::Duplicate))
        );
    }
}
