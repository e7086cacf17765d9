//! Platform types: which classes they include, and which template applies for which purpose.
//!
//! Read by the control's preview and by those who set the platform up; written by the latter.
//! What may be written is decided by the service.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use checklist_shared::wire::admin::{Type, Types};

use super::Web;
use super::extract::{Body, Caller, Segment};
use crate::error::ServiceError;
use crate::services::platform_type;

/// All types.
#[utoipa::path(get, path = "/Types", operation_id = "ListTypes", tag = "Types",
    responses((status = 200, description = "The types of the caller's tenant.", body = Types)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<Types>, ServiceError> {
    platform_type::list(&web.app, &caller).await.map(Json)
}

/// One type.
#[utoipa::path(get, path = "/Types/{name}", operation_id = "GetType", tag = "Types",
    params(("name" = String, Path, description = "The type's name.")),
    responses((status = 200, description = "The type.", body = Type)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(name): Segment,
) -> Result<Json<Type>, ServiceError> {
    platform_type::get(&web.app, &caller, &name).await.map(Json)
}

/// Write a type.
///
/// Holds for the very next call, without a restart. The journal needs the classes `UnitOfWork`
/// and `ChecklistItem`.
#[utoipa::path(put, path = "/Types/{name}", operation_id = "PutType", tag = "Types", request_body = Type,
    params(("name" = String, Path, description = "The type's name; the body has the same.")),
    responses((status = 200, description = "The type as it is kept.", body = Type)))]
pub async fn put(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(name): Segment,
    Body(kind): Body<Type>,
) -> Result<Json<Type>, ServiceError> {
    platform_type::put(&web.app, &caller, &name, kind)
        .await
        .map(Json)
}
