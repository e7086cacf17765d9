//! No-op versions of the functions in `exported`, for builds without traces.
//!
//! Same names and signatures, so that callers need no conditional compilation.

use checklist_shared::problem::ProblemCode;
use http::{HeaderMap, Method};
use url::Url;

/// The span of an incoming request.
#[derive(Clone, Copy)]
pub struct RequestSpan;

impl RequestSpan {
    /// Starts the span.
    #[must_use]
    pub const fn begin(_: &HeaderMap, _: &Method, _: Option<&str>, _: &str) -> Self {
        Self
    }

    /// Runs the work of the request in the span.
    pub async fn around<F: Future>(&self, work: F) -> F::Output {
        work.await
    }

    /// Records the status and the problem code.
    pub const fn record_response(&self, _: u16, _: Option<ProblemCode>) {}
}

/// Runs a part of a request in a child span.
pub async fn work<F: Future>(_: &'static str, work: F) -> F::Output {
    work.await
}

/// Runs background work in a span.
pub async fn working<F: Future>(_: &'static str, work: F) -> F::Output {
    work.await
}

/// Runs an outgoing request in a span.
pub async fn asking<T, E>(
    _: &Method,
    _: &Url,
    asking: impl Future<Output = Result<http::Response<T>, E>>,
) -> Result<http::Response<T>, E> {
    asking.await
}
