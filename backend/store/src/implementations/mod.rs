//! The traits of the cold tables, implemented for both stores with one text.
//!
//! Each file has a macro with the implementation: only with a concrete store can the compiler prove
//! that its futures are `Send`. What a method does is in `crate::sql`; here it gets a session and,
//! if necessary, a transaction.

mod computers;
mod connections;
mod directory;
mod erasure;
mod template_runs;
mod webhooks;
mod workflows;
