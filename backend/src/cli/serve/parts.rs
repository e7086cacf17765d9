//! The parts of a server, made from checked settings: what answers, who carries out runs, the rules for
//! outgoing requests.

use std::sync::Arc;

use checklist_auth::demo::DemoIssuer;
use checklist_auth::oidc::Oidc;
use checklist_auth::rates::RateLimits;
use checklist_egress::{self as egress, Egress};
use checklist_runtime::clock;
use checklist_runtime::failpoint;
use checklist_services::app::App;
use checklist_services::base_url::BaseUrl;
use checklist_services::workflows;
use checklist_workflow::worker::Worker;
use tokio::sync::watch;

use crate::config::{Exit, Settings, StartupError};
use crate::http::Web;
use crate::http::demo_pages::DemoPages;
use crate::metrics::Metrics;
use crate::shutdown::ShutdownPhase;

/// What answers requests.
pub(super) fn web(
    app: App,
    settings: &Settings,
    base: BaseUrl,
    shutdown: watch::Receiver<ShutdownPhase>,
) -> Result<Web, StartupError> {
    let audience = base.to_string();
    let mut keys = settings.keys.clone();
    let mut demo = None;
    if settings.demo {
        let (issuer, key) = DemoIssuer::new(&audience).map_err(|error| {
            StartupError::new(
                Exit::Failed,
                format!("The demo cannot sign tokens: {error}."),
                "Try again.",
            )
        })?;
        keys.add(key).map_err(|kid| {
            StartupError::configuration(
                format!("The kid {kid} belongs to the demo."),
                "Name your key otherwise: --embed-key KID=FILE.",
            )
        })?;
        demo = Some(issuer);
    }
    for key in keys.iter() {
        tracing::info!(kid = key.kid, tenant = key.tenant.as_deref().unwrap_or("any"), algorithm = ?key.algorithm, "key");
    }
    let oidc = settings.oidc.clone();
    let oidc = oidc.map(|provider| Arc::new(Oidc::new(provider, Arc::clone(app.egress()))));
    Ok(Web {
        rates: RateLimits::new(settings.rates),
        demo_pages: DemoPages::new(settings.demo_pages.clone()),
        proxies: settings.proxies.clone(),
        session_seconds: settings.session_seconds,
        metrics: Arc::new(Metrics::new(settings.database.folder())),
        shutdown,
        ..Web::new(app, base, keys, demo, oidc)
    })
}

/// Who carries out runs of workflows on this node.
pub(in crate::cli) fn worker(app: &App) -> Result<Worker, StartupError> {
    arm_failpoint();
    let engine = workflows::engine(app.clone());
    Ok(Worker::new(engine, node_name()?))
}

/// A name that tells this node's leases from those of others.
pub(super) fn node_name() -> Result<String, StartupError> {
    let mut name = [0; 8];
    clock::random(&mut name).map_err(|_| {
        StartupError::new(
            Exit::Failed,
            "The system has no random numbers to name this node by.",
            "Look at the system's source of randomness.",
        )
    })?;
    Ok(name.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Chooses the place at which a test stops a run.
#[expect(
    clippy::disallowed_methods,
    reason = "only tests set it, and only some builds read it"
)]
fn arm_failpoint() {
    if failpoint::ARE_BUILT_IN
        && let Ok(place) = std::env::var("CHECKLIST_FAILPOINT")
    {
        let chunk = std::env::var("CHECKLIST_FAILPOINT_CHUNK");
        failpoint::arm(place, chunk.ok().and_then(|chunk| chunk.parse().ok()));
    }
}

/// The rules for outgoing requests.
pub(in crate::cli) fn egress_of(settings: &Settings) -> Result<Egress, StartupError> {
    let provider = settings.oidc.as_ref();
    let own = provider.and_then(|provider| egress::origin_of(&provider.issuer));
    let allowed = settings.allowed_origins.iter().cloned().chain(own);
    Egress::new(allowed)
        .and_then(|egress| egress.with_private_ranges(&settings.private_ranges))
        .map(|egress| egress.with_own_identity_at(settings.own_identity.iter().cloned()))
        .map_err(|error| {
            StartupError::new(
                Exit::Failed,
                format!("The server cannot ask other systems: {error}."),
                "This is a fault of the system's TLS.",
            )
        })
}
