//! Extracts JSON bodies. `415` for other media types and for compressed bodies, `413` above 1 MiB,
//! `400` with line and column for malformed JSON, `422` with a pointer per invalid field.
//!
//! Operations are also hashed, because their id may be repeated with the same body only.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::ReaderLanguage;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{field_errors, strict};
use crate::http::problem::ProblemResponse;
use crate::http::problem::internal;

/// The largest body, in bytes.
pub const MOST_BYTES: usize = 1024 * 1024;

/// How many bytes a body of this call may have, where that is not [`MOST_BYTES`]; named in the
/// error.
#[derive(Clone, Copy, Debug)]
pub struct MostBytes(pub usize);

/// The body.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + ToSchema, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ProblemResponse;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemResponse> {
        if !is_json(request.headers()) {
            return Err(ProblemResponse::new(
                ProblemCode::UnsupportedMediaType,
                "Send the body with Content-Type: application/json.",
            ));
        }
        parse(&read(request, state).await?).map(Self)
    }
}

/// A body that is JSON, or a table.
pub enum JsonOrCsv<T> {
    /// `application/json`.
    Json(T),
    /// `text/csv`, whatever is in it.
    Csv(Bytes),
}

impl<T: DeserializeOwned + ToSchema, S: Send + Sync> FromRequest<S> for JsonOrCsv<T> {
    type Rejection = ProblemResponse;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemResponse> {
        if is_json(request.headers()) {
            return parse(&read(request, state).await?).map(Self::Json);
        }
        if !is_csv(request.headers()) {
            return Err(ProblemResponse::new(
                ProblemCode::UnsupportedMediaType,
                "Send the body with Content-Type: application/json, or text/csv in UTF-8.",
            ));
        }
        read(request, state).await.map(Self::Csv)
    }
}

/// A body that is JSON, or a text of a type that the call knows.
pub enum JsonOrText<T> {
    /// `application/json`.
    Json(T),
    /// The media type, in lower case and without parameters, and whatever is in the body.
    Text(String, Bytes),
}

impl<T: DeserializeOwned + ToSchema, S: Send + Sync> FromRequest<S> for JsonOrText<T> {
    type Rejection = ProblemResponse;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemResponse> {
        if is_json(request.headers()) {
            return parse(&read(request, state).await?).map(Self::Json);
        }
        let media_type = essence(request.headers());
        Ok(Self::Text(media_type, read(request, state).await?))
    }
}

/// The body of an operation, and what it is known by when it is repeated: the SHA-256 of what it
/// means, so that spaces and the order of fields make no difference, nor the language of the answer:
/// a page that was switched to another language repeats the same operation.
pub struct Operation<T>(pub T, pub [u8; 32]);

impl<T, S> FromRequest<S> for Operation<T>
where
    T: DeserializeOwned + Serialize + ReaderLanguage + ToSchema,
    S: Send + Sync,
{
    type Rejection = ProblemResponse;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemResponse> {
        let Body(mut value) = Body::<T>::from_request(request, state).await?;
        let meaning = meaning_of(&mut value)?;
        Ok(Self(value, meaning))
    }
}

/// The SHA-256 of what an operation means, whatever the language of its answer.
///
/// # Errors
/// It is no JSON, which no request is.
pub fn meaning_of<T: Serialize + ReaderLanguage>(
    value: &mut T,
) -> Result<[u8; 32], ProblemResponse> {
    let language = value.language_mut().take();
    let meaning = serde_json::to_vec(value).map_err(|_| internal())?;
    *value.language_mut() = language;
    Ok(Sha256::digest(&meaning).into())
}

/// A body that may be missing altogether, which counts as `{}`.
pub struct MaybeBody<T>(pub T);

impl<T: DeserializeOwned + ToSchema, S: Send + Sync> FromRequest<S> for MaybeBody<T> {
    type Rejection = ProblemResponse;

