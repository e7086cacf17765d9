//! The pages about the journal and the audit trail.

pub mod audit;
pub mod journal;

pub mod labels;
mod search;
