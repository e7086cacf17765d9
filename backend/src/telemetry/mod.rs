//! Traces for those who operate the server: which part of a request took how long, as spans of
//! OpenTelemetry, in builds with the feature `opentelemetry` and where a collector is named.
//!
//! A span holds a method, the pattern of a route, a status, the code of a problem, the id under which
//! the log knows the request, and the host that was asked: no path, no query, no header, no body, no
//! tenant and no person. Without the feature everything here does nothing. Begun by `http::layers`,
//! `services::checklist`, `egress`, `workflow` and `services::webhooks`; started by `cli::serve`.

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
