//! The six site-list activities, the lists and columns of a site, and the connection test.
//!
//! Invariant: a caller's credential for a site comes in `Site-Authorization`; the header that
//! authenticates the caller here is never forwarded. `services::sites` implements the calls.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use checklist_auth::Principal;
use checklist_services::sites::contents::{self, SiteRef};
use checklist_services::sites::wire::{
    AddSiteItem, DeleteSiteItem, EditSiteItem, EstablishSiteConnection, Established, GetSiteItem,
    GetSiteItems, ItemAdded, ItemChanged, ItemRead, ItemsRead,
};
use checklist_services::sites::{self, SiteCaller, test};
use checklist_shared::wire::connections::{ConnectionTest, TestServiceConnection};
use checklist_shared::wire::site_lists::{SiteColumns, SiteLists};
use secrecy::SecretString;
use serde::Serialize;

use super::Web;
use super::extract::{Body, Caller, MaybeBody, Segment, Segments};
use super::problems::{AsksSite, ChangesSiteItem, ReadsSite, Writes};
use crate::http::problem::ProblemResponse;

/// The header with the caller's own credential for the site.
const SITE_AUTHORIZATION: HeaderName = HeaderName::from_static("site-authorization");

fn asking<'a>(caller: &'a Principal, headers: &HeaderMap) -> SiteCaller<'a> {
    let credential = headers.get(SITE_AUTHORIZATION);
    let credential = credential.and_then(|value| value.to_str().ok());
    SiteCaller {
        principal: caller,
        site_authorization: credential.map(SecretString::from),
    }
}

fn answer(body: impl Serialize) -> Response {
    let mut response = Json(body).into_response();
    let no_store = HeaderValue::from_static("no-store");
    response.headers_mut().insert(CACHE_CONTROL, no_store);
    response
}

/// Provide a connection: by a service connection, or with credentials.
///
/// Signs in once. The answer holds no secret; its `Handle` stands for the connection until
/// `ExpiresAt` (an hour, unless the operator says otherwise), for this caller alone. Credentials go to origins alone that an administrator has registered.
#[utoipa::path(post, path = "/EstablishSiteConnection", operation_id = "EstablishSiteConnection", tag = "Sites",
    request_body = EstablishSiteConnection,
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, AsksSite, (status = 200, description = "The initialised connection.", body = Established)))]
pub async fn establish(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Body(request): Body<EstablishSiteConnection>,
) -> Result<Response, ProblemResponse> {
    let done = sites::establish(&web.app, &asking(&caller, &headers), request).await?;
    Ok(answer(done))
}

/// Create an item in a list.
#[utoipa::path(post, path = "/AddSiteItem", operation_id = "AddSiteItem", tag = "Sites", request_body = AddSiteItem,
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, AsksSite, (status = 200, description = "The new item's id.", body = ItemAdded)))]
pub async fn add(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Body(request): Body<AddSiteItem>,
) -> Result<Response, ProblemResponse> {
    let done = sites::add(&web.app, &asking(&caller, &headers), request).await?;
    Ok(answer(done))
}

/// Update an item.
///
/// Whatever version it has, unless `ETag` names the one that was read.
#[utoipa::path(post, path = "/EditSiteItem", operation_id = "EditSiteItem", tag = "Sites", request_body = EditSiteItem,
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, AsksSite, ChangesSiteItem, (status = 200, description = "It is changed.", body = ItemChanged)))]
pub async fn edit(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Body(request): Body<EditSiteItem>,
) -> Result<Response, ProblemResponse> {
    let done = sites::edit(&web.app, &asking(&caller, &headers), request).await?;
    Ok(answer(done))
}

/// Delete an item.
#[utoipa::path(post, path = "/DeleteSiteItem", operation_id = "DeleteSiteItem", tag = "Sites",
    request_body = DeleteSiteItem,
    extensions(("x-needs" = json!(["Sites"]))),
    responses(Writes, AsksSite, ChangesSiteItem, (status = 200, description = "It is gone.", body = ItemChanged)))]
