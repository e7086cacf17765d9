//! The site server as its callers see it: over a real connection, in both protocols.
//!
//! Each module is about one thing that the protocol says; `caller` speaks it.

mod batch;
mod caller;
mod columns;
mod digest;
mod faults;
mod graph;
mod items;
mod keeping;
mod lists;
mod oidc;
mod queries;
mod sign_in;
