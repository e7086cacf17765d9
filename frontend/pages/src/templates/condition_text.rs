//! A condition in words: when an item of a template applies.
//!
//! A group inside another one stands in brackets, so that the sentence has one meaning.

use checklist_shared::condition::{Condition, Test};
use checklist_shared::facts::FactValue;

use crate::kit::*;

/// The condition, without a full stop.
#[must_use]
pub fn condition_text(app: App, condition: &Condition) -> String {
    let words = app.language.templates();
    match condition {
        Condition::Fact { name, test } => comparison(app, name, test),
        Condition::All(parts) => joined(app, parts, words.and),
        Condition::Any(parts) => joined(app, parts, words.or),
        Condition::Not(part) => [words.not, " (", &condition_text(app, part), ")"].concat(),
    }
}

fn joined(app: App, parts: &[Condition], word: &str) -> String {
    let part = |part: &Condition| {
        let text = condition_text(app, part);
        match part {
            Condition::All(inner) | Condition::Any(inner) if inner.len() > 1 => {
                ["(", &text, ")"].concat()
            }
            _ => text,
        }
    };
    let texts: Vec<String> = parts.iter().map(part).collect();
    texts.join(&[" ", word, " "].concat())
}

fn comparison(app: App, name: &str, test: &Test) -> String {
    let words = app.language.templates();
    let (sentence, value) = match test {
        Test::Is(value) => (words.fact_is, value_text(app, value)),
        Test::In(values) => {
            let values: Vec<String> = values.iter().map(|value| value_text(app, value)).collect();
            (words.fact_in, values.join(", "))
        }
        Test::AtLeast(number) => (words.fact_at_least, number.to_string()),
        Test::AtMost(number) => (words.fact_at_most, number.to_string()),
        Test::Present(true) => (words.fact_present, String::new()),
        Test::Present(false) => (words.fact_absent, String::new()),
    };
    fill(sentence, &[("fact", name), ("value", &value)])
}

/// Texts stand in quotation marks, which tell `1` from “1”.
fn value_text(app: App, value: &FactValue) -> String {
    let words = app.language.templates();
    match value {
        FactValue::Text(text) => fill(words.quoted, &[("text", text)]),
        FactValue::Number(number) => number.to_string(),
        FactValue::Boolean(true) => words.yes.to_owned(),
        FactValue::Boolean(false) => words.no.to_owned(),
    }
}
