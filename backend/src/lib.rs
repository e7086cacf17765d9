//! The checklist web services: the library behind the `checklist-server` binary.
//!
//! The way of a request is `http` (routes, extractors, problems) → `services` (what a call
//! means) → `storage` (one transaction) → `checklist_shared` (the rules). `auth` says who is
//! calling, `live` who follows which lists, `workflow` carries out runs, `metrics` what an operator
//! counts, `telemetry` what took how long, `config` and `cli` how the server was started. The tests use it as a library.

pub mod app;
pub mod audit;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod egress;
pub mod error;
pub mod failpoint;
pub mod http;
pub mod journal;
pub mod live;
pub mod log_budget;
pub mod metrics;
pub mod oauth;
pub mod services;
pub mod storage;
pub mod telemetry;
pub mod vault;
pub mod workflow;
