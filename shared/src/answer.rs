//! Answers: what an item asks for beyond a tick, and what somebody has answered.
//!
//! An answer comes with the status `Done` and goes with it; the item keeps it as evidence is kept, in an
//! accepted [`Proposal`](crate::proposal::Proposal). Invariant of lists, which
//! [`missing_support`](crate::change::allowed::missing_support) holds: an item that asks for an answer
//! is done only with one that its format accepts.

use serde::{Deserialize, Serialize};

use crate::facts::{FactNumber, FactValue};
use crate::item::Item;
use crate::limits::Limits;
use crate::names::names;
use crate::problem::{FieldError, FieldErrorCode};
use crate::text::{Text, is_blank};

/// What an answer has to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
#[cfg_attr(feature = "records", serde(deny_unknown_fields))]
pub struct AnswerFormat {
    /// A text, a number, or one of several choices.
    #[serde(rename = "Type")]
    pub kind: AnswerType,
    /// Of a number: its unit, in one language or one per language; at most 40 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Text>,
    /// Of a number: the smallest that is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<FactNumber>,
    /// Of a number: the largest that is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<FactNumber>,
    /// Of a choice: what can be chosen, 2 to 50.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
}

names! {
    /// The types of answers.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum AnswerType {
        /// A text that can be seen, of at most 1,000 characters.
        #[default]
        Text,
        /// A number within the bounds.
        Number,
        /// The key of a choice.
        Choice,
    }
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
#[cfg_attr(feature = "records", serde(deny_unknown_fields))]
pub struct Choice {
    /// What the answer is: stable in the template, 1 to 200 characters.
    pub key: String,
    /// What people read, in one language or one per language; 1 to 200 characters.
    pub text: Text,
}

/// What somebody has answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Answer {
    /// A text, a number, or the key of a choice.
    pub value: FactValue,
    /// The unit of the number, or the wording of the choice, as whoever answered has read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl AnswerFormat {
    /// Whether that is an answer to what the item asks.
    #[must_use]
    pub fn accepts(&self, value: &FactValue) -> bool {
        match (self.kind, value) {
            (AnswerType::Text, FactValue::Text(text)) => !is_blank(text) && !value.is_too_long(),
            (AnswerType::Number, FactValue::Number(number)) => {
                self.min.is_none_or(|min| min <= *number)
                    && self.max.is_none_or(|max| *number <= max)
            }
            (AnswerType::Choice, FactValue::Text(key)) => self.choice(key).is_some(),
            _ => false,
        }
    }

    fn choice(&self, key: &str) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.key == key)
    }

    /// What people read beside or instead of a value: the unit, or the wording of the choice.
    fn label(&self, value: &FactValue) -> Option<&Text> {
        match (self.kind, value) {
            (AnswerType::Choice, FactValue::Text(key)) => {
                self.choice(key).map(|choice| &choice.text)
            }
            (AnswerType::Number, _) => self.unit.as_ref(),
            _ => None,
        }
    }

    /// The answer with that value, given by a reader of those languages.
    #[must_use]
    pub fn answer(&self, value: FactValue, languages: &[&str]) -> Answer {
        let label = self.label(&value);
        let label = label.map(|text| text.resolve(languages).to_owned());
        Answer { value, label }
    }

    /// How a reader of those languages reads an answer: a choice in their language, unless it was
    /// reworded after it was chosen.
    #[must_use]
    pub fn as_read(&self, answer: &Answer, languages: &[&str]) -> Answer {
        let label = answer.label.as_deref();
        match (&answer.value, label) {
            (FactValue::Text(key), Some(label))
                if (self.choice(key)).is_some_and(|choice| choice.text.says(label)) =>
            {
                self.answer(answer.value.clone(), languages)
            }
            _ => answer.clone(),
        }
    }

    /// The same with its texts in one of those languages.
    #[must_use]
    pub fn resolved(&self, languages: &[&str]) -> Self {
        let resolve = |text: &Text| Text::Plain(text.resolve(languages).to_owned());
        Self {
            unit: self.unit.as_ref().map(resolve),
            choices: (self.choices.iter())
                .map(|choice| Choice {
                    key: choice.key.clone(),
                    text: resolve(&choice.text),
                })
                .collect(),
            ..self.clone()
        }
    }
}

