//! What `--demo` brings along: a tenant with types, templates and computers to try
//! everything on.

mod computers;
mod seed;

pub use seed::{TENANT, seed};
