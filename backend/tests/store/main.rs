//! The store in both databases: the conformance suite on each, and what one of them alone has to do.
//!
//! One program, so that the suite is compiled once. `cargo xtask test` runs `postgres` where it has
//! a PostgreSQL (`.config/nextest.toml`).

mod conformance;
mod postgres;
mod sqlite;
mod tenant_first;
