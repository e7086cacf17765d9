//! The facts that the conditions of a template name, and values to try them with.

use std::collections::BTreeMap;

use checklist_shared::condition::Test;
use checklist_shared::facts::FactValue;
use checklist_shared::template::Template;

use super::when::{ComparisonFault, ValueType};

/// A fact that a condition names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownFact {
    /// Its name.
    pub name: String,
    /// The values that it is compared with, each once; without limits of numbers.
    pub values: Vec<FactValue>,
    /// The types that it is compared as, each once.
    types: Vec<ValueType>,
}

/// The facts, by name.
#[must_use]
pub fn known_facts(template: &Template) -> Vec<KnownFact> {
    let mut facts: BTreeMap<&str, KnownFact> = BTreeMap::new();
    let conditions = template.items.iter().filter_map(|item| item.when.as_ref());
    for (name, test) in conditions.flat_map(|when| when.comparisons()) {
        let fact = facts.entry(name).or_default();
        name.clone_into(&mut fact.name);
        match test {
            Test::Is(value) => fact.note(value),
            Test::In(values) => values.iter().for_each(|value| fact.note(value)),
            Test::AtLeast(_) | Test::AtMost(_) => fact.note_type(ValueType::Number),
            Test::Present(_) => {}
        }
    }
    facts.into_values().collect()
}

impl KnownFact {
    fn note(&mut self, value: &FactValue) {
        self.note_type(ValueType::of(value));
        if !self.values.contains(value) {
            self.values.push(value.clone());
        }
    }

    fn note_type(&mut self, value_type: ValueType) {
        if !self.types.contains(&value_type) {
            self.types.push(value_type);
        }
    }

    /// The type that it is always compared as; a text where that differs, or where none is named.
    #[must_use]
    pub fn value_type(&self) -> ValueType {
        match self.types.as_slice() {
            [one] => *one,
            _ => ValueType::Text,
        }
    }

    /// The value that was typed; `None` where nothing was. Of several types it is the text that a
    /// condition names, else the number that it reads as.
    ///
    /// # Errors
    /// It is only compared as a number, and this is none.
    pub fn read(&self, typed: &str) -> Result<Option<FactValue>, ComparisonFault> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Ok(None);
        }
        let text = FactValue::Text(typed.to_owned());
        let is_mixed = self.types.len() > 1 && !self.values.contains(&text);
        match ValueType::Number.read(typed) {
            Ok(number) if is_mixed && self.types.contains(&ValueType::Number) => Ok(Some(number)),
            _ => self.value_type().read(typed).map(Some),
        }
    }
}
