//! Clients from npm, as they come, against the site server. `cargo xtask test` fetches them.
//!
//! Each script of `tests/site-clients` is one proof; what it prints is shown when it fails.

mod npm_clients;
