//! Fields of an item: their types, their values as callers see them, and the columns behind them.
//!
//! `convert` reads a value as whatever type a caller asks for, `accept` decides what a caller may
//! write into a column, `column` is a list's column. How values travel is up to the protocols
//! (`rest::values`, `graph::values`).

mod accept;
mod column;
mod convert;
mod date;
mod field_type;
mod item_field;
mod parameter;

pub(crate) use accept::{FieldValue, Person, accept, to_field_value};
pub use column::{Column, NewColumn};
pub(crate) use column::{LookupTarget, choices, find_column};
pub use convert::{ConversionError, FromFieldValue, SiteLookup, SiteUrl};
pub(crate) use date::{Zone, read_date, utc};
pub use field_type::{SiteFieldType, UnknownFieldType};
pub use item_field::SiteItemField;
pub use parameter::ObjectExpressionParameter;