impl AnswerFormat {
    /// Whether the label of an answer is still what a reader of some language reads.
    fn has_label(&self, answer: &Answer) -> bool {
        match (self.label(&answer.value), &answer.label) {
            (Some(own), Some(label)) => own.says(label),
            (own, label) => own.is_some() == label.is_some(),
        }
    }
}

impl Answer {
    /// Whether a new answer to the item says what this one says, in whichever language. The same number
    /// in another unit does not.
    #[must_use]
    pub(crate) fn is_as(&self, new: &Self, item: &Item) -> bool {
        let format = item.answer_format.as_deref();
        self.value == new.value && format.is_none_or(|format| format.has_label(self))
    }

    /// The answer as a text for people, a number written as in `English`; other languages write it
    /// with [`Self::parts`].
    #[must_use]
    pub fn sentence(&self) -> String {
        let (value, unit) = self.parts();
        [value, unit.unwrap_or_default().to_owned()]
            .join(" ")
            .trim_end()
            .to_owned()
    }

    /// The words that somebody wrote as their answer; a number and a choice are nobody's words.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match (&self.value, &self.label) {
            (FactValue::Text(text), None) => Some(text),
            _ => None,
        }
    }

    /// What people read, and the unit of a number.
    #[must_use]
    pub fn parts(&self) -> (String, Option<&str>) {
        match (&self.value, self.label.as_deref()) {
            (FactValue::Text(_), Some(wording)) => (wording.to_owned(), None),
            (value, unit) => (value.to_string(), unit),
        }
    }
}

impl Item {
    /// What was answered, where the item is done.
    #[must_use]
    pub fn answer(&self) -> Option<&Answer> {
        let accepted = self.proposal.as_deref().filter(|one| one.accepted);
        accepted.and_then(|one| one.answer.as_ref())
    }
}

impl AnswerFormat {
    /// The longest unit, in characters.
    const UNIT: usize = 40;
    /// The most choices.
    const MOST: usize = 50;

    /// What is wrong with it, with pointers below it.
    #[must_use]
    pub fn faults(&self) -> Vec<FieldError> {
        let mut faults = Vec::new();
        let mut say = |is_wrong: bool, pointer: &str, detail| {
            if is_wrong {
                faults.push(FieldError::new(pointer, FieldErrorCode::Invalid, detail));
            }
        };
        let is_number = self.kind == AnswerType::Number;
        let alone = "Only a number has a unit and bounds.";
        say(!is_number && self.unit.is_some(), "/Unit", alone);
        say(!is_number && self.min.is_some(), "/Min", alone);
        say(!is_number && self.max.is_some(), "/Max", alone);
        let is_crossed = (self.min.zip(self.max)).is_some_and(|(min, max)| max < min);
        say(
            is_crossed,
            "/Max",
            "The largest number is less than the smallest one.",
        );
        let unit = self.unit.as_ref();
        say(
            unit.is_some_and(|unit| !is_readable(unit, Self::UNIT)),
            "/Unit",
            "Write a unit of at most 40 characters in each language, or leave it out.",
        );
        if self.kind != AnswerType::Choice {
            let detail = "Only a choice has choices.";
            say(!self.choices.is_empty(), "/Choices", detail);
            return faults;
        }
        let count = self.choices.len();
        say(
            !(2..=Self::MOST).contains(&count),
            "/Choices",
            "Give 2 to 50 choices.",
        );
        for (index, choice) in self.choices.iter().enumerate() {
            let at = |field: &str| format!("/Choices/{index}/{field}");
            say(
                is_blank(&choice.key) || choice.key.chars().count() > Limits::IDENTIFIER,
                &at("Key"),
                "Write a key of 1 to 200 characters.",
            );
            let is_double = self.choices[..index]
                .iter()
                .any(|other| other.key == choice.key);
            say(is_double, &at("Key"), "Another choice has the same key.");
            say(
                !is_readable(&choice.text, Limits::IDENTIFIER),
                &at("Text"),
                "Write a text of 1 to 200 characters in each language.",
            );
        }
        faults
    }
}

