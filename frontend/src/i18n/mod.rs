//! The control's own words, in every language that it speaks.
//!
//! The tables and the rules of the languages are a crate of their own, `checklist-languages`,
//! because the builder writes them into files too. Item texts never come from here.

pub mod due;

pub use checklist_languages::{Language, Plural, Texts, Words, fill, plural};
