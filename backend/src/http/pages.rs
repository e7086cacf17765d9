//! Serves the built-in pages under `/admin/`: one page for every path below it, and its files.
//!
//! The page is the same for everybody and contains no data; it calls the web services with the
//! session cookie. Outside CORS, like the session itself.

use std::sync::{Arc, LazyLock};

use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use checklist_shared::problem::ProblemCode;

use super::Web;
use super::assets::{self, add_tag};
use super::embedded::embedded;
use super::problem;
use crate::http::problem::ProblemResponse;

/// The policy of the pages: only files and calls of this server.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; \
     form-action 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
);
/// Isolates the pages from windows that open them or that they open.
const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The page, split where the path of the base URL is inserted.
static PAGE: LazyLock<Option<(&str, &str)>> = LazyLock::new(|| {
    let mut pages = embedded().pages.iter();
    let file = pages.find(|file| file.name == "index.html")?;
    Some((std::str::from_utf8(file.plain).ok()?, file.sha256))
});

/// `GET /admin`: the pages live one slash further down.
pub async fn to_pages(State(web): State<Arc<Web>>) -> Redirect {
    Redirect::permanent(&format!("{}/admin/", web.base.path()))
}

/// `GET /computers`: an address that can be remembered.
pub async fn to_computers(State(web): State<Arc<Web>>) -> Redirect {
    Redirect::temporary(&format!("{}/admin/computers", web.base.path()))
}

/// `GET /open-items`: an address that can be remembered.
pub async fn to_open_items(State(web): State<Arc<Web>>) -> Redirect {
    Redirect::temporary(&format!("{}/admin/open-items", web.base.path()))
}

/// `GET /admin/` and everything below it that is no file.
pub async fn page(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    let Some((text, hash)) = *PAGE else {
        return ProblemResponse::new(
            ProblemCode::NotFound,
            "This server was built without its pages; `cargo xtask build` makes them.",
        )
        .into_response();
    };
    let mut answered = HeaderMap::new();
    answered.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answered.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    answered.insert(OPENER, HeaderValue::from_static("same-origin-allow-popups"));
    if add_tag(&mut answered, hash, &headers) {
        return (StatusCode::NOT_MODIFIED, answered).into_response();
    }
    answered.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    let base = web.base.path();
    (answered, text.replace("__BASE__", &escape_path(base))).into_response()
}

/// `GET /admin/assets/{file}`.
pub async fn file(Path(name): Path<String>, uri: Uri, headers: HeaderMap) -> Response {
    match embedded()
        .pages
        .iter()
        .find(|file| file.name == name && file.name != "index.html")
    {
        Some(file) => assets::respond(file, &headers),
        None => problem::not_found(uri).await.into_response(),
    }
}

/// Escapes a path for an attribute in double quotes.
pub(super) fn escape_path(path: &str) -> String {
    path.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}