/// Whether the text can be seen and is short enough in each of its languages.
fn is_readable(text: &Text, most: usize) -> bool {
    let fits = |text: &str| !is_blank(text) && text.chars().count() <= most;
    match text {
        Text::Plain(text) => fits(text),
        Text::Localized(map) => {
            !map.is_empty()
                && map.wrong_tags().next().is_none()
                && map.iter().all(|(_, text)| fits(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn format(json: Value) -> AnswerFormat {
        serde_json::from_value(json).expect("a format")
    }

    fn value(json: Value) -> FactValue {
        serde_json::from_value(json).expect("a value")
    }

    fn colours() -> AnswerFormat {
        format(json!({ "Type": "Choice", "Choices": [
            { "Key": "r", "Text": { "en": "Red", "de": "Rot" } }, { "Key": "b", "Text": "Blue" }] }))
    }

    #[test]
    fn a_number_is_accepted_up_to_its_bounds_and_no_text_is() {
        let cold = format(json!({ "Type": "Number", "Min": 2, "Max": 8, "Unit": "°C" }));
        for (json, is_accepted) in [
            (json!(2), true),
            (json!(8.0), true),
            (json!(8.1), false),
            (json!(-3), false),
            (json!("5"), false),
            (json!(true), false),
        ] {
            assert_eq!(cold.accepts(&value(json.clone())), is_accepted, "{json}");
        }
        assert_eq!(cold.answer(value(json!(4.5)), &[]).sentence(), "4.5 °C");
    }

    #[test]
    fn a_text_that_nobody_sees_or_that_is_too_long_is_no_answer() {
        let text = AnswerFormat::default();
        assert!(text.accepts(&value(json!("x"))));
        assert!(!text.accepts(&value(json!(" \u{200B}"))));
        assert!(!text.accepts(&value(json!("x".repeat(1_001)))));
    }

    #[test]
    fn a_choice_is_kept_by_its_key_and_read_in_the_readers_language() {
        let colours = colours();
        assert!(!colours.accepts(&value(json!("Red"))), "its key is r");
        let answer = colours.answer(value(json!("r")), &["de"]);
        assert_eq!(answer.sentence(), "Rot");
        assert_eq!(colours.as_read(&answer, &["en"]).sentence(), "Red");
        let gone = format(json!({ "Type": "Choice", "Choices": [] }));
        assert_eq!(gone.as_read(&answer, &["en"]).sentence(), "Rot");
    }

    #[test]
    fn an_answer_says_the_same_in_another_language_and_not_in_another_unit() {
        let colours = colours();
        let red = colours.answer(value(json!("r")), &["de"]);
        assert!(colours.has_label(&red), "it was given in German");
        let text = AnswerFormat::default();
        assert!(text.has_label(&text.answer(value(json!("x")), &[])));
        let number = |unit: Option<&str>| format(json!({ "Type": "Number", "Unit": unit }));
        let units = [None, Some("°C"), Some("°F")];
        for given in units {
            let answer = number(given).answer(value(json!(4)), &[]);
            for now in units {
                let says_the_same = number(now).has_label(&answer);
                assert_eq!(says_the_same, given == now, "{given:?}, {now:?}");
            }
        }
    }

    #[test]
    fn each_fault_has_its_pointer() {
        assert_eq!(colours().faults(), []);
        for (json, pointers) in [
            (
                json!({ "Type": "Text", "Unit": "m", "Min": 1, "Choices": [{ "Key": "a", "Text": "A" }] }),
                vec!["/Unit", "/Min", "/Choices"],
            ),
            (
                json!({ "Type": "Number", "Min": 2, "Max": 1, "Unit": { "x_": "m" } }),
                vec!["/Max", "/Unit"],
            ),
            (
                json!({ "Type": "Choice", "Choices": [
                    { "Key": "a", "Text": " " }, { "Key": "a", "Text": {} }, { "Key": "", "Text": "C" }] }),
                vec![
                    "/Choices/0/Text",
                    "/Choices/1/Key",
                    "/Choices/1/Text",
                    "/Choices/2/Key",
                ],
            ),
            (json!({ "Type": "Choice" }), vec!["/Choices"]),
        ] {
            let faults = format(json.clone()).faults();
            let found: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
            assert_eq!(found, pointers, "{json}");
        }
    }
}