pub async fn delete(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Body(request): Body<DeleteSiteItem>,
) -> Result<Response, ProblemResponse> {
    let done = sites::delete(&web.app, &asking(&caller, &headers), request).await?;
    Ok(answer(done))
}

/// Read one item.
#[utoipa::path(post, path = "/GetSiteItem", operation_id = "GetSiteItem", tag = "Sites", request_body = GetSiteItem,
    extensions(("x-needs" = json!(["Sites"]))),
    responses(AsksSite, (status = 200, description = "The item.", body = ItemRead)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Body(request): Body<GetSiteItem>,
) -> Result<Response, ProblemResponse> {
    let done = sites::get(&web.app, &asking(&caller, &headers), request).await?;
    Ok(answer(done))
}

/// Read several items: those whose `Field` holds `Value`, or all.
///
/// A list is read part by part, `Top` items at a time (1000 without): as long as there is a `Next`,
/// the same call with it as `After` goes on. A part that could not be read whole is an error;
/// `Warnings` tell of fall-backs, such as a filter on a column without an index, and of a list that
/// goes on where `Top` was not given. `Operator` compares otherwise than for the same value,
/// and `Select` leaves out what is not wanted, which is worth it for long lists.
#[utoipa::path(post, path = "/GetSiteItems", operation_id = "GetSiteItems", tag = "Sites", request_body = GetSiteItems,
    extensions(("x-needs" = json!(["Sites"]))),
    responses(AsksSite, (status = 200, description = "The found items.", body = ItemsRead)))]
pub async fn get_all(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Body(request): Body<GetSiteItems>,
) -> Result<Response, ProblemResponse> {
    let body = sites::get_all_written(&web.app, &asking(&caller, &headers), request).await?;
    let json = HeaderValue::from_static("application/json");
    let no_store = HeaderValue::from_static("no-store");
    Ok(([(CONTENT_TYPE, json), (CACHE_CONTROL, no_store)], body).into_response())
}

/// The lists of a service connection's site, to choose from.
///
/// Hidden lists and libraries are left out. For whoever may run activities, not for embed tokens.
#[utoipa::path(get, path = "/ServiceConnections/{id}/Lists", operation_id = "GetSiteLists", tag = "Sites",
    params(("id" = String, Path, description = "The connection's id.")),
    extensions(("x-needs" = json!(["Sites"]))),
    responses(AsksSite, ReadsSite, (status = 200, description = "The lists, by title.", body = SiteLists)))]
pub async fn lists(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Segment(id): Segment,
) -> Result<Response, ProblemResponse> {
    let place = SiteRef::ServiceConnection(id);
    let done = contents::lists(&web.app, &asking(&caller, &headers), place).await?;
    Ok(answer(done))
}

/// The columns of a list, to choose from.
#[utoipa::path(get, path = "/ServiceConnections/{id}/Lists/{list}/Columns", operation_id = "GetSiteColumns", tag = "Sites",
    params(("id" = String, Path, description = "The connection's id."),
        ("list" = String, Path, description = "The list, by title, id or internal name.")),
    extensions(("x-needs" = json!(["Sites"]))),
    responses(AsksSite, ReadsSite, (status = 200, description = "The list and its columns.", body = SiteColumns)))]
pub async fn columns(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    headers: HeaderMap,
    Segments([id, list]): Segments<2>,
) -> Result<Response, ProblemResponse> {
    let place = SiteRef::ServiceConnection(id);
    let done = contents::columns(&web.app, &asking(&caller, &headers), place, &list).await?;
    Ok(answer(done))
}

/// Try a service connection step by step: name, encryption, sign-in, site, list, rights.
///
/// Nothing is written on the site.
#[utoipa::path(post, path = "/ServiceConnections/{id}/Test", operation_id = "TestServiceConnection", tag = "Sites",
    request_body = Option<TestServiceConnection>,
    params(("id" = String, Path, description = "The connection's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "What was found, step by step.", body = ConnectionTest)))]
pub async fn test(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    MaybeBody(request): MaybeBody<TestServiceConnection>,
) -> Result<Json<ConnectionTest>, ProblemResponse> {
    Ok(Json(test::run(&web.app, &caller, &id, request).await?))
}
