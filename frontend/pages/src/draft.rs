//! The draft of a template while somebody writes it.
//!
//! Looser than a template: texts may be missing and durations wrong until it is saved. A row has
//! a number of its own, because its key may still change. Where rows may stand and how they move
//! is decided here; the editor only draws it and asks.

mod answer;
mod document;
mod rows;
mod texts;

pub use answer::AnswerDraft;
pub use document::{Draft, Row};
pub use rows::Direction;
pub use texts::{Texts, first_text, text_in, write_text};

#[cfg(test)]
#[path = "draft/tests.rs"]
mod tests;
