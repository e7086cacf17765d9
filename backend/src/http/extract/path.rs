//! One segment of the path, percent-decoded: an opaque id such as a fragment id.
//!
//! Any text may be an id, a slash (`%2F`) too. What is no UTF-8 names nothing that is here.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use checklist_shared::problem::ProblemCode;

use crate::error::ServiceError;

/// The segment.
pub struct Segment(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServiceError> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(text)) => Ok(Self(text)),
            Err(_) => Err(ServiceError::new(
                ProblemCode::NotFound,
                "The address is no text in UTF-8.",
            )),
        }
    }
}
