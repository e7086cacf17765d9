//! The checklist web services: the library behind the `checklist-server` binary. Tests use it too.
//!
//! A request passes through `http` (routes, extractors, problems) → `checklist_services` (use
//! cases) → `checklist_store` (one transaction) → `checklist_shared` (the rules). `metrics` and
//! `telemetry` report counters and spans, `config` and `cli` start the server.

pub mod cli;
pub mod config;
pub mod demo;
pub mod http;
pub mod metrics;
pub mod shutdown;
#[cfg(feature = "opentelemetry")]
pub mod telemetry;
