//! The words of the control in every language that it speaks, and the rules of those languages.
//!
//! A file for each topic has a row for each text and a column for each language, so a missing text does
//! not compile. English is always here; the others come with the feature `all`: in servers, in the
//! built-in pages and in Leptos applications. The custom elements fetch the table of their page's
//! language instead (`xtask build` writes them) and hand it in through [`Texts::from_lines`]. Item
//! texts never come from here.

mod fill;
mod language;
mod number;
mod plural;
mod texts;
mod words;

pub use fill::fill;
pub use language::Language;
pub use plural::{counted, plural};
#[cfg(any(feature = "all", test))]
pub use texts::{Conditions, Failures};
pub use texts::{Plural, Texts};
pub use words::Words;
