//! `serve`: from checked settings to a server that answers, and to its orderly end.
//!
//! The port is taken first, then the database: whatever refuses, nothing is left half done.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use checklist_auth::demo::DemoIssuer;
use checklist_auth::oidc::Oidc;
use checklist_auth::oidc::roles::RoleMapping;
use checklist_auth::rates::RateLimits;
use checklist_egress::{self as egress, Egress};
use checklist_runtime::clock;
use checklist_runtime::failpoint;
use checklist_services::app::{App, AppOptions};
use checklist_services::audit::checkpoints;
use checklist_services::base_url::BaseUrl;
use checklist_services::connections::rotation;
use checklist_services::{admin_links, admission, housekeeping, tenants, webhooks, workflows};
use checklist_store::database::Database;
use checklist_store::error::ServiceError;
use checklist_store::sqlite::DATABASE;
use checklist_store::store::StoreError;
use checklist_vault::VaultKeys;
use checklist_workflow::worker::Worker;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::access::link_address;
use super::listener::answer::answer;
use super::listener::{
    ConnectionLimits, Connections, GracefulListener, most_connections, most_streams,
};
use super::log::{self, LogFormat};
use super::output::say;
use super::stop_signals::{self, StopSignals};
use super::vault::VAULT_KEYS_IN_USE;
use super::{data, service};
use crate::config::listen::Listen;
use crate::config::{Exit, Settings, StartupError, Synchronous, vault};
use crate::http::demo_pages::{DemoPages, line_of_html};
use crate::http::{Web, assets, router};
use crate::metrics::{self, Metrics};
use crate::shutdown::{self, ShutdownPhase};

/// How long requests that have begun may take after the signal. The rest of the ten seconds
/// belongs to the database.
const LAST_ANSWERS: Duration = Duration::from_secs(7);
/// How long new connections have been refused before streams end.
const BEFORE_STREAMS_END: Duration = Duration::from_millis(100);
/// How long the worker may take to let go of its runs, and the sender of its deliveries.
const LAST_CHUNK: Duration = Duration::from_millis(500);
/// How long the database may take to end when the requests have used up their time. Usually they have
/// not, and it has what is left of [`LAST`]: a log that has to be written back into a large file takes
/// the disk some seconds.
const LAST_WRITES: Duration = Duration::from_secs(2);
/// How many may ask for figures at once.
const FIGURES: usize = 16;
/// How long all of a stop may take after the drain.
const LAST: Duration = Duration::from_millis(9_500);

/// Runs the server until a signal stops it.
///
/// # Errors
/// Why it does not start, or did not end well.
pub fn run(settings: Settings, filter: &str, format: LogFormat) -> Result<(), StartupError> {
    let traces = log::start(filter, format)?;
    if assets::CONTROL.is_empty() {
        return Err(StartupError::new(
            Exit::Failed,
            "This binary was built without the control, so pages could not show a checklist.",
            "Build it with `cargo xtask build`, or build and run it with `cargo xtask serve`.",
        ));
    }
    let ended = data::with_runtime(serve(settings));
    traces.end();
    ended
}

