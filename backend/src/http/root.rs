//! `GET /`: where to go from the address of the server.
//!
//! Browsers are sent to a page, programs get the addresses as JSON. Invariant: the answer depends on
//! the configuration only, so it tells strangers nothing about tenants or people.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Serialize;

use super::Web;
use super::layers::API_LEVEL;
use super::paths::PREFIX;

/// What programs are told.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directory {
    name: &'static str,
    version: &'static str,
    api_level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    demo: Option<String>,
    administration: String,
    documentation: String,
    open_api: String,
    web_services: String,
}

/// `GET /`, below the path of the base URL: the demo or the administration for browsers, the
/// addresses of the server for programs.
///
/// Answered above that path too: a proxy that forwards only the path never asks there, and one that
/// leaves it out gets to an address that says so, instead of here again.
pub async fn root(State(web): State<Arc<Web>>, headers: HeaderMap) -> Response {
    let mut response = if wants_page(&headers) {
        let page = if web.demo.is_some() { "demo" } else { "admin" };
        Redirect::temporary(&format!("{}/{page}/", web.base.path())).into_response()
    } else {
        Json(directory(&web)).into_response()
    };
    let vary = HeaderValue::from_static("accept");
    response.headers_mut().append(header::VARY, vary);
    response
}

fn directory(web: &Web) -> Directory {
    let base = &web.base;
    Directory {
        name: "Checklist Control",
        version: env!("CARGO_PKG_VERSION"),
        api_level: API_LEVEL,
        demo: web.demo.is_some().then(|| format!("{base}/demo/")),
        administration: format!("{base}/admin/"),
        documentation: format!("{base}/docs/"),
        open_api: format!("{base}/openapi.json"),
        web_services: format!("{base}{PREFIX}"),
    }
}

/// Whether the caller is a browser that opens a page. Programs name JSON or anything (`*/*`).
pub(super) fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter();
    accepted
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|range| range.split(';').next())
        .any(|range| range.trim().eq_ignore_ascii_case("text/html"))
}
