//! Sends errors as RFC 9457 `application/problem+json`.
//!
//! Invariant: every error response is a problem. Handlers, extractors, layers and the fallbacks for
//! unknown paths and methods all use this module.

use axum::Json;
use axum::http::header::{self, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use checklist_shared::problem::{FieldError, Problem, ProblemCode};
use checklist_shared::wire::write::WriteResult;
use serde::Serialize;
use serde_json::Value;

use checklist_auth::AuthError;
use checklist_store::error::ServiceError;

/// The media type of RFC 9457.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A problem with the extension members of an atomic request that was not applied.
#[derive(Serialize)]
struct Body<'a> {
    #[serde(flatten)]
    problem: &'a Problem,
    #[serde(rename = "Revision", skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
    #[serde(rename = "Results", skip_serializing_if = "Option::is_none")]
    results: Option<&'a [WriteResult]>,
}

impl<'a> Body<'a> {
    fn of(error: &'a ServiceError) -> Self {
        let whole = error.not_applied.as_ref();
        Self {
            problem: &error.problem,
            revision: whole.map(|whole| whole.revision),
            results: whole.map(|whole| whole.results.as_slice()),
        }
    }
}

/// An error as a response: whatever a service or an extractor refuses with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemResponse(pub ServiceError);

impl ProblemResponse {
    /// A problem with a sentence about this occurrence.
    #[must_use]
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self(ServiceError::new(code, detail))
    }

    /// A problem about single fields of a request.
    #[must_use]
    pub fn fields(code: ProblemCode, detail: impl Into<String>, errors: Vec<FieldError>) -> Self {
        Self(ServiceError::fields(code, detail, errors))
    }

    /// The problem as JSON, for answers that are no HTTP response of their own.
    #[must_use]
    pub fn to_json(&self) -> Value {
        serde_json::to_value(Body::of(&self.0)).unwrap_or_default()
    }

    /// Sets the seconds for the header `Retry-After`.
    #[must_use]
    pub fn retry_after(self, seconds: u32) -> Self {
        Self(self.0.retry_after(seconds))
    }
}

impl From<ServiceError> for ProblemResponse {
    fn from(error: ServiceError) -> Self {
        Self(error)
    }
}

impl From<AuthError> for ProblemResponse {
    /// A credential that cannot be checked right now (`Busy`) gets `Retry-After`.
    fn from(denied: AuthError) -> Self {
        let problem = Self::new(denied.code, denied.detail);
        match denied.code {
            ProblemCode::Busy => problem.retry_after(2),
            _ => problem,
        }
    }
}

impl IntoResponse for ProblemResponse {
    fn into_response(self) -> Response {
        let Self(error) = self;
        let status =
            StatusCode::from_u16(error.problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(Body::of(&error))).into_response();
        // For whoever counts.
        response.extensions_mut().insert(error.problem.code);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = error.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        // RFC 7694: which codings are taken, so that nobody doubts the media type.
        if error.problem.code == ProblemCode::UnsupportedContentCoding {
            headers.insert(
                header::ACCEPT_ENCODING,
                HeaderValue::from_static("identity"),
            );
        }
        if let Some(challenge) = challenge(&error.problem) {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// The header `WWW-Authenticate` (RFC 6750): without an error code if there was no credential.
fn challenge(problem: &Problem) -> Option<HeaderValue> {
    let error = match problem.code {
        ProblemCode::Unauthenticated if problem.detail.as_deref() == Some(NO_CREDENTIAL) => {
            return Some(HeaderValue::from_static("Bearer realm=\"checklist\""));
        }
        ProblemCode::Unauthenticated => "invalid",
        ProblemCode::TokenExpired => "expired",
        _ => return None,
    };
    let text = format!(
        "Bearer realm=\"checklist\", error=\"invalid_token\", error_description=\"The token is {error}\""
    );
    HeaderValue::from_str(&text).ok()
}

/// The detail of a request without any credential.
pub const NO_CREDENTIAL: &str = "Send a token: Authorization: Bearer <token>.";

/// For addresses that nothing lives at.
pub async fn not_found(uri: Uri) -> ProblemResponse {
    ProblemResponse::new(
        ProblemCode::NotFound,
        format!("There is nothing at {}.", uri.path()),
    )
}

/// For addresses beside the path that the server answers below.
pub fn elsewhere(uri: &Uri, base_path: &str) -> ProblemResponse {
    ProblemResponse::new(
        ProblemCode::NotFound,
        format!(
            "There is nothing at {}: this server answers below {base_path}/.",
            uri.path()
        ),
    )
}

/// For methods that an address does not take; axum adds `Allow`.
pub async fn method_not_allowed(method: Method, uri: Uri) -> ProblemResponse {
    ProblemResponse::new(
        ProblemCode::MethodNotAllowed,
        format!("{} does not take {method}.", uri.path()),
    )
}

/// For a handler that panicked: what happened stays in the log.
pub fn internal() -> ProblemResponse {
    ProblemResponse::new(
        ProblemCode::Internal,
        "The server failed at this request. Its log says more.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use checklist_store::error::NotApplied;

    async fn body_of(response: Response) -> serde_json::Value {
        let bytes = to_bytes(response.into_body(), usize::MAX)
            .await
            .expect("a body");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn header_of<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
        response
            .headers()
            .get(name)
            .map(|value| value.to_str().expect("text"))
    }

    #[tokio::test]
    async fn a_refusal_is_a_problem_document_with_its_status() {
        let response = ProblemResponse::new(ProblemCode::Busy, "Try again.")
            .retry_after(2)
            .into_response();
        assert_eq!(response.status(), 503);
        assert_eq!(header_of(&response, "content-type"), Some(MEDIA_TYPE));
        assert_eq!(header_of(&response, "retry-after"), Some("2"));
        assert_eq!(header_of(&response, "www-authenticate"), None);
        let body = body_of(response).await;
        assert_eq!(
            (&body["status"], &body["Code"], &body["detail"]),
            (&503.into(), &"Busy".into(), &"Try again.".into())
        );
        assert_eq!(body.get("Results"), None);
    }

    #[test]
    fn a_credential_that_cannot_be_judged_now_is_told_when_to_come_back() {
        let seconds = |code| {
            let response = ProblemResponse::from(AuthError {
                code,
                detail: String::new(),
            });
            header_of(&response.into_response(), "retry-after").map(str::to_owned)
        };
        assert_eq!(seconds(ProblemCode::Busy).as_deref(), Some("2"));
        assert_eq!(seconds(ProblemCode::Unauthenticated), None);
    }

    #[tokio::test]
    async fn an_atomic_refusal_brings_its_results() {
        let mut error =
            ProblemResponse::new(ProblemCode::NotApplied, "One item stands in the way.");
        error.0.not_applied = Some(Box::new(NotApplied {
            revision: 7,
            results: Vec::new(),
        }));
        let body = body_of(error.into_response()).await;
        assert_eq!(
            (&body["Revision"], &body["Results"]),
            (&7.into(), &serde_json::json!([]))
        );
    }

    #[test]
    fn only_a_request_that_tried_is_told_that_its_token_is_bad() {
        let ask = |code, detail: &str| ProblemResponse::new(code, detail).into_response();
        let none = ask(ProblemCode::Unauthenticated, NO_CREDENTIAL);
        assert_eq!(
            header_of(&none, "www-authenticate"),
            Some("Bearer realm=\"checklist\"")
        );
        let expired = ask(ProblemCode::TokenExpired, "…");
        assert!(
            header_of(&expired, "www-authenticate")
                .is_some_and(|text| text.contains("invalid_token"))
        );
    }
}
