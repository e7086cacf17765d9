//! The first page: what is still missing, what there is, and what has happened last.

pub mod page;
mod steps;
