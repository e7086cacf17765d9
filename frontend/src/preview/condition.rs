//! A condition in words: when an item of a template applies.
//!
//! A group inside another one stands in brackets, so that the sentence has one meaning.

use checklist_languages::Conditions;
use checklist_shared::condition::{Condition, Test};
use checklist_shared::facts::{FactNumber, FactValue};

use crate::i18n::{Language, Texts, fill};

/// The condition, without a full stop.
///
/// ```
/// # use checklist_control::i18n::Language;
/// # use checklist_control::preview::condition::condition_text;
/// # use checklist_shared::condition::{Condition, Test};
/// # use checklist_shared::facts::FactNumber;
/// let number = FactNumber::new(2.5).expect("it is finite");
/// let load = Condition::Fact { name: "Load".into(), test: Test::AtLeast(number) };
/// assert_eq!(condition_text(Language::De, &load), "Load ist mindestens 2,5");
/// ```
#[must_use]
pub fn condition_text(language: Language, condition: &Condition) -> String {
    let words = Conditions::of(language);
    match condition {
        Condition::Fact { name, test } => comparison(language, name, test, false),
        Condition::All(parts) => joined(language, parts, words.and),
        Condition::Any(parts) => joined(language, parts, words.or),
        Condition::Not(part) => match &**part {
            Condition::Fact { name, test } if matches!(test, Test::Is(_) | Test::In(_)) => {
                comparison(language, name, test, true)
            }
            part => {
                let condition = condition_text(language, part);
                fill(words.not, &[("condition", &condition)])
            }
        },
    }
}

/// The line under an item that applies under a condition.
#[must_use]
pub fn condition_line(language: Language, condition: &Condition) -> String {
    let words = Conditions::of(language);
    let condition = condition_text(language, condition);
    fill(words.applies_if, &[("condition", &condition)])
}

/// A number as the language writes it, without signs between thousands.
#[must_use]
pub fn number_text(language: Language, number: FactNumber) -> String {
    let decimal = Conditions::of(language).decimal;
    number.to_string().replace('.', decimal)
}

fn joined(language: Language, parts: &[Condition], word: &str) -> String {
    let part = |part: &Condition| {
        let text = condition_text(language, part);
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

fn comparison(language: Language, name: &str, test: &Test, is_negated: bool) -> String {
    let words = Conditions::of(language);
    let (sentence, value) = match test {
        Test::Is(value) if is_negated => (words.is_not, value_text(language, value)),
        Test::Is(value) => (words.is, value_text(language, value)),
        Test::In(values) => {
            let values: Vec<String> = (values.iter())
                .map(|value| value_text(language, value))
                .collect();
            let sentence = if is_negated {
                words.none_of
            } else {
                words.one_of
            };
            (sentence, values.join(words.comma))
        }
        Test::AtLeast(number) => (words.at_least, number_text(language, *number)),
        Test::AtMost(number) => (words.at_most, number_text(language, *number)),
        Test::Present(true) => (words.present, String::new()),
        Test::Present(false) => (words.absent, String::new()),
    };
    fill(sentence, &[("fact", name), ("value", &value)])
}

/// Texts stand in quotation marks, which tell `1` from “1”.
fn value_text(language: Language, value: &FactValue) -> String {
    let words = Conditions::of(language);
    match value {
        FactValue::Text(text) => fill(Texts::of(language).quoted(), &[("text", text)]),
        FactValue::Number(number) => number_text(language, *number),
        FactValue::Boolean(true) => words.yes.to_owned(),
        FactValue::Boolean(false) => words.no.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn in_words(language: Language, condition: Value) -> String {
        let condition = serde_json::from_value(condition).expect("a condition");
        condition_text(language, &condition)
    }

    #[test]
    fn a_group_inside_another_one_stands_in_brackets() {
        let nested = json!({ "Any": [
            { "Fact": "Vip", "Is": true },
            { "All": [{ "Fact": "Queue", "In": ["Mail", "1"] }, { "Fact": "Age", "AtMost": 2.5 }] },
            { "Not": { "All": [{ "Fact": "A", "Present": true }, { "Fact": "B", "Present": false }] } },
        ] });
        assert_eq!(
            in_words(Language::En, nested.clone()),
            "Vip is yes or (Queue is one of “Mail”, “1” and Age is at most 2.5) or not (A is known and B is not known)"
        );
        assert_eq!(
            in_words(Language::De, nested),
            "Vip ist ja oder (Queue ist eines von „Mail“, „1“ und Age ist höchstens 2,5) oder nicht (A ist bekannt und B ist nicht bekannt)"
        );
    }

    #[test]
    fn a_comparison_that_is_turned_round_is_said_as_one() {
        let queue = json!({ "Not": { "Fact": "Queue", "Is": "Mail" } });
        assert_eq!(in_words(Language::En, queue), "Queue is not “Mail”");
        let queue = json!({ "Not": { "Fact": "Queue", "In": [1, 2] } });
        assert_eq!(
            in_words(Language::Fr, queue),
            "Queue n’est aucune des valeurs 1, 2"
        );
    }

    #[test]
    fn an_arabic_fact_does_not_turn_a_german_sentence_round() {
        let queue = json!({ "Fact": "الأولوية", "Is": "عالية" });
        assert_eq!(
            in_words(Language::De, queue),
            "\u{2068}الأولوية\u{2069} ist \u{2068}„\u{2068}عالية\u{2069}“\u{2069}"
        );
    }
}
