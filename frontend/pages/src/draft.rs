//! The draft of a template while somebody writes it.
//!
//! Looser than a template: texts may be missing and durations wrong until it is saved. A row has
//! a number of its own, because its key may still change. Where rows may stand and how they move
//! is decided here; the editor only draws it and asks.

mod answer;
mod calendar;
mod document;
mod known_facts;
mod rows;
mod texts;
mod when;

pub use answer::AnswerDraft;
pub use calendar::CalendarDraft;
pub use document::{Draft, Row};
pub use known_facts::{KnownFact, known_facts};
pub use rows::Direction;
pub use texts::{Texts, first_text, text_in, write_text};
pub use when::{Comparison, ComparisonFault, Join, Operator, ValueType, When};

#[cfg(test)]
#[path = "draft/tests.rs"]
mod tests;
