//! What `--demo` brings along: a tenant with types and templates to try everything on.
//!
//! Called by the command line when the server starts with `--demo`; never otherwise.

mod seed;

pub use seed::{TENANT, seed};
