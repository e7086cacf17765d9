//! The spans, named and filled as OpenTelemetry's conventions for HTTP have it.
//!
//! All carry one target, by which they are told from everything else that libraries of ours trace:
//! of those nothing leaves the server, because nobody here knows what stands in it.

use checklist_shared::problem::ProblemCode;
use http::{HeaderMap, Method};
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use url::Url;

/// What our spans are known by.
pub(super) const TARGET: &str = "checklist_server::traces";

/// A request that is being answered.
pub struct RequestSpan(Span);

impl RequestSpan {
    /// Begins one, as a part of what the caller traces where the headers say so.
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
            // Only a span that has begun already could refuse it.
            let _ = span.set_parent(caller);
        }
        Self(span)
    }

    /// What is done for it.
    pub async fn around<F: Future>(&self, work: F) -> F::Output {
        work.instrument(self.0.clone()).await
    }

    /// What came of it.
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

/// A part of the work for whoever has asked.
pub async fn work<F: Future>(name: &'static str, work: F) -> F::Output {
    let span = tracing::info_span!(target: TARGET, "work", otel.name = name);
    work.instrument(span).await
}

/// Work that nobody waits for: a trace of its own.
pub async fn working<F: Future>(name: &'static str, work: F) -> F::Output {
    let span = tracing::info_span!(target: TARGET, parent: None, "work", otel.name = name);
    work.instrument(span).await
}

/// A request to another system. What is asked for and what is answered stays between the two; nor are
/// they told of the trace, which is the operator's business and not theirs.
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

/// Methods are few; what somebody invents is not passed on.
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
