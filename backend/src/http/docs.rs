//! The API document as JSON, and Swagger UI as its viewer.
//!
//! Swagger UI is vendored, so it loads nothing from other sites. It sets styles on its own elements
//! and therefore has its own policy; everything else keeps the strict one.

use std::sync::{Arc, LazyLock};

use axum::Extension;
use axum::extract::{Path, State};
use axum::http::Uri;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use utoipa::openapi::OpenApi;
use utoipa::openapi::server::Server;
use utoipa_swagger_ui::Config;

use super::Web;
use super::problem::{internal, not_found};

/// The policy of the viewer's pages, without the origins that it may send calls to.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'; connect-src 'self'";

/// Appended to the vendor's styles: keeps code in the introduction within its line.
const STYLES: &[u8] =
    b".swagger-ui .info p{line-height:1.5}.swagger-ui .info p code{padding:1px 4px}";

/// The URL is relative, so it works below any base path.
static SETTINGS: LazyLock<Arc<Config<'static>>> =
    LazyLock::new(|| Arc::new(Config::new(["../openapi.json"]).try_it_out_enabled(true)));

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

/// `GET /docs/`.
pub async fn page(web: State<Arc<Web>>, uri: Uri) -> Response {
    file(web, Path("index.html".to_owned()), uri).await
}

/// `GET /docs/{file}`.
pub async fn file(State(web): State<Arc<Web>>, Path(name): Path<String>, uri: Uri) -> Response {
    let found = utoipa_swagger_ui::serve(&name, Arc::clone(&SETTINGS)).map_err(|_| internal());
    match found {
        Ok(Some(file)) => {
            let mut headers = HeaderMap::new();
            if let Ok(kind) = HeaderValue::from_str(&file.content_type) {
                headers.insert(header::CONTENT_TYPE, kind);
            }
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            // Whoever opens the page under another name still calls the server by its own.
            if let Ok(policy) = HeaderValue::try_from(format!("{POLICY} {}", web.base.origin())) {
                headers.insert(header::CONTENT_SECURITY_POLICY, policy);
            }
            let mut bytes = file.bytes.into_owned();
            if name == "index.css" {
                bytes.extend_from_slice(STYLES);
            }
            (headers, bytes).into_response()
        }
        Ok(None) => not_found(uri).await.into_response(),
        Err(error) => error.into_response(),
    }
}