async fn serve(settings: Settings) -> Result<(), StartupError> {
    let (listener, address) = listen(settings.listen).await?;
    let for_figures = match settings.metrics_listen {
        Some(place) => Some(listen(place).await?),
        None => None,
    };
    let limits = ConnectionLimits {
        most: most_connections(settings.max_connections),
        head: settings.head_timeout,
        idle: settings.idle_timeout,
    };
    // Nothing is made for a server that could let nobody in.
    let there = |folder: &std::path::Path| folder.join(DATABASE).exists();
    if !settings.lets_anybody_in() && !settings.database.folder().is_none_or(there) {
        return Err(Settings::nobody_is_let_in());
    }
    let vault = match (&settings.vault, settings.demo) {
        (None, true) => vault::of_demo(&settings.database)?,
        (keys, _) => keys.clone(),
    };
    let app = data::open(AppOptions {
        demo: settings.demo,
        vault,
        egress: Some(Arc::new(egress_of(&settings)?)),
        limits: settings.limits,
        streams: most_streams(settings.streams, limits.most),
        handle_seconds: settings.handle_seconds,
        run_retries: settings.run_retries,
        retention: settings.retention,
        synchronous_full: settings.synchronous == Synchronous::Full,
        ..AppOptions::on(settings.database.clone())
    })
    .await?;
    if !settings.lets_anybody_in() && !admission::is_prepared(&app).await.unwrap_or(false) {
        return Err(Settings::nobody_is_let_in());
    }
    refuse_unusable_keys(&app).await?;
    register_configured_tenants(&app, &settings).await?;
    note_vault_keys(&settings.database, app.vault());
    if settings.demo {
        crate::demo::seed(&app, settings.demo_site.as_deref())
            .await
            .map_err(|error| {
                let detail = error.problem.detail.unwrap_or(error.problem.title);
                StartupError::new(
                    Exit::Data,
                    format!("The demo's data cannot be written: {detail}"),
                    "Choose another folder with --data-dir.",
                )
            })?;
    }
    // Before the first request, so that a revocation is never missed.
    app.trust_cache()
        .refresh()
        .await
        .map_err(|error| cannot_read(&error))?;
    let trusted = Arc::clone(app.trust_cache());
    let following = tokio::spawn(async move { trusted.follow().await });
    let housekeeping = tokio::spawn(housekeeping::run(app.clone()));
    // Whoever held a run of ours before this start holds it no longer.
    app.store()
        .end_stale_leases()
        .await
        .map_err(|error| cannot_read(&error))?;
    app.store()
        .end_stale_deliveries()
        .await
        .map_err(|error| cannot_read(&error))?;
    let (rest, told_to_rest) = watch::channel(false);
    let worker = tokio::spawn(worker(&app)?.work(told_to_rest.clone()));
    let sender = tokio::spawn(webhooks::sender::run(app.clone(), told_to_rest));

    let base = settings.base_url.clone();
    let base = base.unwrap_or_else(|| BaseUrl::of_socket(address));
    let signing = tokio::spawn(checkpoints::run(app.clone(), base.clone()));

    let (phase, shutdown) = watch::channel(ShutdownPhase::Serving);
    let web = Arc::new(web(app.clone(), &settings, base, shutdown)?);
    let figures = for_figures.map(|(listener, address)| {
        tracing::info!(%address, "figures at /metrics");
        let routes = metrics::listener::routes(web.app.clone(), Arc::clone(&web.metrics));
        let limits = ConnectionLimits {
            most: FIGURES,
            ..limits
        };
        let write_timeout = settings.write_timeout;
        tokio::spawn(async move {
            let shutdown = shutdown::never();
            let (graceful, _) = GracefulListener::new(listener, shutdown, write_timeout);
            let connections = Arc::new(Connections::new(limits));
            answer(graceful, routes, connections, std::future::pending()).await;
        })
    });
    // Before the address is announced: whoever reads that may stop the server at once.
    let stopped = Arc::new(OnceLock::new());
    let stop = {
        let (stopped, signals) = (Arc::clone(&stopped), StopSignals::listen());
        let (phase, drain) = (phase.clone(), settings.drain);
        async move {
            stop_signals::wait(signals, drain, &phase, |drain| {
                tracing::info!(?drain, "stopping");
                service::tell(&service::stopping_within(drain + LAST));
            })
            .await;
            let _ = stopped.set(Instant::now());
        }
    };
    tracing::info!(base = %web.base, data = %settings.database, demo = settings.demo, "serving");
    say(&format!("listening on http://{address}{}", web.base.path()));
    service::tell(service::READY);
    if settings.demo {
        say_pages_of_demo(&web.base, &settings.demo_pages);
    }
    if !settings.demo
        && settings
            .oidc
            .as_ref()
            .is_none_or(|oidc| oidc.client.is_none())
    {
        say_first_sign_in(&web).await;
    }

    answer_until_stopped(listener, settings.write_timeout, limits, web, phase, stop).await;
    rest.send_replace(true);
    housekeeping.abort();
    signing.abort();
    following.abort();
    if let Some(figures) = figures {
        figures.abort();
    }
    let resting = async { tokio::join!(worker, sender) };
    if tokio::time::timeout(LAST_CHUNK, resting).await.is_err() {
        tracing::warn!("runs and deliveries were left as they are");
    }
    let spent = stopped.get().map_or(LAST, Instant::elapsed);
    let patience = LAST.saturating_sub(spent).max(LAST_WRITES);
    match tokio::time::timeout(patience, app.close()).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(StartupError::new(
            Exit::Failed,
            "The database could not be closed well.",
            "Nothing acknowledged is lost; the next start makes it whole.",
        )),
    }
}

