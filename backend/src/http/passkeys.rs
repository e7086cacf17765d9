//! Passkeys: signing in with one, and those of the person who is signed in.
//!
//! Only pages of this server may call. Each failed sign-in is counted by address, like those of
//! other ways.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use checklist_auth::passkey::RelyingParty;
use checklist_services::passkeys;
use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::wire::access::Session;
use checklist_shared::wire::passkey::{
    NewPasskey, Passkey, PasskeyOptions, Passkeys, RenamePasskey, UsePasskey,
};

use super::Web;
use super::extract::{Body, Caller, Segment, too_many};
use super::peer::address_of;
use super::problems::{Counted, OwnPages, SignedIn};
use super::session::{described, refuse_other_pages, with_cookie};
use crate::http::problem::ProblemResponse;

/// Begin to sign in with a passkey.
///
/// `PublicKey` is for `navigator.credentials.get`; its challenge holds for five minutes and one
/// answer. 404 where the address of the server has no host name: browsers make no passkeys for IP
/// addresses.
#[utoipa::path(post, path = "/session/passkey/options", operation_id = "BeginPasskeySignIn", tag = "Session",
    security(()),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, Counted, (status = 200, description = "What to ask the authenticator for.",
        body = PasskeyOptions)))]
pub async fn sign_in_options(
    State(web): State<Arc<Web>>,
    method: Method,
    extensions: Extensions,
    headers: HeaderMap,
) -> Result<Json<PasskeyOptions>, ProblemResponse> {
    refuse_other_pages(&web, &method, &headers)?;
    let server = relying_party(&web)?;
    too_many(
        web.rates
            .failure(address_of(&extensions, &headers, &web.proxies)),
    )?;
    Ok(Json(passkeys::begin_sign_in(&web.app, server).await?))
}

/// Sign in with a passkey.
///
/// Takes the answer of `navigator.credentials.get` and begins a session.
#[utoipa::path(post, path = "/session/passkey", operation_id = "UsePasskey", tag = "Session", security(()),
    request_body = UsePasskey,
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, Counted, (status = 200, description = "The session; its cookie is set.", body = Session),
        (status = 401, description = "The passkey does not sign in here.", body = Problem,
         content_type = "application/problem+json")))]
pub async fn sign_in(
    State(web): State<Arc<Web>>,
    method: Method,
    extensions: Extensions,
    headers: HeaderMap,
    Body(request): Body<UsePasskey>,
) -> Result<Response, ProblemResponse> {
    refuse_other_pages(&web, &method, &headers)?;
    let server = relying_party(&web)?;
    let seconds = web.session_seconds;
    match passkeys::finish_sign_in(&web.app, server, &request.credential, seconds).await {
        Ok(begun) => {
            let set = with_cookie(&web, &begun);
            Ok((set, Json(described(&web, begun.session))).into_response())
        }
        Err(error) => {
            let code = error.code();
            if code == ProblemCode::Unauthenticated {
                let address = address_of(&extensions, &headers, &web.proxies);
                web.failures.tell(address, code, "passkey");
                too_many(web.rates.failure(address))?;
            }
            Err(error.into())
        }
    }
}

/// The passkeys of the person who is signed in.
#[utoipa::path(get, path = "/session/passkeys", operation_id = "ListPasskeys", tag = "Session",
    security(("session" = [])),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(SignedIn, (status = 200, description = "The oldest first.", body = Passkeys)))]
pub async fn list(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
) -> Result<Json<Passkeys>, ProblemResponse> {
    Ok(Json(passkeys::list(&web.app, &caller).await?))
}

/// Begin to add a passkey.
///
/// For local administrators; `PublicKey` is for `navigator.credentials.create`.
#[utoipa::path(post, path = "/session/passkeys/options", operation_id = "BeginPasskey", tag = "Session",
    security(("session" = [])),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, SignedIn,
        (status = 200, description = "What to ask the authenticator for.", body = PasskeyOptions)))]
pub async fn options(
    State(web): State<Arc<Web>>,
    method: Method,
    headers: HeaderMap,
    Caller(caller): Caller,
) -> Result<Json<PasskeyOptions>, ProblemResponse> {
    refuse_other_pages(&web, &method, &headers)?;
    let server = relying_party(&web)?;
    Ok(Json(
        passkeys::begin_registration(&web.app, server, &caller).await?,
    ))
}

/// Add a passkey.
///
/// Takes the answer of `navigator.credentials.create`, in the session that began it.
#[utoipa::path(post, path = "/session/passkeys", operation_id = "AddPasskey", tag = "Session",
    security(("session" = [])), request_body = NewPasskey,
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, SignedIn, (status = 200, description = "The passkey.", body = Passkey)))]
pub async fn add(
    State(web): State<Arc<Web>>,
    method: Method,
    headers: HeaderMap,
    Caller(caller): Caller,
    Body(request): Body<NewPasskey>,
) -> Result<Json<Passkey>, ProblemResponse> {
    refuse_other_pages(&web, &method, &headers)?;
    let server = relying_party(&web)?;
    let added = passkeys::finish_registration(&web.app, server, &caller, request);
    Ok(Json(added.await?))
}

/// Rename a passkey.
#[utoipa::path(put, path = "/session/passkeys/{id}", operation_id = "RenamePasskey", tag = "Session",
    security(("session" = [])), request_body = RenamePasskey,
    params(("id" = String, Path, description = "The passkey's id.")),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, SignedIn, (status = 200, description = "The passkey.", body = Passkey),
        (status = 404, description = "The person has no such passkey.", body = Problem,
         content_type = "application/problem+json")))]
pub async fn rename(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
    Body(request): Body<RenamePasskey>,
) -> Result<Json<Passkey>, ProblemResponse> {
    Ok(Json(
        passkeys::rename(&web.app, &caller, &id, &request.name).await?,
    ))
}

/// Remove a passkey.
///
/// Holds at once. The session goes on; without another passkey, signing in again takes a one-time
/// link.
#[utoipa::path(delete, path = "/session/passkeys/{id}", operation_id = "RemovePasskey", tag = "Session",
    security(("session" = [])),
    params(("id" = String, Path, description = "The passkey's id.")),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, SignedIn, (status = 204, description = "It does not sign in any more."),
        (status = 404, description = "The person has no such passkey.", body = Problem,
         content_type = "application/problem+json")))]
pub async fn remove(
    State(web): State<Arc<Web>>,
    Caller(caller): Caller,
    Segment(id): Segment,
) -> Result<StatusCode, ProblemResponse> {
    passkeys::remove(&web.app, &caller, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn relying_party(web: &Web) -> Result<&RelyingParty, ProblemResponse> {
    web.passkeys.as_ref().ok_or_else(|| {
        ProblemResponse::new(
            ProblemCode::NotFound,
            "Browsers make no passkeys for IP addresses; reach the server by a host name.",
        )
    })
}
