//! Serves the documentation under `/docs/`, and the API document as JSON.
//!
//! The pages are finished HTML, made by `cargo xtask build` and embedded with gzip. They contain no
//! data and are the same on every server; what differs, their script reads from `server.json`. Invariant: no page relaxes the strict policy; that of the
//! gallery also permits WebAssembly, which the elements in it are.

use std::io::Read as _;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use checklist_shared::problem::ProblemCode;
use flate2::read::GzDecoder;
use serde_json::json;
use utoipa::openapi::OpenApi;
use utoipa::openapi::server::Server;

use super::Web;
use super::assets::add_tag;
use super::embedded::{Packed, embedded};
use super::entity_tag::accepts;
use super::not_found;
use super::problem::{ProblemResponse, internal};

/// The policy of the pages: scripts, styles, images and calls of this server.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
     form-action 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
);
/// The policy of the page with running elements.
const GALLERY_POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; \
     form-action 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
);

/// Builds the document; the router hands this in, since only it knows all routes.
#[derive(Clone, Copy)]
pub struct DocumentSource(pub fn() -> OpenApi);

/// `GET /openapi.json`: the document, with this server's own address.
pub async fn openapi(
    State(web): State<Arc<Web>>,
    Extension(DocumentSource(document)): Extension<DocumentSource>,
) -> Response {
    let mut document = document();
    document.servers = Some(vec![Server::new(web.base.to_string())]);
    match document.to_json() {
        Ok(text) => {
            let kind = (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            );
            let age = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            ([kind, age], text).into_response()
        }
        Err(_) => internal().into_response(),
    }
}

/// `GET /docs`.
pub async fn to_page(State(web): State<Arc<Web>>) -> Redirect {
    Redirect::permanent(&format!("{}/docs/", web.base.path()))
}

/// `GET /llms.txt`, where assistants look for it.
pub async fn to_llms(State(web): State<Arc<Web>>) -> Redirect {
    Redirect::permanent(&format!("{}/docs/llms.txt", web.base.path()))
}

/// `GET /demo/gallery`, where the gallery was before.
pub async fn to_gallery(State(web): State<Arc<Web>>) -> Redirect {
    Redirect::permanent(&format!("{}/docs/gallery", web.base.path()))
}

/// `GET /docs/`.
pub async fn page(web: State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    file(web, Path("index".to_owned()), uri, headers).await
}

/// `GET /docs/{path}`.
pub async fn file(
    State(web): State<Arc<Web>>,
    Path(path): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let docs = embedded().docs;
    if docs.is_empty() {
        return ProblemResponse::new(
            ProblemCode::NotFound,
            "This server was built without its documentation; `cargo xtask build` makes it.",
        )
        .into_response();
    }
    if path == "server.json" {
        let no_cache = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        return ([no_cache], Json(json!({ "Demo": web.demo.is_some() }))).into_response();
    }
    let find = |wanted: &str| docs.iter().find(|file| file.path == wanted);
    let found = match path.strip_suffix('/') {
        Some(folder) => find(&format!("{folder}/index")),
        None => find(&path),
    };
    match found {
        Some(file) => respond(file, &headers),
        None if find(&format!("{path}/index")).is_some() => {
            Redirect::permanent(&format!("{}/docs/{path}/", web.base.path())).into_response()
        }
        None => not_found::respond(&web, uri, &headers).await,
    }
}

fn respond(file: &'static Packed, asked: &HeaderMap) -> Response {
    let mut headers = HeaderMap::new();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    let policy = match file.path {
        "gallery" => GALLERY_POLICY,
        _ => POLICY,
    };
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    if add_tag(&mut headers, file.sha256, asked) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(file.content_type),
    );
    if accepts(asked, "gzip") {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        return (headers, file.gzip).into_response();
    }
    let mut plain = Vec::new();
    match GzDecoder::new(file.gzip).read_to_end(&mut plain) {
        Ok(_) => (headers, plain).into_response(),
        Err(_) => internal().into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policies_differ_in_webassembly_alone() {
        let text = |policy: HeaderValue| policy.to_str().expect("text").to_owned();
        let gallery = text(GALLERY_POLICY);
        assert_eq!(gallery.replace(" 'wasm-unsafe-eval'", ""), text(POLICY));
        assert!(!gallery.contains("unsafe-inline"));
    }
}