/// The addresses to open, for whoever has just started a demo.
fn say_pages_of_demo(base: &BaseUrl, own_pages: &[String]) {
    for (title, path) in [
        ("Demo page", "demo"),
        ("Administration", "admin"),
        ("API docs", "docs"),
    ] {
        say(&format!("   {title:<15} {base}/{path}/"));
    }
    let title = "Your own page";
    if own_pages.is_empty() {
        say(&format!("   {title:<15} {base}/demo/own-page"));
        return;
    }
    for origin in own_pages {
        say(&format!("   {title:<15} {origin}/"));
    }
    say(&format!(
        "   Put this line into it:\n   {}",
        line_of_html(base)
    ));
}

/// Tells the operator how to sign in to tenants that nobody administers yet. A link is made where
/// there is one such tenant; each of several may be somebody else's.
async fn say_first_sign_in(web: &Web) {
    let link = async {
        let without = admission::without_administrator(&web.app).await?;
        let secret = match without.as_slice() {
            [only] => Some(admin_links::create(&web.app, only, None).await?),
            _ => None,
        };
        Ok::<_, ServiceError>((without, secret))
    };
    match link.await {
        Ok((_, Some(secret))) => say(&format!(
            "nobody administers this server yet: open {} once, within 10 minutes",
            link_address(&web.base, &secret)
        )),
        Ok((tenants, None)) => {
            for tenant in tenants {
                say(&format!(
                    "nobody administers the tenant {tenant} yet; make a link: checklist-server admin-link --tenant {tenant} \
                     --base-url {}",
                    web.base
                ));
            }
        }
        Err(error) => tracing::warn!(code = ?error.code(), "no link for a first administrator"),
    }
}

/// A tenant that a key or a group of the configuration names is one, before anybody has written to it: the
/// command line finds it.
async fn register_configured_tenants(app: &App, settings: &Settings) -> Result<(), StartupError> {
    let there = tenants::list(app).await?;
    let of_keys = settings.keys.iter().filter_map(|key| key.tenant.as_deref());
    let roles = settings.oidc.as_ref().and_then(|oidc| oidc.roles.as_ref());
    let of_groups = roles.map_or_else(Vec::new, RoleMapping::tenants);
    for id in of_keys.chain(of_groups) {
        if !there.iter().any(|tenant| tenant.id == id) {
            tenants::put(app, id, None, None).await?;
        }
    }
    Ok(())
}

/// Writes the names of the vault's keys beside the database, so that `vault rotate` does not seal
/// anything with a key that this server does not have. Without the file it does not ask.
fn note_vault_keys(database: &Database, vault: Option<&VaultKeys>) {
    let Some(folder) = database.folder() else {
        return;
    };
    let names: Vec<&str> = vault.into_iter().flat_map(VaultKeys::names).collect();
    if let Err(error) = std::fs::write(folder.join(VAULT_KEYS_IN_USE), names.join("\n")) {
        tracing::warn!(%error, "the names of the vault's keys could not be written down");
    }
}

/// Who carries out runs on this node.
pub(super) fn worker(app: &App) -> Result<Worker, StartupError> {
    arm_failpoint();
    let mut name = [0; 8];
    clock::random(&mut name).map_err(|_| {
        StartupError::new(
            Exit::Failed,
            "The system has no random numbers to name this node by.",
            "Look at the system's source of randomness.",
        )
    })?;
    let name: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
    let engine = workflows::engine(app.clone());
    Ok(Worker::new(engine, name))
}

