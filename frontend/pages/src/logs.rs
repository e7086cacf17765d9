//! The pages about the journal and the audit trail: searching, reading, keeping.
//!
//! Called by `frame`.

pub mod audit;
pub mod journal;

mod rows;
mod search;
pub mod told;
