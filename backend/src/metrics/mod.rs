//! Metrics for operators, in the text format of Prometheus or, if requested, in OpenMetrics 1.0.
//!
//! A layer around all routes counts requests as they end; other values are measured when metrics
//! are scraped. Invariant: no metric contains a tenant, a person or a list, and each label has few
//! values. A route is its pattern, not the path.

mod database;
mod figure;
pub mod listener;
mod load;
mod process;
mod text_format;

use std::path::Path;
use std::time::Duration;

use axum::http::Method;
use checklist_shared::problem::ProblemCode;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use checklist_services::app::App;
use database::DatabaseFigures;
use figure::figure;
use load::LoadMetrics;
use process::ProcessFigures;

/// The exposition format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The text format of Prometheus.
    Prometheus,
    /// OpenMetrics 1.0.
    OpenMetrics,
}

impl Format {
    /// The format that an `Accept` header prefers.
    #[must_use]
    pub fn from_accept(accept: Option<&str>) -> Self {
        let mut kinds = accept.unwrap_or("").split(',');
        if kinds.any(|kind| kind.trim().starts_with("application/openmetrics-text")) {
            Self::OpenMetrics
        } else {
            Self::Prometheus
        }
    }

    /// The media type.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Prometheus => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }
}
/// The route label of a request that matched no route.
const NO_ROUTE: &str = "none";
/// The histogram buckets, in seconds: a tick takes one millisecond, a slow site thirty seconds.
const TIMES: [f64; 12] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5, 10.0, 30.0,
];

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    method: &'static str,
    route: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ResponseLabels {
    method: &'static str,
    route: String,
    status: u32,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ProblemLabels {
    code: String,
}

/// All metrics of a server.
pub struct Metrics {
    registry: Registry,
    requests: Family<ResponseLabels, Counter>,
    times: Family<RouteLabels, Histogram, fn() -> Histogram>,
    under_way: Gauge,
    problems: Family<ProblemLabels, Counter>,
    streams: Gauge,
    most_streams: Gauge,
    database: DatabaseFigures,
    load: LoadMetrics,
    process: ProcessFigures,
}

/// An in-flight request; decrements the gauge when dropped.
pub struct InFlightRequest<'a>(&'a Gauge);

impl Drop for InFlightRequest<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// All metrics at zero. `folder` contains the database file, if there is one.
    #[must_use]
    pub fn new(folder: Option<&Path>) -> Self {
        let mut registry = Registry::default();
        let process = ProcessFigures::register(&mut registry);
        let own = registry.sub_registry_with_prefix("checklist");
        own.register(
            "build",
            "The version of the server.",
            Info::new([("version", env!("CARGO_PKG_VERSION"))]),
        );
        let requests = figure(own, "http_requests", "Requests that were answered.");
        let times: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(TIMES));
        own.register_with_unit(
            "http_request_duration",
            "From a request to the head of its answer.",
            Unit::Seconds,
            times.clone(),
        );
        let under_way = "Requests that are being answered.";
        let under_way = figure(own, "http_requests_in_flight", under_way);
        let problems = "Refusals and failures, by the code of the problem.";
        let problems = figure(own, "problems", problems);
        let streams = figure(own, "live_streams", "Live streams that are open.");
        let most_streams = "Live streams that may be open.";
        let most_streams = figure(own, "live_streams_limit", most_streams);
        let database = DatabaseFigures::register(own, folder);
        let load = LoadMetrics::register(own);
        Self {
            registry,
            requests,
            times,
            under_way,
            problems,
            streams,
            most_streams,
            database,
            load,
            process,
        }
    }

    /// Counts an in-flight request.
    #[must_use]
    pub fn begin(&self) -> InFlightRequest<'_> {
        self.under_way.inc();
        InFlightRequest(&self.under_way)
    }

    /// Counts a response by route pattern, if any, and problem code, if it is a problem.
    pub fn record_response(
        &self,
        method: &Method,
        route: Option<&str>,
        status: u16,
        problem: Option<ProblemCode>,
        elapsed: Duration,
    ) {
        let method = name_of(method);
        let route = route.unwrap_or(NO_ROUTE).to_owned();
        let kind = RouteLabels {
            method,
            route: route.clone(),
        };
        self.times
            .get_or_create(&kind)
            .observe(elapsed.as_secs_f64());
        let answer = ResponseLabels {
            method,
            route,
            status: u32::from(status),
        };
        self.requests.get_or_create(&answer).inc();
        if let Some(code) = problem {
            let code = format!("{code:?}");
            self.problems.get_or_create(&ProblemLabels { code }).inc();
        }
    }

    /// Encodes all metrics, and measures those that are not counted.
    pub async fn text(&self, app: &App, format: Format) -> String {
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        self.streams.set(count(app.hub().streams()));
        self.most_streams.set(count(app.hub().most()));
        self.database.look(app).await;
        self.load.look(app).await;
        self.process.look();
        let mut text = String::new();
        if let Err(error) = text::encode(&mut text, &self.registry) {
            tracing::error!(%error, "the figures cannot be written down");
        }
        match format {
            Format::Prometheus => text_format::of_open_metrics(&text),
            Format::OpenMetrics => text,
        }
    }
}

/// The known methods. Others share a label, so that clients cannot exhaust the memory.
fn name_of(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(metrics: &Metrics) -> String {
        let mut text = String::new();
        text::encode(&mut text, &metrics.registry).expect("text");
        text
    }

    #[test]
    fn answers_are_counted_by_pattern_method_and_status() {
        let metrics = Metrics::new(None);
        let begun = metrics.begin();
        assert!(written(&metrics).contains("checklist_http_requests_in_flight 1\n"));
        let elapsed = Duration::from_millis(3);
        metrics.record_response(&Method::POST, Some("/x/{id}"), 200, None, elapsed);
        metrics.record_response(&Method::POST, Some("/x/{id}"), 200, None, elapsed);
        let busy = Some(ProblemCode::Busy);
        metrics.record_response(&Method::POST, Some("/x/{id}"), 503, busy, elapsed);
        drop(begun);
        let text = written(&metrics);
        for line in [
            "checklist_http_requests_in_flight 0\n",
            "checklist_http_requests_total{method=\"POST\",route=\"/x/{id}\",status=\"200\"} 2\n",
            "checklist_http_requests_total{method=\"POST\",route=\"/x/{id}\",status=\"503\"} 1\n",
            "checklist_http_request_duration_seconds_count{method=\"POST\",route=\"/x/{id}\"} 3\n",
            "checklist_problems_total{code=\"Busy\"} 1\n",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }

    #[test]
    fn strange_methods_and_paths_make_no_figures_of_their_own() {
        let metrics = Metrics::new(None);
        for name in ["BREW", "WHEN", "PROPFIND"] {
            let method = Method::from_bytes(name.as_bytes()).expect("a method");
            metrics.record_response(&method, None, 404, None, Duration::ZERO);
        }
        let line =
            "checklist_http_requests_total{method=\"other\",route=\"none\",status=\"404\"} 3\n";
        assert!(written(&metrics).contains(line));
    }
}
