//! The tables of words that the page has fetched: each becomes the control's words once, and the
//! script names it by its number from then on. Number 0 is English, which is built in.

use std::cell::RefCell;

use checklist_control::i18n::{Texts, Words};
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    static TABLES: RefCell<Vec<&'static Texts>> = const { RefCell::new(Vec::new()) };
}

/// Takes a table in, a line for each text in their order, and gives its number.
#[wasm_bindgen]
pub fn speak(lines: String) -> u32 {
    // A page has few languages, and its views hold on to their words.
    let texts = Box::leak(Box::new(Texts::from_lines(lines.leak())));
    TABLES.with_borrow_mut(|tables| {
        tables.push(texts);
        tables.len() as u32
    })
}

/// The words of that number, in the language of the tag.
pub fn words(number: Option<f64>, language: &str) -> Words {
    let number = number.unwrap_or_default() as usize;
    let table = TABLES.with_borrow(|tables| tables.get(number.wrapping_sub(1)).copied());
    table.map_or_else(Words::default, |texts| Words::with(language, texts))
}
