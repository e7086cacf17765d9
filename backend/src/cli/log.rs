//! What a server says of itself while it works: the log on stderr and, in builds with traces, spans on
//! their way to a collector.
//!
//! Started by `serve` before anything else; the spans do not show in the log.

use std::io::IsTerminal as _;

use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::filter::{FilterExt as _, FilterFn};
use tracing_subscriber::layer::{Filter, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer};

use crate::config::{StartupError, traces};
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

/// The crates of this project, which never write a secret and may be heard at any level.
const OURS: [&str; 3] = ["checklist_shared", "checklist_control", "site_lists"];

/// The crate of the program, whose name stands for all crates of the server in a filter.
const PROGRAM: &str = "checklist_server";

/// The other crates of the server.
const CRATES: [&str; 8] = [
    "checklist_auth",
    "checklist_egress",
    "checklist_live",
    "checklist_runtime",
    "checklist_services",
    "checklist_store",
    "checklist_vault",
    "checklist_workflow",
];

/// Whether a line or a span may be written, whatever the operator asks for: others' lines below
/// `info` hold what they work with, which for a sign-in is its answers and session keys.
fn may_be_heard(metadata: &Metadata<'_>) -> bool {
    let written_by = metadata.target().split("::").next().unwrap_or_default();
    *metadata.level() <= Level::INFO
        || written_by == PROGRAM
        || CRATES.contains(&written_by)
        || OURS.contains(&written_by)
}

/// The filter with each directive for the program also given for the server's other crates. Those
/// come first, so that a directive for a single crate still counts.
fn for_all_crates(filter: &str) -> String {
    let mut directives = Vec::new();
    for directive in filter.split(',') {
        let rest = directive.strip_prefix(PROGRAM);
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('=')) {
            directives.extend(CRATES.map(|name| format!("{name}{rest}")));
        }
    }
    directives.push(filter.to_owned());
    directives.join(",")
}

/// What is written: what the operator asks for, as far as it may be heard.
fn read<S: Subscriber>(
    filter: &str,
) -> Result<impl Filter<S> + Send + Sync + 'static, StartupError> {
    let asked = EnvFilter::try_new(for_all_crates(filter)).map_err(|error| {
        StartupError::configuration(
            format!("The log filter cannot be read: {error}."),
            "Use a level such as info, or info,checklist_server=debug.",
        )
    })?;
    Ok(asked.and(FilterFn::new(may_be_heard)))
}

/// Lines on stderr.
fn lines<S>(filter: impl Filter<S> + Send + Sync + 'static, format: LogFormat) -> Lines<S>
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log
            .with_ansi(std::io::stderr().is_terminal())
            .with_filter(filter)
            .boxed(),
        LogFormat::Json => log.json().flatten_event(true).with_filter(filter).boxed(),
    }
}

type Lines<S> = Box<dyn Layer<S> + Send + Sync>;

/// Begins to log.
///
/// # Errors
/// The filter cannot be read.
#[cfg(not(feature = "opentelemetry"))]
pub(super) fn start(filter: &str, format: LogFormat) -> Result<Traces, StartupError> {
    let log = lines(read(filter)?, format);
    // A second subscriber in one process is one of a test's; the first one goes on.
    let _ = tracing_subscriber::registry().with(log).try_init();
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
pub(super) fn start(filter: &str, format: LogFormat) -> Result<Traces, StartupError> {
    let log = lines(read(filter)?.and(telemetry::of_the_log()), format);
    let sent = match traces::are_wanted() {
        true => Some(telemetry::start().map_err(|error| {
            StartupError::configuration(
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

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// What was written.
    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("nobody panics").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// What is logged with that filter.
    fn logged(filter: &str, work: impl FnOnce()) -> String {
        let written = Written::default();
        let to = written.clone();
        let log = tracing_subscriber::fmt::layer()
            .with_writer(move || to.clone())
            .with_filter(read(filter).expect("a filter"));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(log), work);
        let text = written.0.lock().expect("nobody panics").clone();
        String::from_utf8(text).expect("text")
    }

    #[test]
    fn the_name_of_the_program_stands_for_all_crates_of_the_server() {
        for (asked, stored, used) in [
            ("info,checklist_server=debug", true, true),
            (
                "info,checklist_server=debug,checklist_store=warn",
                false,
                true,
            ),
            ("info,checklist_server::http=debug", false, false),
            ("info", false, false),
        ] {
            let text = logged(asked, || {
                tracing::debug!(target: "checklist_store::sqlite", "of the store");
                tracing::debug!(target: "checklist_services::webhooks", "of a service");
            });
            assert_eq!(text.contains("of the store"), stored, "{asked}: {text}");
            assert_eq!(text.contains("of a service"), used, "{asked}: {text}");
        }
    }

    #[test]
    fn every_crate_of_the_server_is_named() {
        let folders = std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("the folder");
        let mut crates: Vec<String> = folders
            .flatten()
            .filter(|entry| entry.path().join("Cargo.toml").is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            // One writes no such lines, the other goes by the library's name.
            .filter(|name| !["site-lists", "program"].contains(&name.as_str()))
            .map(|name| format!("checklist_{name}"))
            .collect();
        crates.sort_unstable();
        assert_eq!(crates, CRATES);
    }

    #[test]
    fn other_crates_are_not_heard_below_info_whatever_is_asked_for() {
        for asked in [
            "trace",
            "sspi=trace,picky_krb=debug,site_lists=trace",
            "info",
        ] {
            let text = logged(asked, || {
                let span = tracing::trace_span!(target: "sspi::kerberos", "s", key = "of-a-span");
                let _inside = span.enter();
                tracing::trace!(target: "sspi::ntlm", "their trace");
                tracing::debug!(target: "picky_krb", "their debug");
                tracing::trace!(target: "site_lists_not", "almost ours");
                tracing::warn!(target: "sspi", "their warning");
                tracing::trace!(target: "site_lists::wire", "our trace");
            });
            for never in ["their trace", "their debug", "almost ours", "of-a-span"] {
                assert!(!text.contains(never), "{asked}: {text}");
            }
            let ours = text.contains("our trace");
            assert_eq!(ours, asked != "info", "{asked}: {text}");
            assert!(text.contains("their warning"), "{asked}: {text}");
        }
    }
}
