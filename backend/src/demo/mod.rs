//! The content of `--demo`: a tenant with types, templates and computers.

mod computers;
mod seed;

pub use seed::seed;
