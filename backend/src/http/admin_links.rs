//! One-time links for administrators: opening a link, and signing in with it.
//!
//! Invariants: the secret is in the fragment of the URL, so no server, proxy or log sees it before
//! the page sends it in a body. Opening a link only binds it to the browser; it is redeemed by a
//! click on the page, so a program that prefetches URLs from messages cannot use it up. Only pages
//! of this server may call.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, Method, header};
use axum::response::{IntoResponse, Response};
use checklist_services::admin_links;
use checklist_shared::problem::{Problem, ProblemCode};
use checklist_shared::wire::access::{
    AdminLink, AdminLinkState, OpenAdminLink, Session, UseAdminLink,
};

use super::Web;
use super::cookie::Cookie;
use super::extract::{Body, too_many};
use super::peer::address_of;
use super::problems::{Counted, OwnPages};
use super::session::{described, refuse_other_pages, with_cookie};
use crate::http::problem::ProblemResponse;

/// The lifetime of the browser's cookie, in seconds: that of a link.
const KEPT: i64 = 10 * 60;

/// Open a one-time link for administrators.
///
/// Says what it is good for. The first browser that opens it is the only one that may use it.
#[utoipa::path(post, path = "/session/link", operation_id = "OpenAdminLink", tag = "Session", security(()),
    request_body = OpenAdminLink,
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, Counted, (status = 200, description = "What it is good for.", body = AdminLink)))]
pub async fn open(
    State(web): State<Arc<Web>>,
    method: Method,
    extensions: Extensions,
    headers: HeaderMap,
    Body(request): Body<OpenAdminLink>,
) -> Result<Response, ProblemResponse> {
    refuse_other_pages(&web, &method, &headers)?;
    let known = Cookie::AdminLink.of(&headers, &web.base);
    let (link, cookie) = admin_links::open(&web.app, &request.link, known).await?;
    if link.state != AdminLinkState::Open {
        too_many(
            web.rates
                .failure(address_of(&extensions, &headers, &web.proxies)),
        )?;
    }
    let set = Cookie::AdminLink.set(&cookie, KEPT, &web.base);
    let set: HeaderMap = set
        .into_iter()
        .map(|value| (header::SET_COOKIE, value))
        .collect();
    Ok((set, Json(link)).into_response())
}

/// Sign in with a one-time link.
///
/// Uses the link up and begins a session. A link that makes a new administrator takes the name.
#[utoipa::path(post, path = "/session/link/sign-in", operation_id = "UseAdminLink", tag = "Session", security(()),
    request_body = UseAdminLink,
    extensions(("x-needs" = json!(["Browser"]))),
    responses(OwnPages, Counted, (status = 200, description = "The session; its cookie is set.", body = Session),
        (status = 401, description = "The link is used up, has ended, or belongs to another browser.",
         body = Problem, content_type = "application/problem+json")))]
pub async fn sign_in(
    State(web): State<Arc<Web>>,
    method: Method,
    extensions: Extensions,
    headers: HeaderMap,
    Body(request): Body<UseAdminLink>,
) -> Result<Response, ProblemResponse> {
    refuse_other_pages(&web, &method, &headers)?;
    let redeemed = admin_links::redeem(
        &web.app,
        &request.link,
        Cookie::AdminLink.of(&headers, &web.base),
        request.name.as_deref(),
        web.session_seconds,
    );
    match redeemed.await? {
        Ok(begun) => {
            let mut set = with_cookie(&web, &begun);
            if let Some(gone) = Cookie::AdminLink.set("", 0, &web.base) {
                set.append(header::SET_COOKIE, gone);
            }
            Ok((set, Json(described(&web, begun.session))).into_response())
        }
        Err(link) => {
            too_many(
                web.rates
                    .failure(address_of(&extensions, &headers, &web.proxies)),
            )?;
            Err(ProblemResponse::new(
                ProblemCode::Unauthenticated,
                sentence(link.state),
            ))
        }
    }
}

fn sentence(state: AdminLinkState) -> &'static str {
    match state {
        AdminLinkState::Used => "This link was used already; ask the operator for a new one.",
        AdminLinkState::OtherBrowser => {
            "This link was opened in another browser first; use it there, or ask the operator for a new one."
        }
        AdminLinkState::Open | AdminLinkState::Expired => {
            "This link has expired; ask the operator for a new one."
        }
    }
}
