//! Traces: sends the spans of `checklist_runtime::spans` to a collector, in builds with the feature
//! `opentelemetry` and where the environment names a collector.
//!
//! Invariant: nothing but the spans of this server is sent.

mod export;

pub use export::{Traces, of_the_log, start};
