//! What an item asks for beyond a tick, as it is edited.
//!
//! Invariant: the key of a choice is made once and stays, whatever becomes of its text, because answers
//! name it.

use checklist_shared::answer::{AnswerFormat, AnswerType, Choice};
use checklist_shared::facts::FactNumber;
use checklist_shared::limits::Limits;
use checklist_shared::text::is_blank;

use super::texts::{Texts, first_text, in_each, text_in, text_unless_empty, texts_of_text};
use super::when::{ComparisonFault, number};

/// A format that is being edited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerDraft {
    /// What is asked for; nothing without.
    pub kind: Option<AnswerType>,
    /// The unit of a number; may be empty.
    pub unit: Texts,
    /// The smallest number as it is typed, with a point; may be empty.
    pub min: String,
    /// The largest number, likewise.
    pub max: String,
    /// What can be chosen.
    pub choices: Vec<ChoiceDraft>,
    /// The number of the next choice.
    next: u32,
}

/// A choice that is being edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChoiceDraft {
    /// Its number, the same as long as the draft is open.
    pub number: u32,
    /// Its key; empty until it is saved.
    key: String,
    /// What people read.
    pub text: Texts,
}

impl ChoiceDraft {
    /// Whether its text in the language has to be mended: it is too long, or there is none in any.
    #[must_use]
    pub fn is_wrong_in(&self, language: &str) -> bool {
        let is_unwritten = self.text.iter().all(|(_, text)| is_blank(text));
        let text = text_in(&self.text, language);
        is_unwritten || text.chars().count() > Limits::IDENTIFIER
    }
}

impl AnswerDraft {
    pub(super) fn of(format: Option<&AnswerFormat>) -> Self {
        let Some(format) = format else {
            return Self::default();
        };
        let as_typed = |number: Option<FactNumber>| number.map(|number| number.to_string());
        let choices = (0..).zip(&format.choices);
        Self {
            kind: Some(format.kind),
            unit: format.unit.as_ref().map(texts_of_text).unwrap_or_default(),
            min: as_typed(format.min).unwrap_or_default(),
            max: as_typed(format.max).unwrap_or_default(),
            choices: choices
                .map(|(number, choice)| ChoiceDraft {
                    number,
                    key: choice.key.clone(),
                    text: texts_of_text(&choice.text),
                })
                .collect(),
            next: u32::try_from(format.choices.len()).unwrap_or(u32::MAX),
        }
    }

    /// The format; what belongs to another type than the chosen one is left out.
    #[must_use]
    pub fn format(&self) -> Option<AnswerFormat> {
        let kind = self.kind?;
        let is_number = kind == AnswerType::Number;
        let numbers = |typed: &str| number(typed).ok().filter(|_| is_number);
        let mut choices: Vec<Choice> = Vec::new();
        if kind == AnswerType::Choice {
            for choice in &self.choices {
                choices.push(Choice {
                    key: self.key_of(choice, &choices),
                    text: text_unless_empty(&choice.text).unwrap_or_else(|| "".into()),
                });
            }
        }
        Some(AnswerFormat {
            kind,
            unit: text_unless_empty(&self.unit).filter(|_| is_number),
            min: numbers(&self.min),
            max: numbers(&self.max),
            choices,
        })
    }

    /// The bounds that are no numbers, by their names in the format.
    #[must_use]
    pub fn wrong_bounds(&self) -> Vec<&'static str> {
        let is_number = self.kind == Some(AnswerType::Number);
        let bounds = [("Min", &self.min), ("Max", &self.max)].into_iter();
        let wrong = bounds
            .filter(|(_, typed)| is_number && number(typed) == Err(ComparisonFault::NoNumber));
        wrong.map(|(name, _)| name).collect()
    }

    /// The unit, to be written in one of these languages.
    pub fn unit_mut(&mut self, languages: &[String]) -> &mut Texts {
        in_each(&mut self.unit, languages)
    }

    /// The text of a choice, likewise.
    pub fn choice_text_mut(&mut self, number: u32, languages: &[String]) -> Option<&mut Texts> {
        let choice = self.choices.iter_mut().find(|one| one.number == number)?;
        Some(in_each(&mut choice.text, languages))
    }

    /// The key of a choice, or a new one from its text that no other one has.
    fn key_of(&self, choice: &ChoiceDraft, before: &[Choice]) -> String {
        if !choice.key.is_empty() {
            return choice.key.clone();
        }
        let wanted = super::rows::key_from(first_text(&choice.text), "choice");
        let is_taken = |key: &str| {
            self.choices.iter().any(|other| other.key == key)
                || before.iter().any(|other| other.key == key)
        };
        super::rows::untaken(&wanted, is_taken)
    }

    /// Adds an empty choice; gives its number.
    pub fn add(&mut self) -> u32 {
        let number = self.next;
        self.next += 1;
        self.choices.push(ChoiceDraft {
            number,
            key: String::new(),
            text: Vec::new(),
        });
        number
    }

    /// Removes a choice; gives the number of the one that is there now.
    pub fn remove(&mut self, number: u32) -> Option<u32> {
        let at = (self.choices.iter()).position(|choice| choice.number == number)?;
        self.choices.remove(at);
        let next = self.choices.get(at).or_else(|| self.choices.last());
        next.map(|choice| choice.number)
    }

    pub(super) fn remove_language(&mut self, tag: &str) {
        let choices = self.choices.iter_mut().map(|choice| &mut choice.text);
        for texts in std::iter::once(&mut self.unit).chain(choices) {
            texts.retain(|(language, _)| language != tag);
        }
    }
}
