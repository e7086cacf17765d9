//! Cold tables, which no tick touches: one SQL text for both databases.
//!
//! A statement is written for PostgreSQL, with parameters as `$1`, or `$1::text` if PostgreSQL
//! needs the type. SQLite takes both as names, so `sqlite::session` binds them by their number. A
//! statement that differs between the databases is a [`DialectSql`]. The functions run in a [`Session`] of either.

pub(crate) mod administration;
pub(crate) mod audit_keys;
pub(crate) mod audit_pages;
pub(crate) mod audit_rows;
pub(crate) mod audit_tree;
pub(crate) mod backlog;
pub(crate) mod changes;
pub(crate) mod closed_runs;
pub(crate) mod computers;
pub(crate) mod connections;
pub(crate) mod consents;
pub(crate) mod deliveries;
pub(crate) mod directory;
pub(crate) mod due_items;
pub(crate) mod erasure_lists;
pub(crate) mod erasure_records;
pub(crate) mod found_items;
pub(crate) mod journal_pages;
pub(crate) mod journal_purge;
pub(crate) mod keys;
pub(crate) mod lists;
pub(crate) mod logs;
pub(crate) mod open_item_sweep;
pub(crate) mod passkeys;
pub(crate) mod people;
pub(crate) mod platform_types;
pub(crate) mod retention;
pub(crate) mod row;
pub(crate) mod run_rows;
pub(crate) mod run_writes;
pub(crate) mod runs;
pub(crate) mod session;
pub(crate) mod sessions;
pub(crate) mod store_methods;
pub(crate) mod template_health;
pub(crate) mod template_runs;
pub(crate) mod templates;
pub(crate) mod tenants;
pub(crate) mod value;
pub(crate) mod webhooks;

pub(crate) use self::row::{Row, json};
pub(crate) use self::session::{Dialect, DialectSql, Session, View, WriteSession, run_inline};
pub(crate) use self::value::{Value, values};
