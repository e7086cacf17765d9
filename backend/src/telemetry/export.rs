//! Exports spans to the collector: OTLP over HTTP, in batches, on a thread of its own.
//!
//! OpenTelemetry's environment variables configure it. A collector that does not respond costs
//! spans and nothing else. Starts before the first log line and ends after the last response.

use std::time::Duration;

use checklist_egress::collector::ToCollector;
use checklist_runtime::spans::TARGET;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::level_filters::LevelFilter;
use tracing::{Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::registry::LookupSpan;

use crate::config::traces;

/// The timeout for exporting the last spans.
const LAST_SPANS: Duration = Duration::from_secs(1);

/// The exporter of spans.
pub struct Traces(SdkTracerProvider);

/// Starts the exporter.
///
/// # Errors
/// An environment variable is invalid.
pub fn start() -> Result<Traces, String> {
    let client = ToCollector::new().map_err(|error| error.to_string())?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(client)
        .build()
        .map_err(|error| error.to_string())?;
    let name = traces::service_name().unwrap_or_else(|| "checklist-server".to_owned());
    let resource = Resource::builder().with_service_name(name);
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.with_attribute(version).build())
        .build();
    Ok(Traces(provider))
}

impl Traces {
    /// The layer that exports this server's spans, and those of no library.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + 'static
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("checklist-server"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_target(false)
            .with_filter(own_targets())
    }

    /// Flushes the remaining spans.
    pub fn end(self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST_SPANS) {
            tracing::warn!(%error, "the last spans were not sent");
        }
    }
}

/// Selects the spans of this server, but no log events.
fn own_targets() -> FilterFn {
    fn is_ours(metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target() == TARGET
    }
    let filter: FilterFn = FilterFn::new(is_ours);
    filter.with_max_level_hint(LevelFilter::INFO)
}

/// Selects everything else: spans go to the collector, not to the log.
pub fn of_the_log() -> FilterFn {
    fn is_of_the_log(metadata: &Metadata<'_>) -> bool {
        metadata.target() != TARGET
    }
    FilterFn::new(is_of_the_log)
}
