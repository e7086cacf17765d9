//! What a server says of itself while it works: the log on stderr and, in builds with traces, spans on
//! their way to a collector.
//!
//! Started by `serve` before anything else; the spans do not show in the log.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::config::{Refusal, traces};
#[cfg(feature = "opentelemetry")]
use crate::telemetry;

/// How lines of the log are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// What has to be ended after the last answer.
pub(super) struct Traces {
    #[cfg(feature = "opentelemetry")]
    sent: Option<telemetry::Traces>,
}

impl Traces {
    /// Sends what is left.
    pub(super) fn end(self) {
        #[cfg(feature = "opentelemetry")]
        if let Some(sent) = self.sent {
            sent.end();
        }
    }
}

fn read(filter: &str) -> Result<EnvFilter, Refusal> {
    EnvFilter::try_new(filter).map_err(|error| {
        Refusal::configuration(
            format!("The log filter cannot be read: {error}."),
            "Use a level such as info, or info,checklist_server=debug.",
        )
    })
}

/// Begins to log.
///
/// # Errors
/// The filter cannot be read.
#[cfg(not(feature = "opentelemetry"))]
pub(super) fn start(filter: &str, format: LogFormat) -> Result<Traces, Refusal> {
    let log = tracing_subscriber::fmt()
        .with_env_filter(read(filter)?)
        .with_writer(std::io::stderr);
    // A second subscriber in one process is one of a test's; the first one goes on.
    let _ = match format {
        LogFormat::Text => log.with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => log.json().flatten_event(true).try_init(),
    };
    if traces::are_wanted() {
        tracing::warn!(
            "a collector of traces is named, but this server was built without them (--features opentelemetry)"
        );
    }
    Ok(Traces {})
}

/// Begins to log, and to send spans where a collector is named.
///
/// # Errors
/// The filter, or what the environment says of the collector, cannot be read.
#[cfg(feature = "opentelemetry")]
pub(super) fn start(filter: &str, format: LogFormat) -> Result<Traces, Refusal> {
    use tracing_subscriber::Layer as _;
    use tracing_subscriber::filter::FilterExt as _;
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::util::SubscriberInitExt as _;

    let of_the_log = read(filter)?.and(telemetry::of_the_log());
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let log = match format {
        LogFormat::Text => log
            .with_ansi(std::io::stderr().is_terminal())
            .with_filter(of_the_log)
            .boxed(),
        LogFormat::Json => log
            .json()
            .flatten_event(true)
            .with_filter(of_the_log)
            .boxed(),
    };
    let sent = match traces::are_wanted() {
        true => Some(telemetry::start().map_err(|error| {
            Refusal::configuration(
                format!("No traces can be sent: {error}."),
                "Look at the variables that begin with OTEL_EXPORTER_OTLP_, or leave them out.",
            )
        })?),
        false => None,
    };
    let spans = sent.as_ref().map(telemetry::Traces::layer);
    // A second subscriber in one process is one of a test's; the first one goes on.
    let _ = tracing_subscriber::registry()
        .with(log)
        .with(spans)
        .try_init();
    if sent.is_some() {
        tracing::info!("traces are sent");
    }
    Ok(Traces { sent })
}
