//! The pages about templates: the list, one template with its draft, comparison, health, import.

mod answer_form;
mod bindings;
mod calendar_form;
mod condition_form;
mod editor;
mod errors;
mod import_place;
mod item_form;
mod outline;
mod preview;
mod publishing;
mod saving;
mod settings;

pub mod comparison;
pub mod health;
pub mod import;
pub mod list;
pub mod page;
