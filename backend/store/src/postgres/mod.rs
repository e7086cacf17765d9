//! The store in PostgreSQL, shared by several nodes.
//!
//! `open` checks and migrates the database; `connect` and `tls` connect to it; `session` pools the
//! connections. `store` implements the interface, `sql` and `transaction` run the statements that both
//! databases share. `read` reads. A write goes through `writer` (the queue), `batch` and `lock` (the
//! transaction), `batch_decision` (the decisions) and `save` (the rows). `announcer` and `listener`
//! carry notifications between the nodes. `memory` caches what is in use; it is never used without
//! a check in the database.

mod announcer;
mod arrays;
mod audit_rows;
mod batch;
mod batch_decision;
mod call;
mod catalogue;
mod catalogue_queries;
mod columns;
mod connect;
mod error;
mod facts;
mod item_rows;
mod list_rows;
mod listener;
mod lock;
mod memory;
mod open;
mod operation;
mod options;
mod pulse;
mod purge;
mod read;
mod save;
mod session;
mod sql;
mod store;
mod tls;
mod transaction;
mod webhook_rows;
mod writer;

pub use self::open::{OpenError, SchemaVersions, inspect};
pub use self::options::PostgresOptions;
pub use self::store::PostgresStore;
