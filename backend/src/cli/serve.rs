//! `serve`: from checked settings to a server that answers, and to its orderly end.
//!
//! The port is taken first, then the database: whatever refuses, nothing is left half done.

mod first_output;
mod parts;
mod sockets;
mod stored;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use checklist_services::app::AppOptions;
use checklist_services::audit::checkpoints;
use checklist_services::base_url::BaseUrl;
use checklist_services::{
    admission, due_items, housekeeping, open_item_sweep, template_runs, webhooks,
};
use checklist_store::sqlite::DATABASE;
use tokio::net::TcpListener;
use tokio::sync::watch;

use self::first_output::{say_first_sign_in, say_pages_of_demo};
pub(super) use self::parts::{egress_of, worker};
use self::parts::{node_name, web};
pub(super) use self::sockets::cannot_listen;
use self::sockets::listen;
use self::stored::{
    cannot_read, note_vault_keys, refuse_unusable_keys, register_configured_tenants,
    tell_unusable_audit_keys,
};
use super::listener::answer::answer;
use super::listener::{
    ConnectionLimits, Connections, GracefulListener, most_connections, most_streams,
};
use super::log::{self, LogFormat};
use super::output::say;
use super::stop_signals::{self, StopSignals};
use super::{data, service};
use crate::config::{Exit, Settings, StartupError, Synchronous, vault};
use crate::http::embedded::embedded;
use crate::http::{Web, router};
use crate::metrics;
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
    if embedded().control.is_empty() {
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
        list_memory: settings.list_memory,
        handle_seconds: settings.handle_seconds,
        run_retries: settings.run_retries,
        retention: settings.retention,
        audit_reads: settings.audit_reads,
        synchronous_full: settings.synchronous == Synchronous::Full,
        ..AppOptions::on(settings.database.clone())
    })
    .await?;
    if !settings.lets_anybody_in() && !admission::is_prepared(&app).await.unwrap_or(false) {
        return Err(Settings::nobody_is_let_in());
    }
    refuse_unusable_keys(&app).await?;
    tell_unusable_audit_keys(&app).await?;
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
        .end_stale_template_runs()
        .await
        .map_err(|error| cannot_read(&error))?;
    app.store()
        .end_stale_deliveries()
        .await
        .map_err(|error| cannot_read(&error))?;
    let (rest, told_to_rest) = watch::channel(false);
    let worker = tokio::spawn(worker(&app)?.work(told_to_rest.clone()));
    let applier = template_runs::worker::run(app.clone(), node_name()?, told_to_rest.clone());
    let applier = tokio::spawn(applier);
    let sender = tokio::spawn(webhooks::sender::run(app.clone(), told_to_rest.clone()));
    let announcer = tokio::spawn(due_items::run(app.clone(), told_to_rest));
    let sweeping = tokio::spawn(open_item_sweep::run(app.clone()));

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
    sweeping.abort();
    following.abort();
    if let Some(figures) = figures {
        figures.abort();
    }
    let resting = async { tokio::join!(worker, applier, sender, announcer) };
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
