//! Extracts query parameters. Unknown or invalid ones are errors, like fields of a body.
//!
//! Pointers treat the query as an object: `/Version`. Which parameters there are comes from the same
//! declaration as the API document.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use serde::de::DeserializeOwned;
use url::form_urlencoded;
use utoipa::IntoParams;
use utoipa::openapi::Required;

use super::schema::{MOST_ERRORS, pointer_token, sentence};
use crate::http::problem::ProblemResponse;

/// The parameters.
pub struct Parameters<T>(pub T);

impl<T: DeserializeOwned + IntoParams, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ProblemResponse;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ProblemResponse> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs = form_urlencoded::parse(query.as_bytes());
        serde_path_to_error::deserialize(serde_urlencoded::Deserializer::new(pairs))
            .map(Self)
            .map_err(|error| {
                let mut errors = errors_in_names::<T>(query);
                if errors.is_empty() {
                    let name = error.path().to_string();
                    errors.push(error_of(&name, FieldErrorCode::Invalid, error.inner()));
                }
                ProblemResponse::fields(
                    ProblemCode::InvalidRequest,
                    "A query parameter is not as it should be.",
                    errors,
                )
            })
    }
}

/// The parameters that there are not, that are there twice, and that are missing.
fn errors_in_names<T: IntoParams>(query: &str) -> Vec<FieldError> {
    let known = T::into_params(|| None);
    let names: Vec<_> = form_urlencoded::parse(query.as_bytes())
        .map(|(name, _)| name)
        .collect();
    let given = names.iter().enumerate().filter_map(|(index, name)| {
        if known.iter().all(|parameter| parameter.name != *name) {
            let message = "there is no such parameter";
            return Some(error_of(name, FieldErrorCode::UnknownField, &message));
        }
        let message = "this parameter may be there once";
        (names[..index].contains(name)).then(|| error_of(name, FieldErrorCode::Duplicate, &message))
    });
    let missing = known.iter().filter(|parameter| {
        parameter.required == Required::True && names.iter().all(|name| *name != parameter.name)
    });
    let missing = missing.map(|parameter| {
        let message = "this parameter has to be there";
        error_of(&parameter.name, FieldErrorCode::Required, &message)
    });
    given.chain(missing).take(MOST_ERRORS).collect()
}

fn error_of(name: &str, code: FieldErrorCode, message: &dyn std::fmt::Display) -> FieldError {
    let pointer = format!("/{}", pointer_token(name));
    FieldError::new(pointer, code, sentence(&format!("in the query: {message}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;
    use serde::Deserialize;

    #[derive(Debug, Deserialize, IntoParams)]
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
