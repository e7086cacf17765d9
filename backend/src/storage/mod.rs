//! Where lists, templates, types, journal and audit trail are kept.
//!
//! [`store`] says what a store has to do for lists, [`directory`] what for signing in, [`feed`]
//! what it tells of its commits, [`keyset`] which page of a list is read, [`presence`] what nodes
//! tell each other, [`connections`] keeps connections to other systems, [`computers`] the
//! inventory, [`platform_types`] what is read of types, [`workflows`] runs of workflows,
//! [`job_notifier`] wakes whoever carries them out, [`webhooks`] what is told to other systems;
//! [`sqlite`] does it in one file, [`postgres`] for several nodes; [`sql`] has the tables that both
//! reach by the same statements, and what belongs to no database in particular stands beside them.

pub mod administration;
mod column_name;
pub mod computers;
pub mod connections;
mod difference;
pub mod directory;
mod due;
mod encoding;
pub mod expected;
pub mod feed;
mod idempotency_record;
pub mod job_notifier;
pub mod keyset;
pub mod list_key;
pub(crate) mod outbox;
pub mod platform_types;
pub mod postgres;
mod prepared_write;
pub mod presence;
mod sql;
pub mod sqlite;
pub mod store;
pub mod webhooks;
pub mod workflows;

pub use computers::Computers;
pub use connections::Connections;
pub use directory::Directory;
pub use store::Store;
pub use webhooks::Webhooks;
pub use workflows::Workflows;
