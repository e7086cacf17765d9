//! The pages about templates: the list, one template with its draft, comparison, import.

mod editor;
pub mod exchange;
mod item_form;
mod languages;
mod outline;
mod publishing;
mod settings;
mod together;

pub mod comparison;
pub mod faults;
pub mod import;
pub mod list;
pub mod page;
