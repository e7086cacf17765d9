//! The control's own texts, in all of its languages.
//!
//! The tables and the rules of the languages are a separate crate, `checklist-languages`,
//! because the build also writes them into files. Item texts are not part of it.

pub mod actor;
pub mod due;

pub use checklist_languages::{Language, Plural, Texts, Words, counted, fill, plural};
