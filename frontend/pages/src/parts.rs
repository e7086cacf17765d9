//! What several pages are made of: dialogs, fields, tables, heads of pages, what stands there
//! while something loads or when it fails.
//!
//! Called by every page.

pub mod dialog;
pub mod field;
pub mod head;
pub mod load;
pub mod table;