    async fn from_request(request: Request, state: &S) -> Result<Self, ProblemResponse> {
        let declared = request.headers().contains_key(header::CONTENT_TYPE);
        let json = is_json(request.headers());
        let bytes = read(request, state).await?;
        if bytes.is_empty() {
            return parse(b"{}").map(Self);
        }
        if declared && !json {
            return Err(ProblemResponse::new(
                ProblemCode::UnsupportedMediaType,
                "The body has to be JSON.",
            ));
        }
        parse(&bytes).map(Self)
    }
}

async fn read<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, ProblemResponse> {
    refuse_coded(request.headers())?;
    let most = request
        .extensions()
        .get()
        .map_or(MOST_BYTES, |MostBytes(most)| *most);
    Bytes::from_request(request, state)
        .await
        .map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                ProblemResponse::new(
                    ProblemCode::BodyTooLarge,
                    format!("A body may have {most} bytes."),
                )
            }
            _ => ProblemResponse::new(
                ProblemCode::MalformedJson,
                "The body ended before it was complete.",
            ),
        })
}

/// Rejects compressed bodies: decompression would need a limit of its own against bodies that grow
/// a thousandfold, and requests are small.
fn refuse_coded(headers: &HeaderMap) -> Result<(), ProblemResponse> {
    let codings = headers.get_all(header::CONTENT_ENCODING).iter();
    let coding = codings
        .map(|value| value.to_str().unwrap_or("?"))
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .find(|coding| !coding.is_empty() && !coding.eq_ignore_ascii_case("identity"));
    let Some(coding) = coding else { return Ok(()) };
    let coding: String = coding.chars().take(40).collect();
    Err(ProblemResponse::new(
        ProblemCode::UnsupportedContentCoding,
        format!("Send the body as it is, without Content-Encoding: {coding}."),
    ))
}

/// Whether the body is CSV in UTF-8, which is also the default charset.
fn is_csv(headers: &HeaderMap) -> bool {
    let declared = content_type(headers).to_ascii_lowercase();
    let mut parts = declared.split(';').map(str::trim);
    parts.next() == Some("text/csv")
        && parts.all(|part| match part.strip_prefix("charset=") {
            Some(charset) => matches!(charset.trim_matches('"'), "utf-8" | "utf8" | "us-ascii"),
            None => true,
        })
}

fn content_type(headers: &HeaderMap) -> &str {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("")
}

/// The media type without its parameters, in lower case.
fn essence(headers: &HeaderMap) -> String {
    let declared = content_type(headers).split(';').next().unwrap_or("");
    declared.trim().to_ascii_lowercase()
}

fn is_json(headers: &HeaderMap) -> bool {
    let essence = essence(headers);
    essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Reads a request.
///
/// # Errors
/// A problem that names every field that is not as it should be.
pub fn parse<T: DeserializeOwned + ToSchema>(json: &[u8]) -> Result<T, ProblemResponse> {
    let mut text = serde_json::Deserializer::from_slice(json);
    let errors = match strict::read(&mut text).and_then(|value| text.end().map(|()| value)) {
        Ok(value) => match field_errors::nul_errors(json) {
            none if none.is_empty() => return Ok(value),
            errors => errors,
        },
        // A wrong field may stand before a place that is no JSON: the whole text is read once more.
        Err(_) => match serde_json::from_slice(json) {
            Ok(value) => field_errors::of::<T>(json, &value),
            Err(error) => return Err(malformed_json(&error)),
        },
    };
    let detail = match errors.as_slice() {
        [one] if one.pointer.is_empty() => format!("The body: {}", one.detail),
        [one] => format!("{}: {}", one.pointer, one.detail),
        many => format!("{} fields are not valid.", many.len()),
    };
    Err(ProblemResponse::fields(
        ProblemCode::InvalidRequest,
        detail,
        errors,
    ))
}

fn malformed_json(error: &serde_json::Error) -> ProblemResponse {
    let place = format!("line {}, column {}", error.line(), error.column());
    let what = match error.classify() {
        Category::Eof => "the text ends too early".to_owned(),
        _ => field_errors::without_place(&error.to_string()),
    };
    ProblemResponse::new(
        ProblemCode::MalformedJson,
        format!("This is not valid JSON: {what} ({place})."),
    )
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;
