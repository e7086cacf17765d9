//! The web services, seen from outside: every call, every refusal, over a real listener.
//!
//! One module a topic. Each test has a server and a directory of its own.

mod adding;
mod assets;
mod audit;
mod bad_credentials;
mod bad_input;
mod base_url;
mod batches;
mod commands;
mod conflicts;
mod deleting;
mod demo;
mod downgrade;
mod durability;
mod idempotency;
mod journal;
mod keys;
mod limits;
mod live;
mod live_ends;
mod live_revoked;
mod lock;
mod log_files;
mod matrix;
mod oidc;
mod openapi;
mod origins;
mod pages;
mod permissions;
mod platform_types;
mod preview;
mod proxies;
mod reading;
mod refresh;
mod refresh_demo;
mod refresh_whole;
mod refusals;
mod sessions;
mod sign_in;
mod slow_readers;
mod starting;
mod templates;
mod tenants;
mod undo;
mod updating;
