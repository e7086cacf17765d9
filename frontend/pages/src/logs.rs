//! The pages about the journal and the audit trail.

pub mod audit;
pub mod journal;

mod labels;
mod search;
