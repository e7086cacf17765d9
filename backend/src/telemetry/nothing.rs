//! The spans of a build without traces: nothing is begun, nothing is kept, nothing is waited for.
//!
//! The same names as in `spans`, so that whoever begins one need not know.

use checklist_shared::problem::ProblemCode;
use http::{HeaderMap, Method};
use url::Url;

/// A request that is being answered.
#[derive(Clone, Copy)]
pub struct RequestSpan;

impl RequestSpan {
    /// Begins one.
    #[must_use]
    pub const fn begin(_: &HeaderMap, _: &Method, _: Option<&str>, _: &str) -> Self {
        Self
    }

    /// What is done for it.
    pub async fn around<F: Future>(&self, work: F) -> F::Output {
        work.await
    }

    /// What came of it.
    pub const fn record_response(&self, _: u16, _: Option<ProblemCode>) {}
}

/// A part of the work for whoever has asked.
pub async fn work<F: Future>(_: &'static str, work: F) -> F::Output {
    work.await
}

/// Work that nobody waits for.
pub async fn working<F: Future>(_: &'static str, work: F) -> F::Output {
    work.await
}

/// A request to another system.
pub async fn asking<T, E>(
    _: &Method,
    _: &Url,
    asking: impl Future<Output = Result<http::Response<T>, E>>,
) -> Result<http::Response<T>, E> {
    asking.await
}
