//! Answers as people type and read them. Pure.
//!
//! Invariant: what could be two numbers is none. A mark that groups thousands in the reader's language is
//! no decimal mark before three digits, and nothing is grouped.

use checklist_shared::answer::{Answer, AnswerFormat, AnswerType};
use checklist_shared::facts::{FactNumber, FactValue};
use checklist_shared::text::trimmed;

use crate::digits;
use crate::i18n::{Words, fill};
use crate::model::list::resolve;

/// What was typed or chosen, if the format accepts it.
pub fn typed_answer(format: &AnswerFormat, typed: &str, words: Words) -> Option<FactValue> {
    let value = match format.kind {
        AnswerType::Number => {
            let number = digits::parse(&words.typed_digits(typed)?)?;
            FactValue::Number(FactNumber::new(number)?)
        }
        AnswerType::Text | AnswerType::Choice => FactValue::Text(trimmed(typed).to_owned()),
    };
    format.accepts(&value).then_some(value)
}

/// What the field has that holds this answer.
pub(super) fn as_typed(answer: &Answer, words: Words) -> String {
    match &answer.value {
        FactValue::Number(number) => read_as(*number, words),
        FactValue::Text(text) => text.clone(),
        FactValue::Boolean(_) => String::new(),
    }
}

/// The answer as it is read: `4,5 °C`.
pub fn answer_text(answer: &Answer, words: Words) -> String {
    let label = answer.label.as_deref();
    match &answer.value {
        FactValue::Number(number) => with_unit(&read_as(*number, words), label),
        FactValue::Text(text) => label.unwrap_or(text).to_owned(),
        FactValue::Boolean(_) => String::new(),
    }
}

fn read_as(number: FactNumber, words: Words) -> String {
    words.decimal(&digits::format(number.get()))
}

fn with_unit(number: &str, unit: Option<&str>) -> String {
    match unit {
        Some(unit) => [number, "\u{a0}", unit].concat(),
        None => number.to_owned(),
    }
}

/// The most choices that a row lists.
const LISTED: usize = 5;

/// What is accepted, in one line; nothing where any text is.
pub fn asked_text(format: &AnswerFormat, words: Words) -> Option<String> {
    if format.kind != AnswerType::Choice {
        return bounds_text(format, words);
    }
    let choices = format.choices.iter().take(LISTED);
    let texts: Vec<&str> = choices.map(|choice| resolve(&choice.text)).collect();
    let more = if format.choices.len() > LISTED {
        " …"
    } else {
        ""
    };
    Some([&texts.join(" / "), more].concat())
}

/// Which numbers are accepted: `From 2 to 8 °C`; the unit alone without bounds.
pub fn bounds_text(format: &AnswerFormat, words: Words) -> Option<String> {
    let unit = format.unit.as_ref().map(resolve);
    let number = |number: FactNumber| with_unit(&read_as(number, words), unit);
    let texts = words.texts;
    match (format.min, format.max) {
        (Some(min), Some(max)) => {
            let min = read_as(min, words);
            let (min, max) = (min.as_str(), number(max));
            Some(fill(texts.from_to(), &[("min", min), ("max", &max)]))
        }
        (Some(min), None) => Some(fill(texts.at_least(), &[("min", &number(min))])),
        (None, Some(max)) => Some(fill(texts.at_most(), &[("max", &number(max))])),
        (None, None) => unit.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(min: f64, max: f64) -> AnswerFormat {
        AnswerFormat {
            kind: AnswerType::Number,
            unit: Some("°C".into()),
            min: FactNumber::new(min),
            max: FactNumber::new(max),
            ..AnswerFormat::default()
        }
    }

    #[test]
    fn a_german_reads_and_types_a_comma_and_nobody_is_misunderstood() {
        let (german, english) = (Words::of("de"), Words::of("en"));
        let cold = number(-10.0, 2_000.0);
        for (typed, words, value) in [
            ("4,5", german, Some(4.5)),
            (" 4.5 ", german, Some(4.5)),
            ("-3", german, Some(-3.0)),
            ("\u{2212}3", english, Some(-3.0)),
            ("1.234", german, None),
            ("1,234", english, None),
            ("1.234", english, Some(1.234)),
            ("1.234,5", german, None),
            ("4 °C", english, None),
            ("inf", english, None),
            ("", english, None),
            ("-11", english, None),
        ] {
            let value = value.and_then(FactNumber::new).map(FactValue::Number);
            assert_eq!(typed_answer(&cold, typed, words), value, "{typed}");
        }
        let answer = cold.answer(
            FactValue::Number(FactNumber::new(4.5).expect("finite")),
            &[],
        );
        assert_eq!(answer_text(&answer, german), "4,5\u{a0}°C");
        assert_eq!(as_typed(&answer, german), "4,5");
    }

    #[test]
    fn somebody_with_arabic_digits_types_and_reads_them() {
        let arabic = Words::of("ar-EG");
        let answer = typed_answer(&number(0.0, 10.0), "٤٫٥", arabic).expect("a number");
        let answer = number(0.0, 10.0).answer(answer, &[]);
        assert_eq!(answer_text(&answer, arabic), "٤٫٥\u{a0}°C");
    }

    #[test]
    fn bounds_are_told_with_their_unit() {
        let german = Words::of("de");
        assert_eq!(
            bounds_text(&number(2.5, 8.0), german).as_deref(),
            Some("Von 2,5 bis 8\u{a0}°C")
        );
        let open = AnswerFormat {
            max: None,
            ..number(2.5, 8.0)
        };
        assert_eq!(
            bounds_text(&open, german).as_deref(),
            Some("Mindestens 2,5\u{a0}°C")
        );
    }
}
