//! The store in one SQLite file: one thread writes in batches, several read, caches hold what is in
//! use.
//!
//! `open` opens or creates the file, `writer` and `readers` own the connections, `list_write` is
//! one writing call, `facts` is what a decision needs. Each other module handles one kind of rows.

mod audit_rows;
pub mod backup;
mod cache;
mod catalogue;
mod columns;
mod decision;
mod error;
mod facts;
mod idempotency_index;
mod item_rows;
mod journal_rows;
mod list_rows;
mod list_write;
mod open;
mod open_error;
mod operation;
mod options;
mod purge;
mod readers;
mod session;
mod shared;
mod sql;
mod store;
mod threads;
mod wal_checkpointer;
mod webhook_rows;
mod writer;

pub use self::open::{DATABASE, inspect, process_of};
pub use self::open_error::OpenError;
pub use self::options::SqliteOptions;
pub use self::store::SqliteStore;

#[cfg(test)]
#[path = "plans_tests.rs"]
mod plans;
