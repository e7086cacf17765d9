//! Storage of lists, templates, types, journal and audit trail.
//!
//! The traits: [`Store`] for lists, [`directory`] for authentication, [`connections`] to other
//! systems, [`computers`] for the inventory, [`workflows`] and [`template_runs`] for runs, [`webhooks`] for deliveries.
//! [`feed`] announces commits, [`presence`] carries messages between nodes, [`job_notifier`] wakes
//! workers, [`keyset`] selects pages, [`platform_types`] holds what could be read of types.
//! [`sqlite`] implements the traits in one file, [`postgres`] for several nodes. [`sql`] has the
//! tables that both access with the same statements, `implementations` the traits over them. What does not depend on a database is next to
//! them: [`audit`] chains the rows of the audit trail, [`journal`] writes the sentences of the journal,
//! [`template_health`] is what figures about a template are counted from, [`error`] is what a decision refuses with, [`scope`] what a query is restricted to.
//!
//! This crate decides no rule and knows no caller: services hand in closures that decide.

mod act;
pub mod administration;
mod assignee;
pub mod audit;
mod column_name;
pub mod computers;
pub mod connections;
pub mod database;
mod difference;
pub mod directory;
mod due;
pub mod due_items;
mod encoding;
pub mod erasure;
pub mod error;
pub mod expected;
pub mod feed;
pub mod found_items;
mod idempotency_record;
mod implementations;
pub mod initiator;
mod interface;
mod item_columns;
pub mod job_notifier;
pub mod journal;
pub mod keyset;
pub mod list_cache;
pub mod list_key;
mod list_weight;
pub mod lists;
pub mod monitoring;
pub mod open_item_sweep;
pub mod outbox;
pub mod platform_types;
pub mod postgres;
mod prepared_write;
pub mod presence;
mod proposal;
pub mod scope;
pub mod sort_name;
mod sql;
pub mod sqlite;
pub mod store;
mod stored_list;
pub mod template_health;
pub mod template_runs;
pub mod unreadable_type;
pub mod webhooks;
pub mod workflows;

pub use computers::Computers;
pub use connections::Connections;
pub use directory::Directory;
pub use interface::Store;
pub use template_runs::TemplateRuns;
pub use webhooks::Webhooks;
pub use workflows::Workflows;
