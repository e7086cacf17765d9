//! The session of the built-in pages: the signed-in user, and signing out.
//!
//! Only for pages of this server: outside CORS, and requests of other pages count as having no
//! cookie. With the session cookie, the pages call the same web services as any client.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use checklist_auth::PresentedCredential;
use checklist_services::sessions::{self, NewSession};
use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::wire::access::{Session, SignInWays};
use serde::Serialize;

use super::Web;
use super::cookie::{self, Cookie};
use super::problem::MEDIA_TYPE;
use super::problems::OwnPages;
use crate::http::problem::ProblemResponse;

/// Who has signed in.
///
/// Without a session the refusal's member `SignIn` says which ways there are:
/// `Oidc` (`GET /session/sign-in?ReturnTo=`), `Passkey` (`POST /session/passkey/options`) and `Demo`
/// (`POST /demo/session`).
#[utoipa::path(get, path = "/session", operation_id = "GetSession", tag = "Session", security(("session" = [])),
    extensions(("x-needs" = json!(["Browser"]))),
    responses((status = 200, description = "The person and what they may do.", body = Session),
        (status = 401, description = "Nobody; `SignIn` says how.", body = Problem,
         content_type = "application/problem+json")))]
pub async fn current(
    State(web): State<Arc<Web>>,
    method: Method,
    headers: HeaderMap,
) -> Result<Json<Session>, Response> {
    let found = async {
        let cookie = own_cookie(&web, &method, &headers).ok_or_else(|| {
            ProblemResponse::new(
                ProblemCode::Unauthenticated,
                "Nobody has signed in with this browser.",
            )
        })?;
        let shown = PresentedCredential::Cookie(cookie);
        let caller = web.gate.admit(shown, None, web.now()).await?;
        Ok::<_, ProblemResponse>(sessions::describe(&web.app, &caller).await?)
    };
    match found.await {
        Ok(session) => Ok(Json(described(&web, session))),
        Err(error) => Err(not_signed_in(&web, error).await),
    }
}

/// Whether people sign in with an identity provider.
pub(super) fn has_provider(web: &Web) -> bool {
    web.oidc.as_ref().is_some_and(|oidc| oidc.has_client())
}

/// The session, as the pages of this server can use it.
pub(super) fn described(web: &Web, session: Session) -> Session {
    Session {
        passkeys: session.passkeys && web.passkeys.is_some(),
        oidc: has_provider(web),
        ..session
    }
}

/// Sign out.
///
/// Ends the session on the server and takes the cookie away. Repeating it is no error.
#[utoipa::path(post, path = "/session/sign-out", operation_id = "SignOut", tag = "Session",
    security(("session" = []), ()),
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, (status = 204, description = "Nobody is signed in with this browser any more.")))]
pub async fn sign_out(
    State(web): State<Arc<Web>>,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, ProblemResponse> {
    refuse_other_pages(&web, &method, &headers)?;
    if let Some(cookie) = Cookie::Session.of(&headers, &web.base) {
        sessions::end(&web.app, cookie).await?;
    }
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(gone) = Cookie::Session.set("", 0, &web.base) {
        response.headers_mut().append(header::SET_COOKIE, gone);
    }
    Ok(response)
}

/// Enter the demo as its administrator.
///
/// Answers only while the server runs with `--demo`, and never to a page of another site.
#[utoipa::path(post, path = "/demo/session", operation_id = "DemoSession", tag = "Demo", security(()),
    extensions(("x-needs" = json!(["Demo"]))),
    responses(OwnPages, (status = 200, description = "The session; its cookie is set.", body = Session)))]
pub async fn begin_demo(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
) -> Result<Response, ProblemResponse> {
    if web.demo.is_none() {
        return Err(ProblemResponse::new(
            ProblemCode::NotFound,
            "This server does not run in demo mode.",
        ));
    }
    if super::demo::is_of_other_site(&headers) {
        return Err(own_pages_only());
    }
    let begun = sessions::begin_demo(&web.app, web.session_seconds).await?;
    let session = Json(begun.session.clone());
    Ok((with_cookie(&web, &begun), session).into_response())
}

/// The header that hands a session's cookie over.
pub(super) fn with_cookie(web: &Web, begun: &NewSession) -> HeaderMap {
    let set = Cookie::Session.set(&begun.cookie, web.session_seconds, &web.base);
    set.into_iter()
        .map(|value| (header::SET_COOKIE, value))
        .collect()
}

/// The session cookie, if the request comes from a page of this server.
fn own_cookie<'a>(web: &Web, method: &Method, headers: &'a HeaderMap) -> Option<&'a str> {
    Cookie::Session
        .of(headers, &web.base)
        .filter(|_| cookie::is_from_here(method, headers, &web.base))
}

pub(super) fn refuse_other_pages(
    web: &Web,
    method: &Method,
    headers: &HeaderMap,
) -> Result<(), ProblemResponse> {
    if cookie::is_from_here(method, headers, &web.base) {
        return Ok(());
    }
    Err(own_pages_only())
}

fn own_pages_only() -> ProblemResponse {
    ProblemResponse::new(
        ProblemCode::OriginRefused,
        "This is for pages of this server only.",
    )
}

/// The error for a caller without a session, with the available ways to sign in.
async fn not_signed_in(web: &Web, error: ProblemResponse) -> Response {
    #[derive(Serialize)]
    struct WithWays<'a> {
        #[serde(flatten)]
        problem: &'a Problem,
        #[serde(rename = "SignIn")]
        ways: SignInWays,
    }
    let ways = SignInWays {
        oidc: has_provider(web),
        demo: web.demo.is_some(),
        // Without an answer of the store nobody can sign in anyway.
        passkey: web.passkeys.is_some() && web.app.store().has_passkeys().await.unwrap_or(false),
    };
    let body = Json(WithWays {
        problem: &error.0.problem,
        ways,
    });
    let status = StatusCode::from_u16(error.0.problem.status);
    let mut response = (status.unwrap_or(StatusCode::UNAUTHORIZED), body).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
