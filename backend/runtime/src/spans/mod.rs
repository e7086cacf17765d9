//! Spans: how long each part of a request takes. Requires the feature `opentelemetry` and a
//! collector; without the feature every function here does nothing. The program exports the spans.
//!
//! Invariant: a span contains a method, a route pattern, a status, a problem code, the request id
//! of the log, and the host of an outgoing request, but no path, query, header, body, tenant or
//! person.

#[cfg(feature = "opentelemetry")]
mod exported;
#[cfg(not(feature = "opentelemetry"))]
mod nothing;

#[cfg(feature = "opentelemetry")]
pub use exported::{RequestSpan, TARGET, asking, work, working};
#[cfg(not(feature = "opentelemetry"))]
pub use nothing::{RequestSpan, asking, work, working};
