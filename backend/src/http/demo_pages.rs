//! Pages elsewhere that the demo gives tokens to (`--allow-page`), so that a visitor can try the
//! control on a page of their own.
//!
//! Invariant: an origin is compared as a whole, and only these origins can read the answer of the
//! token endpoint; nothing else of the demo is opened to them.

use axum::http::{HeaderValue, Method, header};
use checklist_services::base_url::BaseUrl;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// The origins of those pages.
#[derive(Clone, Debug, Default)]
pub struct DemoPages(Vec<String>);

impl DemoPages {
    /// Pages of these origins, as browsers write them in `Origin`.
    #[must_use]
    pub fn new(origins: Vec<String>) -> Self {
        Self(origins)
    }

    /// Whether pages of that origin get tokens.
    #[must_use]
    pub fn allow(&self, origin: &str) -> bool {
        self.0.iter().any(|allowed| allowed == origin)
    }

    /// The layer of the token endpoint: these origins may ask and read, others get no header.
    pub fn cors(&self) -> CorsLayer {
        let origins = self.0.iter();
        let origins = origins.filter_map(|origin| HeaderValue::from_str(origin).ok());
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins))
            .allow_methods([Method::POST])
            .allow_headers([header::CONTENT_TYPE])
    }
}

/// The line of HTML that shows a checklist of the demo on a page elsewhere.
#[must_use]
pub fn line_of_html(base: &BaseUrl) -> String {
    format!(
        "<script type=\"module\" src=\"{base}/control/checklist-control.js\"></script>\
         <checklist-control object-type=\"incident\" object-id=\"INC-1\" token-url=\"{base}/demo/token\"></checklist-control>"
    )
}
