//! What an address answers that nothing lives at: a page for browsers, a problem for programs.
//!
//! Invariant: the page says nothing of what was asked for, so no text of a stranger gets into it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use checklist_control::i18n::Language;

use super::Web;
use super::extract::accepted_languages;
use super::pages::escape_path;
use super::problem;
use super::root::wants_page;

/// The policy of the page: the style of the documentation, and nothing else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The fallback of the routes.
pub async fn not_found(State(web): State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    respond(&web, uri, &headers).await
}

/// The fallback beside the path of the base URL. A proxy that leaves the path out ends here, and whoever
/// has set it up reads why.
pub async fn elsewhere(State(web): State<Arc<Web>>, uri: Uri, headers: HeaderMap) -> Response {
    let response = if wants_page(&headers) {
        let is_german = is_german(&headers);
        let below = format!("<code>{}/</code>", escape_path(web.base.path()));
        let why = if is_german {
            format!(
                "Dieser Server antwortet unter {below}. Ein Proxy davor muss den Pfad unverändert weitergeben."
            )
        } else {
            format!(
                "This server answers below {below}. A proxy before it has to pass the path as it is."
            )
        };
        page(&web, is_german, &format!("<p>{why}</p>\n"))
    } else {
        problem::elsewhere(&uri, web.base.path()).into_response()
    };
    varying(response)
}

/// The answer for an address without anything.
pub async fn respond(web: &Web, uri: Uri, headers: &HeaderMap) -> Response {
    let response = if wants_page(headers) {
        page(web, is_german(headers), "")
    } else {
        problem::not_found(uri).await.into_response()
    };
    varying(response)
}

/// Says which headers the answer depends on.
fn varying(mut response: Response) -> Response {
    for name in ["accept", "accept-language"] {
        let name = HeaderValue::from_static(name);
        response.headers_mut().append(header::VARY, name);
    }
    response
}

fn page(web: &Web, is_german: bool, why: &str) -> Response {
    let (language, title, hint, administration, documentation) = if is_german {
        (
            "de",
            "Seite nicht gefunden",
            "Unter dieser Adresse gibt es nichts. Vielleicht ist sie unvollständig.",
            "Verwaltung",
            "Dokumentation",
        )
    } else {
        (
            "en",
            "Page not found",
            "There is nothing at this address. It may be incomplete.",
            "Administration",
            "Documentation",
        )
    };
    let base = escape_path(web.base.path());
    let demo = if web.demo.is_some() {
        format!("<li><a href=\"{base}/demo/\">Demo</a></li>\n")
    } else {
        String::new()
    };
    let html = format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – Checklist Control</title>\n\
         <link rel=\"stylesheet\" href=\"{base}/docs/docs.css\">\n</head>\n<body>\n<main class=\"text\">\n\
         <h1>{title}</h1>\n<p>{hint}</p>\n{why}<ul>\n{demo}\
         <li><a href=\"{base}/admin/\">{administration}</a></li>\n\
         <li><a href=\"{base}/docs/\">{documentation}</a></li>\n</ul>\n</main>\n</body>\n</html>\n"
    );
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (StatusCode::NOT_FOUND, headers, html).into_response()
}

/// Whether the language that the browser likes best is German.
fn is_german(headers: &HeaderMap) -> bool {
    let languages = accepted_languages(headers);
    let first = languages.first().map(|tag| Language::of(tag));
    first == Some(Language::De)
}
