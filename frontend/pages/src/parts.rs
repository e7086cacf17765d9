//! What several pages are made of: dialogs, fields, panels, texts to copy, tables, heads of pages, what stands there
//! while something loads or when it fails.

pub mod dialog;
pub mod field;
pub mod head;
pub mod load;
pub mod panel;
pub mod table;