/// Chooses the place at which a test stops a run.
#[expect(
    clippy::disallowed_methods,
    reason = "only tests set it, and only some builds read it"
)]
fn arm_failpoint() {
    if cfg!(any(feature = "failpoints", debug_assertions))
        && let Ok(place) = std::env::var("CHECKLIST_FAILPOINT")
    {
        let chunk = std::env::var("CHECKLIST_FAILPOINT_CHUNK");
        failpoint::arm(place, chunk.ok().and_then(|chunk| chunk.parse().ok()));
    }
}

/// The rules for outgoing requests.
pub(super) fn egress_of(settings: &Settings) -> Result<Egress, StartupError> {
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

/// A server that could not open what it keeps does not begin.
async fn refuse_unusable_keys(app: &App) -> Result<(), StartupError> {
    let unusable = rotation::unusable_keys(app).await.map_err(|error| {
        let detail = error.problem.detail.unwrap_or(error.problem.title);
        StartupError::new(
            Exit::Data,
            format!("The service connections and webhooks cannot be read: {detail}"),
            "Restore the database from a backup.",
        )
    })?;
    if !unusable.missing.is_empty() {
        return Err(StartupError::configuration(
            format!(
                "Service connections or webhooks are sealed with vault keys that are not there: {}.",
                unusable.missing.join(", ")
            ),
            "Name the key file that holds them with --vault-key FILE (or CHECKLIST_VAULT_KEY), or put it back from your \
             copy. A new key cannot open what another one has sealed.",
        ));
    }
    if !unusable.wrong.is_empty() {
        return Err(StartupError::configuration(
            format!(
                "The vault key file holds a key named {}, but it is not the one that has sealed the service connections \
                 and webhooks: it opens none of them.",
                unusable.wrong.join(", ")
            ),
            "Put the original key file back from your copy. A new key of the same name opens nothing.",
        ));
    }
    Ok(())
}

fn web(
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

/// Serves until a signal comes, then lets what has begun come to its end.
async fn answer_until_stopped(
    listener: TcpListener,
    write_timeout: Duration,
    limits: ConnectionLimits,
    web: Arc<Web>,
    phase: watch::Sender<ShutdownPhase>,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let shutdown = phase.subscribe();
    let mut stopping = shutdown.clone();
    let hub = Arc::clone(web.app.hub());
    tokio::spawn(async move {
        stop.await;
        phase.send_replace(ShutdownPhase::Stopping);
        // Whoever loses a stream connects again at once: by then, not to this server.
        tokio::time::sleep(BEFORE_STREAMS_END).await;
        hub.close();
    });
    let (graceful, all_accepted) = GracefulListener::new(listener, shutdown, write_timeout);
    let connections = Arc::new(Connections::new(limits));
    let server = answer(graceful, router::router(web), connections, all_accepted);
    let patience = async move {
        let _ = stopping
            .wait_for(|phase| *phase == ShutdownPhase::Stopping)
            .await;
        tokio::time::sleep(LAST_ANSWERS).await;
    };
    tokio::select! {
        () = server => {}
        () = patience => tracing::warn!("some connections did not come to their end"),
    }
}

fn cannot_read(error: &StoreError) -> StartupError {
    StartupError::new(
        Exit::Data,
        format!("The database cannot be read: {error}."),
        "Restore the folder from a backup, or choose another with --data-dir.",
    )
}

async fn listen(place: Listen) -> Result<(TcpListener, SocketAddr), StartupError> {
    let bound = async {
        let listener = TcpListener::bind(place.address()).await?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    bound.await.map_err(|error| cannot_listen(place, &error))
}

pub(super) fn cannot_listen(listen: Listen, error: &std::io::Error) -> StartupError {
    let hint = match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            "Another program listens there; stop it, or choose another port with --listen (or --metrics-listen)."
        }
        std::io::ErrorKind::PermissionDenied => {
            "Ports below 1024 need a privilege; choose another with --listen (or --metrics-listen)."
        }
        _ => "Choose an address of this machine with --listen.",
    };
    StartupError::new(
        Exit::Address,
        format!("The server cannot listen on {listen}: {error}."),
        hint,
    )
}
