//! The pages about the journal and the audit trail: searching, reading, keeping.

pub mod audit;
pub mod journal;

mod rows;
mod search;
pub mod told;
