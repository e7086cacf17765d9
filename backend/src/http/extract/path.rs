//! Extracts percent-decoded path segments: opaque ids and names, such as a fragment id.
//!
//! A segment may be any text, including a slash (`%2F`). One that is not UTF-8 matches nothing.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use checklist_shared::problem::ProblemCode;
use serde::de::DeserializeOwned;

use crate::http::problem::ProblemResponse;

/// The only segment that is open.
pub struct Segment(pub String);

/// All open segments, first to last.
pub struct Segments<const COUNT: usize>(pub [String; COUNT]);

async fn read<T: DeserializeOwned + Send, S: Send + Sync>(
    parts: &mut Parts,
    state: &S,
) -> Result<T, ProblemResponse> {
    match Path::<T>::from_request_parts(parts, state).await {
        Ok(Path(read)) => Ok(read),
        Err(_) => Err(ProblemResponse::new(
            ProblemCode::NotFound,
            "The address is no text in UTF-8.",
        )),
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ProblemResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ProblemResponse> {
        read(parts, state).await.map(Self)
    }
}

impl<S: Send + Sync, const COUNT: usize> FromRequestParts<S> for Segments<COUNT> {
    type Rejection = ProblemResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ProblemResponse> {
        let all: Vec<String> = read(parts, state).await?;
        let all = all.try_into().map_err(|_| {
            ProblemResponse::new(ProblemCode::NotFound, "There is nothing at this address.")
        })?;
        Ok(Self(all))
    }
}
