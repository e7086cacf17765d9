//! What `--demo` brings along: a tenant with types, templates and computers to try
//! everything on.
//!
//! Called by the command line when the server starts with `--demo`; never otherwise.

mod computers;
mod seed;

pub use seed::{TENANT, seed};
