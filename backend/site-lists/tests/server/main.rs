//! The client against the local site server, over both protocols: reading, writing, signing in,
//! and what goes wrong on the way.
//!
//! Each test starts a server of its own.

mod at_once;
mod beside_graph;
mod columns;
mod leading_away;
mod lists;
mod many;
mod matrix;
mod place;
mod reading;
mod searching;
mod signing_in;
mod trouble;
mod writing;
