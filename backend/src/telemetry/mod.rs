//! Traces: how long each part of a request takes, as OpenTelemetry spans. Requires the feature
//! `opentelemetry` and a configured collector; without the feature every function here does
//! nothing.
//!
//! Invariant: a span contains a method, a route pattern, a status, a problem code, the request id
//! of the log, and the host of an outgoing request, but no path, query, header, body, tenant or
//! person.

#[cfg(feature = "opentelemetry")]
mod export;
#[cfg(not(feature = "opentelemetry"))]
mod nothing;
#[cfg(feature = "opentelemetry")]
mod spans;

#[cfg(feature = "opentelemetry")]
pub use export::{Traces, of_the_log, start};
#[cfg(not(feature = "opentelemetry"))]
pub use nothing::{RequestSpan, asking, work, working};
#[cfg(feature = "opentelemetry")]
pub use spans::{RequestSpan, asking, work, working};
