//! The HTTP layer: routes, layers, extractors, handlers, assets.
//!
//! [`router::router`] lists all routes. Handlers extract their input with `extract`, call one
//! service and return its result. Invariant: every error is a problem document, but for a
//! browser that opens an address without anything.

mod admin_links;
pub mod apply;
pub mod assets;
pub mod audit;
pub mod checklist;
pub mod computers;
pub mod connections;
pub mod cookie;
pub mod csv;
pub mod demo;
pub mod demo_pages;
pub mod docs;
pub mod document;
mod document_shape;
pub mod embedded;
mod entity_tag;
pub mod examples;
pub mod extract;
pub mod failed_sign_ins;
pub mod health;
pub mod journal;
pub mod keys;
pub mod layers;
mod listing;
mod lists;
pub mod live;
pub mod mcp;
mod not_found;
pub mod pages;
mod passkeys;
pub mod paths;
pub mod peer;
pub mod platform_type;
pub mod preview;
pub mod problem;
mod problems;
pub mod render;
pub mod root;
pub mod router;
mod runs;
pub mod session;
pub mod sign_in;
pub mod sites;
mod styling;
pub mod template;
mod template_health;
pub mod webhooks;
pub mod workflows;

use std::sync::Arc;

use checklist_auth::Authenticator;
use checklist_auth::demo::DemoIssuer;
use checklist_auth::embed::EmbedVerifier;
use checklist_auth::keys::KeyRing;
use checklist_auth::mint::Minter;
use checklist_auth::oidc::Oidc;
use checklist_auth::passkey::RelyingParty;
use checklist_auth::rates::{RateLimits, Rates};
use checklist_auth::session::USUAL as USUAL_SESSION;
use checklist_services::app::App;
use checklist_services::base_url::BaseUrl;
use checklist_shared::time::Timestamp;
use tokio::sync::watch;

use crate::config::Proxies;
use crate::metrics::Metrics;
use crate::shutdown::{self, ShutdownPhase};
use demo_pages::DemoPages;
use failed_sign_ins::FailedSignIns;

/// What handlers share.
pub struct Web {
    /// The application behind the services.
    pub app: App,
    /// Where browsers reach the server.
    pub base: BaseUrl,
    /// Judges credentials.
    pub gate: Authenticator,
    /// Signs embed tokens for programs with an API key.
    pub minter: Minter,
    /// Mints tokens; in the demo only.
    pub demo: Option<DemoIssuer>,
    /// Pages elsewhere that the demo gives tokens to.
    pub demo_pages: DemoPages,
    /// The identity provider, where there is one.
    pub oidc: Option<Arc<Oidc>>,
    /// This server as authenticators know it; `None` where its address has no host name.
    pub passkeys: Option<RelyingParty>,
    /// How often callers may ask.
    pub rates: RateLimits,
    /// Tells of sign-ins that have failed.
    pub failures: FailedSignIns,
    /// Who is believed for whom they ask.
    pub proxies: Proxies,
    /// How long a session lasts, in seconds.
    pub session_seconds: i64,
    /// Counts what is answered.
    pub metrics: Arc<Metrics>,
    /// Whether the server stops.
    pub shutdown: watch::Receiver<ShutdownPhase>,
}

impl Web {
    /// A web side for an application, reached at `base`, that takes tokens of `keys`.
    #[must_use]
    pub fn new(
        app: App,
        base: BaseUrl,
        keys: KeyRing,
        demo: Option<DemoIssuer>,
        oidc: Option<Arc<Oidc>>,
    ) -> Self {
        let audience = base.to_string();
        let embed = EmbedVerifier::new(keys, &audience);
        let trusted = Arc::clone(app.trust_cache());
        Self {
            gate: Authenticator::new(embed, oidc.clone(), trusted, app.shared_store()),
            minter: Minter::new(&audience),
            app,
            passkeys: RelyingParty::new(base.host(), base.origin()),
            base,
            demo,
            demo_pages: DemoPages::default(),
            oidc,
            rates: RateLimits::new(Rates::default()),
            failures: FailedSignIns::default(),
            proxies: Proxies::default(),
            session_seconds: USUAL_SESSION,
            metrics: Arc::new(Metrics::new(None)),
            shutdown: shutdown::never(),
        }
    }

    /// The present time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.app.clock().now()
    }
}
