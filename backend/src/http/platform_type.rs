//! Platform types: the classes that they include, and the template for each purpose.
//!
//! `services::platform_type` checks permissions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::HeaderMap;
use checklist_services::platform_type::{self, state_of_type};
use checklist_shared::wire::admin::{PutType, Type, Types};

use super::Web;
use super::extract::{Body, Caller, Parameters, Precondition, Segment};
use super::listing::ListParameters;
use super::problems::{ConditionalType, Writes};
use super::template::tag_of;
use crate::http::problem::ProblemResponse;

/// The types.
///
/// A page of them, by name, found by name, purpose and template. A token for some lists is shown
/// the types of these.
#[utoipa::path(get, path = "/Types", operation_id = "ListTypes", tag = "Types", params(ListParameters),
    extensions(("x-needs" = json!(["Read", "Templates"]))),
    responses((status = 200, description = "Types of the caller's tenant.", body = Types)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(listing): Parameters<ListParameters>,
) -> Result<Json<Types>, ProblemResponse> {
    Ok(Json(
        platform_type::list(&web.app, &caller, &listing.into()).await?,
    ))
}

/// One type.
///
/// The answer carries an `ETag`: with it as `If-Match` nobody overwrites what they have not seen.
#[utoipa::path(get, path = "/Types/{name}", operation_id = "GetType", tag = "Types",
    params(("name" = String, Path, description = "The type's name.")),
    extensions(("x-needs" = json!(["Read", "Templates"]))),
    responses((status = 200, description = "The type.", body = Type)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(name): Segment,
) -> Result<(HeaderMap, Json<Type>), ProblemResponse> {
    Ok(with_etag(
        platform_type::get(&web.app, &caller, &name).await?,
    ))
}

/// Change a type, or write a new one.
///
/// A field that is absent leaves what is there, `null` clears it; `Classes` and `Templates` are
/// given whole. Holds for the very next call, without a restart. The journal needs the classes
/// `UnitOfWork` and `ChecklistItem`. With `If-Match` and the `ETag` of what was read (or
/// `If-None-Match: *` for a new one) it is written only if nobody else has changed the type
/// meanwhile, else the answer is 412 `TypeChanged`. The answer carries the next `ETag`.
#[utoipa::path(put, path = "/Types/{name}", operation_id = "PutType", tag = "Types", request_body = PutType,
    params(("name" = String, Path, description = "The type's name."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read."),
        ("If-None-Match" = Option<String>, Header, description = "`*`: only if there is none of that name.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalType, (status = 200, description = "The type as it is kept.", body = Type)))]
pub async fn put(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(name): Segment,
    Precondition(expected): Precondition,
    Body(change): Body<PutType>,
) -> Result<(HeaderMap, Json<Type>), ProblemResponse> {
    let stored = platform_type::put(&web.app, &caller, &name, change, expected).await?;
    Ok(with_etag(stored))
}

/// Delete a type.
///
/// Refused while checklists are of this type (`InUse`, with their number). With `If-Match` and the
/// `ETag` of what was read it is deleted only if nobody has changed it meanwhile.
#[utoipa::path(delete, path = "/Types/{name}", operation_id = "DeleteType", tag = "Types",
    params(("name" = String, Path, description = "The type's name."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read.")),
    extensions(("x-needs" = json!(["Templates"]))),
    responses(Writes, ConditionalType, (status = 204, description = "The type is deleted.")))]
pub async fn delete(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(name): Segment,
    Precondition(expected): Precondition,
) -> Result<StatusCode, ProblemResponse> {
    platform_type::delete(&web.app, &caller, &name, expected).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn with_etag(kind: Type) -> (HeaderMap, Json<Type>) {
    (tag_of(Some(&state_of_type(&kind))), Json(kind))
}
