//! The use cases: permissions, rules, transactions, answers.
//!
//! [`app`] is the state that requests share. Invariant: nothing in here depends on HTTP or SQL.

mod access;
mod access_tokens;
pub mod admin_links;
pub mod admission;
pub mod api_keys;
pub mod app;
pub mod audit;
pub mod automation;
pub mod base_url;
pub mod checklist;
pub mod computers;
pub mod connections;
pub mod due_items;
pub mod embed_keys;
pub mod embed_tokens;
pub mod erasure;
pub mod find_items;
pub mod health;
pub mod housekeeping;
mod initiator;
pub mod item_history;
pub mod journal;
pub mod listing;
pub mod lists;
pub mod live;
mod log_search;
pub mod open_item_sweep;
mod open_sites;
pub mod overview;
pub mod passkeys;
pub mod platform_type;
pub mod preview;
pub mod retention;
pub mod revocations;
pub mod sessions;
pub mod sites;
pub mod template;
pub mod template_health;
pub mod template_runs;
pub mod tenants;
pub mod users;
pub mod webhooks;
pub mod workflows;

pub use access::{check_facts, check_language};
