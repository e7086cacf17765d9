//! Service connections and capability providers, for administrators, and the redirect URI of
//! consents.
//!
//! `services::connections` checks permissions.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{self, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use checklist_services::connections::{self, consent, provider, write};
use checklist_shared::wire::connections::{
    ConsentBegun, PutServiceConnection, ServiceCapabilityProviders, ServiceConnection,
    ServiceConnections,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Web;
use super::cookie::Cookie;
use super::extract::{Body, Caller, Parameters, Precondition, Segment};
use super::listing::ListParameters;
use super::problems::{AsksSite, ConditionalConnection, ReadsSite, Writes};
use super::sign_in::to;
use super::template::tag_of;
use crate::http::problem::ProblemResponse;

/// What the authorization server sends along.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ConsentCallback {
    /// The code.
    code: Option<String>,
    /// Which consent it belongs to.
    #[serde(default)]
    state: String,
    /// What went wrong.
    error: Option<String>,
    /// Who sends it (RFC 9207).
    iss: Option<String>,
}

/// The tenant's service connections, without anything that authenticates.
///
/// A page of them, by name, found by name, origin and owner.
#[utoipa::path(get, path = "/ServiceConnections", operation_id = "ListServiceConnections", tag = "Sites", params(ListParameters),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "A page of connections.", body = ServiceConnections)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Parameters(listing): Parameters<ListParameters>,
) -> Result<Json<ServiceConnections>, ProblemResponse> {
    Ok(Json(
        connections::list(&web.app, &caller, &listing.into()).await?,
    ))
}

/// Make a service connection.
///
/// It belongs to the caller and leads to the origin of its `Url` alone. What authenticates is
/// encrypted and never returned.
#[utoipa::path(post, path = "/ServiceConnections", operation_id = "CreateServiceConnection", tag = "Sites",
    request_body = PutServiceConnection,
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 200, description = "The connection.", body = ServiceConnection)))]
pub async fn create(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Body(request): Body<PutServiceConnection>,
) -> Result<Json<ServiceConnection>, ProblemResponse> {
    Ok(Json(write::create(&web.app, &caller, request).await?))
}

/// One service connection, without anything that authenticates.
///
/// The answer carries an `ETag`: with it as `If-Match` nobody overwrites what they have not seen.
#[utoipa::path(get, path = "/ServiceConnections/{id}", operation_id = "GetServiceConnection", tag = "Sites",
    params(("id" = String, Path, description = "The connection's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "The connection.", body = ServiceConnection)))]
pub async fn get(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<(HeaderMap, Json<ServiceConnection>), ProblemResponse> {
    Ok(with_etag(connections::get(&web.app, &caller, &id).await?))
}

/// Change a service connection.
///
/// It then belongs to the caller. A field that is absent leaves what is there, `null` clears it; a
/// field that another way to sign in does not have goes with the former way. What authenticates
/// stays likewise, unless the connection leads elsewhere, signs in otherwise or belonged to somebody
/// else. With `If-Match` and the `ETag` of what was read it is written only if nobody else has
/// changed the connection meanwhile, else the answer is 412 `ConnectionChanged`; `Revision` in the body
/// says the same. The answer carries the next `ETag`.
#[utoipa::path(put, path = "/ServiceConnections/{id}", operation_id = "PutServiceConnection", tag = "Sites",
    request_body = PutServiceConnection,
    params(("id" = String, Path, description = "The connection's id."),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of what was read.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, ConditionalConnection, (status = 200, description = "The connection.", body = ServiceConnection)))]
pub async fn put(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Precondition(expected): Precondition,
    Body(request): Body<PutServiceConnection>,
) -> Result<(HeaderMap, Json<ServiceConnection>), ProblemResponse> {
    let connection = write::put(&web.app, &caller, &id, request, &expected).await?;
    Ok(with_etag(connection))
}

fn with_etag(connection: ServiceConnection) -> (HeaderMap, Json<ServiceConnection>) {
    let state = connection.revision.to_string();
    (tag_of(Some(&state)), Json(connection))
}

/// Delete a service connection, and everything that authenticates it.
#[utoipa::path(delete, path = "/ServiceConnections/{id}", operation_id = "DeleteServiceConnection", tag = "Sites",
    params(("id" = String, Path, description = "The connection's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(Writes, (status = 204, description = "It is gone.")))]
pub async fn delete(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<StatusCode, ProblemResponse> {
    connections::delete(&web.app, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Let the owner grant access, in a browser.
///
/// The answer names the page of the authorization server and sets a cookie that has to come back
/// with the browser within ten minutes. At the end the browser is at the connection's page, with
/// `?ConsentProblem=` (`Refused`, `Expired`, `Changed`, `ProviderFailed`, `NotLasting`) where
/// nothing was granted.
#[utoipa::path(post, path = "/ServiceConnections/{id}/Connect", operation_id = "ConnectServiceConnection", tag = "Sites",
    params(("id" = String, Path, description = "The connection's id.")),
    extensions(("x-needs" = json!(["Admin"]))),
    responses(AsksSite, ReadsSite, (status = 200, description = "Where the browser goes.", body = ConsentBegun)))]
pub async fn connect(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<Response, ProblemResponse> {
    let (begun, cookie) = consent::begin(&web.app, &caller, &id, &callback(&web)).await?;
    let kept = Cookie::Consent.set(&cookie, consent::LASTS, &web.base);
    let headers: HeaderMap = kept
        .map(|cookie| (header::SET_COOKIE, cookie))
        .into_iter()
        .collect();
    Ok((headers, Json(begun)).into_response())
}

/// The capability providers that a connection can sign in with.
#[utoipa::path(get, path = "/ServiceCapabilityProviders", operation_id = "ListServiceCapabilityProviders", tag = "Sites",
    extensions(("x-needs" = json!(["Admin"]))),
    responses((status = 200, description = "What can be granted, and how.", body = ServiceCapabilityProviders)))]
pub async fn providers(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<ServiceCapabilityProviders>, ProblemResponse> {
    Ok(Json(provider::list(&caller, callback(&web))?))
}

/// Back from the authorization server.
///
/// The server sends browsers here; nobody else has a reason to.
#[utoipa::path(get, path = "/connections/callback", operation_id = "FinishConsent", tag = "Sites", security(()),
    params(ConsentCallback),
    extensions(("x-needs" = json!(["Browser"]))),
    responses((status = 302, description = "To the page of the connection.")))]
pub async fn finish(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
    Parameters(back): Parameters<ConsentCallback>,
) -> Response {
    let returned = consent::ConsentResponse {
        code: back.code,
        error: back.error,
        issuer: back.iss,
    };
    let cookie = Cookie::Consent.of(&headers, &web.base);
    let callback = callback(&web);
    let (id, outcome) = consent::finish(&web.app, &callback, &back.state, cookie, returned).await;
    let page = id.map_or_else(String::new, |id| format!("/{id}"));
    let problem = match outcome {
        Ok(()) => "?Connected=true".to_owned(),
        Err(problem) => format!("?ConsentProblem={}", problem.name()),
    };
    let mut response = to(&format!(
        "{}/admin/connections{page}{problem}",
        web.base.path()
    ));
    if let Some(gone) = Cookie::Consent.set("", 0, &web.base) {
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    // The address that led here holds a code.
    let no_referrer = HeaderValue::from_static("no-referrer");
    response
        .headers_mut()
        .insert(header::REFERRER_POLICY, no_referrer);
    response
}

fn callback(web: &Web) -> String {
    format!("{}/connections/callback", web.base)
}
