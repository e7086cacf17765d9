//! Which rows a query gives, in which order, and whether it may be asked at all: the list view
//! threshold, the look-up limit and paging are the same for both protocols.
//!
//! The protocols read names and filters and hand them in; they put refusals in their own words.

mod page;
mod plan;
pub mod row;

pub use page::{Page, Token, pages};
pub use plan::{Order, Plan, Refused};

/// More rows than this are looked at only through an index.
pub const THRESHOLD: usize = 5_000;
/// More look-ups than this are not joined.
pub const LOOKUPS: usize = 12;
