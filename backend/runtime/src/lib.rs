//! What every crate of the server needs of the process that it runs in: the clock and random
//! numbers, the budget of log lines, the texts of panics, the spans of traces, trusted authorities, and
//! the failpoints of tests.
//!
//! No other crate of the server reads the wall clock or the random number generator, so tests can
//! set both. Nothing here knows what the server does.

pub mod authorities;
pub mod clock;
pub mod failpoint;
pub mod log_budget;
pub mod panics;
pub mod spans;
