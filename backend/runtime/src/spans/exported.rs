//! The spans, named and filled according to OpenTelemetry's semantic conventions for HTTP.
//!
//! All spans have one target, which distinguishes them from those of libraries. Library spans are
//! never exported, because their content is unknown.

use checklist_shared::problem::ProblemCode;
use http::{HeaderMap, Method};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use url::Url;

/// The target of all spans.
pub const TARGET: &str = "checklist_server::traces";

/// The span of an incoming request.
pub struct RequestSpan(Span);

impl RequestSpan {
    /// Starts the span, as a child of the caller's if the headers contain a trace context.
    #[must_use]
    pub fn begin(headers: &HeaderMap, method: &Method, route: Option<&str>, id: &str) -> Self {
        let method = method_name(method);
        let name = match route {
            Some(route) => format!("{method} {route}"),
            None => method.to_owned(),
        };
        let span = tracing::info_span!(
            target: TARGET,
            "request",
            otel.name = name,
            otel.kind = "server",
            otel.status_code = Empty,
            http.request.method = method,
            http.route = route,
            http.response.status_code = Empty,
            error.type = Empty,
            checklist.request_id = id,
        );
        if !span.is_disabled() && headers.contains_key("traceparent") {
            let caller = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
            // `set_parent` fails only for a span that has already started.
            let _ = span.set_parent(caller);
        }
        Self(span)
    }

    /// Runs the work of the request in the span.
    pub async fn around<F: Future>(&self, work: F) -> F::Output {
        work.instrument(self.0.clone()).await
    }

    /// Records the status and the problem code.
    pub fn record_response(&self, status: u16, problem: Option<ProblemCode>) {
        self.0.record("http.response.status_code", status);
        if let Some(problem) = problem {
            self.0.record("error.type", format!("{problem:?}"));
        }
        if status >= 500 {
            self.0.record("otel.status_code", "ERROR");
        }
    }
}

/// Runs a part of a request in a child span.
pub async fn work<F: Future>(name: &'static str, work: F) -> F::Output {
    let span = tracing::info_span!(target: TARGET, "work", otel.name = name);
    work.instrument(span).await
}

/// Runs background work in a trace of its own.
pub async fn working<F: Future>(name: &'static str, work: F) -> F::Output {
    let span = tracing::info_span!(target: TARGET, parent: None, "work", otel.name = name);
    work.instrument(span).await
}

/// Runs an outgoing request in a span. Records nothing of request and response, and sends no trace
/// context, which is the operator's internal data.
pub async fn asking<T, E>(
    method: &Method,
    url: &Url,
    asking: impl Future<Output = Result<http::Response<T>, E>>,
) -> Result<http::Response<T>, E> {
    let method = method_name(method);
    let span = tracing::info_span!(
        target: TARGET,
        "asking",
        otel.name = method,
        otel.kind = "client",
        otel.status_code = Empty,
        http.request.method = method,
        http.response.status_code = Empty,
        server.address = url.host_str(),
        server.port = url.port_or_known_default(),
    );
    let answer = asking.instrument(span.clone()).await;
    match &answer {
        Ok(answer) => {
            let status = answer.status().as_u16();
            span.record("http.response.status_code", status);
            if status >= 400 {
                span.record("otel.status_code", "ERROR");
            }
        }
        Err(_) => {
            span.record("otel.status_code", "ERROR");
        }
    }
    answer
}

/// The known methods. Others are not exported, to bound the number of values.
fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::PATCH => "PATCH",
        Method::HEAD => "HEAD",
        Method::OPTIONS => "OPTIONS",
        _ => "_OTHER",
    }
}
