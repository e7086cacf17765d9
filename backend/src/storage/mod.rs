//! Where lists, templates, types, journal and audit trail are kept.
//!
//! [`store`] says what a store has to do, [`sqlite`] does it in one file. Called by `services`
//! alone; nothing in here knows HTTP, and nothing outside knows SQL.

pub mod sqlite;
pub mod store;

pub use store::Store;
