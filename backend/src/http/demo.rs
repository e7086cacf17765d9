//! The demo's page, and tokens for everybody. Exists with `--demo` only.
//!
//! Invariant: the token goes to pages of this server, to programs, and to pages of the origins that
//! `--allow-page` names, never to a page of another site.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use checklist_shared::problem::ProblemCode;
use checklist_shared::wire::admin::{DemoTokenRequest, Token};

use super::Web;
use super::assets;
use super::demo_pages::DemoPages;
use super::embedded::{File, embedded};
use super::extract::MaybeBody;
use super::problem;
use super::problems::OwnPages;
use crate::http::problem::ProblemResponse;

/// The content security policy of the demo page: the control needs no more on any page.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; \
     font-src 'self'; frame-src 'self'; form-action 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'; \
     require-trusted-types-for 'script'",
);
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A token for the demo.
///
/// Without fields an admin on any context of the tenant `demo`; fields narrow it. `Contexts` is
/// what the control's `token-url` is asked with. Answers only while the server runs with
/// `--demo`, and to pages of another site only if their origin is named with `--allow-page`.
#[utoipa::path(post, path = "/demo/token", operation_id = "DemoToken", tag = "Demo", security(()),
    request_body = Option<DemoTokenRequest>,
    extensions(("x-needs" = json!(["Demo"]))),
    responses(OwnPages, (status = 200, description = "A token for ten minutes.", body = Token)))]
pub async fn token(
    State(web): State<Arc<Web>>,
    headers: HeaderMap,
    MaybeBody(request): MaybeBody<DemoTokenRequest>,
) -> Result<Json<Token>, ProblemResponse> {
    let issuer = web.demo.as_ref().ok_or_else(|| {
        ProblemResponse::new(
            ProblemCode::NotFound,
            "This server does not run in demo mode.",
        )
    })?;
    refuse_unnamed_pages(&web.demo_pages, &headers)?;
    issuer.mint(request, web.now()).map(Json).map_err(|errors| {
        ProblemResponse::fields(
            ProblemCode::InvalidRequest,
            "No such token can be given.",
            errors,
        )
    })
}

/// `GET /demo`: the pages live one slash further down.
pub async fn to_page(State(web): State<Arc<Web>>) -> Redirect {
    Redirect::temporary(&format!("{}/demo/", web.base.path()))
}

/// `GET /demo/`.
pub async fn page(uri: Uri, headers: HeaderMap) -> Response {
    file(Path("index.html".to_owned()), uri, headers).await
}

/// `GET /demo/{file}`; a page goes by its name without the ending too.
pub async fn file(Path(name): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    let named =
        |file: &&File| file.name == name || file.name.strip_suffix(".html") == Some(name.as_str());
    let Some(file) = embedded().demo.iter().find(named) else {
        return problem::not_found(uri).await.into_response();
    };
    let mut response = assets::respond(file, &headers);
    // A 304 as well: its headers replace those of the page that the browser has kept.
    if matches!(response.status(), StatusCode::OK | StatusCode::NOT_MODIFIED) {
        response
            .headers_mut()
            .insert(header::CONTENT_SECURITY_POLICY, POLICY);
    }
    response
}

/// Refuses pages of other sites whose origin was not named at the start.
fn refuse_unnamed_pages(named: &DemoPages, headers: &HeaderMap) -> Result<(), ProblemResponse> {
    let origin = headers.get(header::ORIGIN);
    let origin = origin.and_then(|origin| origin.to_str().ok());
    if origin.is_some_and(|origin| named.allow(origin)) || !is_of_other_site(headers) {
        return Ok(());
    }
    Err(ProblemResponse::new(
        ProblemCode::OriginRefused,
        named.explain_refusal(origin),
    ))
}

/// Whether a page of another site asks.
pub(super) fn is_of_other_site(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let from_elsewhere =
        text(&FETCH_SITE).is_some_and(|site| site != "same-origin" && site != "none");
    // Older browsers send no Sec-Fetch-Site; an Origin names the page all the same.
    let other_origin = text(&header::ORIGIN).is_some_and(|origin| {
        let own = text(&header::HOST).unwrap_or("");
        origin.split_once("://").map(|(_, host)| host) != Some(own)
    });
    from_elsewhere || other_origin
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(pairs: &[(HeaderName, &'static str)]) -> bool {
        let headers = pairs
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect();
        is_of_other_site(&headers)
    }

    #[test]
    fn only_own_pages_and_programs_get_a_token() {
        let host = (header::HOST, "127.0.0.1:8080");
        assert!(!refused(&[]));
        assert!(!refused(&[(header::HOST, "127.0.0.1:8080")]));
        assert!(!refused(&[
            host.clone(),
            (header::ORIGIN, "http://127.0.0.1:8080"),
            (FETCH_SITE, "same-origin")
        ]));
        assert!(!refused(&[host.clone(), (FETCH_SITE, "none")]));
        for site in ["cross-site", "same-site", "whatever"] {
            assert!(refused(&[host.clone(), (FETCH_SITE, site)]), "{site}");
        }
        for origin in [
            "https://evil.example",
            "http://127.0.0.1:9090",
            "null",
            "http://localhost:8080",
        ] {
            assert!(
                refused(&[host.clone(), (header::ORIGIN, origin)]),
                "{origin}"
            );
        }
    }
}
