//! The web side of the server: routes, layers, extractors, handlers, assets.
//!
//! [`router::router`] is the list of everything that can be asked for. Handlers take what they
//! need through `extract`, call one service, and answer; every refusal is a problem document.

pub mod assets;
pub mod audit;
pub mod checklist;
pub mod csv;
pub mod demo;
pub mod docs;
pub mod document;
pub mod examples;
pub mod extract;
pub mod health;
pub mod journal;
pub mod layers;
pub mod platform_type;
pub mod preview;
pub mod problem;
pub mod router;
pub mod template;

use checklist_shared::time::Timestamp;

use crate::app::App;
use crate::auth::demo::DemoIssuer;
use crate::auth::embed::EmbedVerifier;
use crate::config::BaseUrl;

/// What handlers share.
pub struct Web {
    /// The application behind the services.
    pub app: App,
    /// Where browsers reach the server.
    pub base: BaseUrl,
    /// Verifies embed tokens.
    pub embed: EmbedVerifier,
    /// Mints tokens; in the demo only.
    pub demo: Option<DemoIssuer>,
}

impl Web {
    /// The present time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.app.clock().now()
    }
}
