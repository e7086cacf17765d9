//! What every crate of the server needs of the process that it runs in: the clock and random numbers.
//!
//! No other crate of the server reads the wall clock or the random number generator, so tests can
//! set both. Nothing here knows what the server does.

pub mod clock;
