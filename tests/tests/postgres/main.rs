//! The web services on PostgreSQL: the tests of `http` that are about data, once more, and what
//! only several nodes on one database can show.
//!
//! The name of this program, which begins with `postgres`, is what puts the servers' data there.

#[path = "../http/adding.rs"]
mod adding;
#[path = "../http/audit.rs"]
mod audit;
#[path = "../http/bad_input.rs"]
mod bad_input;
#[path = "../http/batches.rs"]
mod batches;
#[path = "../http/conflicts.rs"]
mod conflicts;
#[path = "../http/deleting.rs"]
mod deleting;
#[path = "../http/durability.rs"]
mod durability;
#[path = "../http/idempotency.rs"]
mod idempotency;
#[path = "../http/journal.rs"]
mod journal;
#[path = "../http/keys.rs"]
mod keys;
#[path = "../http/limits.rs"]
mod limits;
#[path = "../http/live.rs"]
mod live;
#[path = "../http/lock.rs"]
mod lock;
#[path = "../http/log_files.rs"]
mod log_files;
mod nodes;
#[path = "../http/permissions.rs"]
mod permissions;
#[path = "../http/platform_types.rs"]
mod platform_types;
#[path = "../http/reading.rs"]
mod reading;
#[path = "../http/refresh.rs"]
mod refresh;
#[path = "../http/refresh_demo.rs"]
mod refresh_demo;
#[path = "../http/refresh_whole.rs"]
mod refresh_whole;
mod starting;
#[path = "../http/templates.rs"]
mod templates;
#[path = "../http/tenants.rs"]
mod tenants;
#[path = "../http/undo.rs"]
mod undo;
#[path = "../http/updating.rs"]
mod updating;
