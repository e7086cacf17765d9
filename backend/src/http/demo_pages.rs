//! Pages elsewhere that the demo gives tokens to (`--allow-page`), so that a visitor can try the
//! control on a page of their own.
//!
//! Invariant: only pages of these origins can read a token; nothing else of the demo is opened to them. An origin
//! is compared as a whole, but for the names of this machine: whoever was let in at `127.0.0.1` is let in at the
//! same port of `localhost`, because any program of this machine gets a token anyway. Every page can read why it
//! gets none.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::map_response;
use axum::response::Response;
use checklist_services::base_url::BaseUrl;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::config::check::is_origin_of_pages;

/// The names of this machine, as they stand in an origin.
const THIS_MACHINE: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// How many origins the log names; whoever asks chooses them.
const MOST_LOGGED: usize = 50;

/// The origins of those pages.
#[derive(Clone, Debug, Default)]
pub struct DemoPages {
    allowed: Arc<[String]>,
    /// The origins whose refusal is logged.
    refused: Arc<Mutex<HashSet<String>>>,
}

impl DemoPages {
    /// Pages of these origins, as browsers write them in `Origin`.
    #[must_use]
    pub fn new(origins: Vec<String>) -> Self {
        Self {
            allowed: origins.into(),
            refused: Arc::default(),
        }
    }

    /// Whether pages of that origin get tokens.
    #[must_use]
    pub fn allow(&self, origin: &str) -> bool {
        let port = port_of_this_machine(origin);
        let mut allowed = self.allowed.iter();
        allowed.any(|one| one == origin || port.is_some() && port == port_of_this_machine(one))
    }

    /// Why a page of that origin gets no token, and what to do about it. Logs it, once for each origin.
    pub fn explain_refusal(&self, origin: Option<&str>) -> String {
        let Some(origin) = origin.filter(|origin| is_origin_of_pages(origin)) else {
            return "The demo gives tokens to its own pages, and to pages with an address that is named at its start. A \
                    file has none: serve its folder, and name that address with --allow-page."
                .to_owned();
        };
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        if refused.len() < MOST_LOGGED && refused.insert(origin.to_owned()) {
            tracing::warn!(
                "a page of {origin} gets no token of the demo; if it is yours, start with --allow-page {origin}"
            );
        }
        format!(
            "The demo gives tokens to its own pages, and to those that are named at its start: --allow-page {origin}."
        )
    }

    /// Opens the token endpoint to these origins. All may ask, and read a refusal.
    pub fn open(&self, endpoint: Router) -> Router {
        let pages = self.clone();
        let origins = AllowOrigin::predicate(move |origin, request| {
            request.method == Method::OPTIONS
                || origin.to_str().is_ok_and(|origin| pages.allow(origin))
        });
        let cors = CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::POST])
            .allow_headers([header::CONTENT_TYPE]);
        endpoint.layer(map_response(readable_refusal)).layer(cors)
    }
}

/// A refusal has no token, so pages of every origin may read it.
async fn readable_refusal(mut response: Response) -> Response {
    if response.status() == StatusCode::FORBIDDEN {
        let anybody = HeaderValue::from_static("*");
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, anybody);
    }
    response
}

/// Scheme and port of an origin on this machine, whichever name that has.
fn port_of_this_machine(origin: &str) -> Option<(&str, &str)> {
    let (scheme, place) = origin.split_once("://")?;
    THIS_MACHINE.iter().find_map(|name| {
        let port = place.strip_prefix(name)?;
        (port.is_empty() || port.starts_with(':')).then_some((scheme, port))
    })
}

/// The line of HTML that shows a checklist of the demo on a page elsewhere.
#[must_use]
pub fn line_of_html(base: &BaseUrl) -> String {
    format!(
        "<script type=\"module\" src=\"{base}/control/checklist-control.js\"></script>\
         <checklist-control object-type=\"incident\" object-id=\"INC-1\" token-url=\"{base}/demo/token\"></checklist-control>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_this_machine_is_let_in_by_each_of_its_names_at_its_port_alone() {
        let pages = |origin: &str| DemoPages::new(vec![origin.to_owned()]);
        for named in [
            "http://127.0.0.1:8082",
            "http://localhost:8082",
            "http://[::1]:8082",
        ] {
            for asked in [
                "http://127.0.0.1:8082",
                "http://localhost:8082",
                "http://[::1]:8082",
            ] {
                assert!(pages(named).allow(asked), "{named} {asked}");
            }
            for asked in [
                "http://localhost",
                "http://localhost:80821",
                "http://localhost:8083",
                "https://localhost:8082",
                "http://localhost.evil.example:8082",
                "http://localhost:8082.evil.example",
                "http://127.0.0.1.evil.example:8082",
                "http://127.0.0.2:8082",
                "http://app.localhost:8082",
                "http://evil@localhost:8082",
                "null",
                "",
            ] {
                assert!(!pages(named).allow(asked), "{named} {asked}");
            }
        }
        assert!(pages("http://localhost").allow("http://127.0.0.1"));
        assert!(!pages("http://desk.example:8082").allow("http://localhost:8082"));
        assert!(!pages("http://desk.example").allow("http://other.example"));
        assert!(!DemoPages::default().allow("http://localhost:8082"));
    }
}
