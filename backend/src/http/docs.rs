//! The API document as JSON, and a browser for it that needs no other site.
//!
//! The browser is the vendored Swagger UI. It sets styles on its own elements, so its pages have
//! a policy of their own; everything else of the server keeps the strict one.

use std::sync::{Arc, LazyLock};

use axum::extract::{Path, State};
use axum::http::Uri;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use utoipa::openapi::server::Server;
use utoipa_swagger_ui::Config;

use super::problem::{internal, not_found};
use super::{Web, router};

const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; \
     font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The address is relative, so it holds below any base path.
static SETTINGS: LazyLock<Arc<Config<'static>>> =
    LazyLock::new(|| Arc::new(Config::new(["../openapi.json"]).try_it_out_enabled(true)));

/// `GET /openapi.json`: the document, with this server's own path.
pub async fn openapi(State(web): State<Arc<Web>>) -> Response {
    let mut document = router::openapi();
    if !web.base.path().is_empty() {
        document.servers = Some(vec![Server::new(web.base.path())]);
    }
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

/// `GET /docs/`.
pub async fn page(uri: Uri) -> Response {
    file(Path("index.html".to_owned()), uri).await
}

/// `GET /docs/{file}`.
pub async fn file(Path(name): Path<String>, uri: Uri) -> Response {
    let found = utoipa_swagger_ui::serve(&name, Arc::clone(&SETTINGS)).map_err(|_| internal());
    match found {
        Ok(Some(file)) => {
            let mut headers = HeaderMap::new();
            if let Ok(kind) = HeaderValue::from_str(&file.content_type) {
                headers.insert(header::CONTENT_TYPE, kind);
            }
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            headers.insert(header::CONTENT_SECURITY_POLICY, POLICY);
            (headers, file.bytes.into_owned()).into_response()
        }
        Ok(None) => not_found(uri).await.into_response(),
        Err(error) => error.into_response(),
    }
}
