//! OData as both protocols speak it: addresses, query options, filters, and the three ways in
//! which an answer carries metadata.
//!
//! Knows nothing of lists; `rest` and `graph` bring the names and values.

pub mod entity;
pub mod filter;
pub mod flavour;
pub mod path;
pub mod projection;
pub mod query;
