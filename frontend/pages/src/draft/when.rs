//! The condition of a row as it is edited: comparisons of facts that are joined by *all* or *any*.
//!
//! Comparisons that were made of a condition make the same condition again. What they cannot say
//! stays as it is.

use checklist_shared::condition::{Condition, Test};
use checklist_shared::facts::{FactNumber, FactValue};
use serde::{Deserialize, Serialize};

/// To which lists a row applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// To those that pass the comparisons; to all where there are none.
    Comparisons(Comparisons),
    /// A condition that comparisons in a row cannot say.
    Nested(Condition),
}

/// Comparisons, and whether all of them have to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparisons {
    /// Whether each has to hold, or one of them.
    pub join: Join,
    /// The comparisons.
    pub rows: Vec<Comparison>,
}

/// How comparisons are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Join {
    /// Each has to hold.
    #[default]
    All,
    /// At least one has to hold.
    Any,
}

/// One comparison of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Its number in its condition, the same as long as it is there.
    pub number: u32,
    /// The name of the fact.
    pub fact: String,
    /// How it is compared.
    pub operator: Operator,
    /// Of what type the value is.
    pub value_type: ValueType,
    /// The value as it is typed, numbers with a point; `true` or `false`; of several values one in
    /// each line.
    pub value: String,
}

/// How a fact is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    #[default]
    Is,
    /// Also where there is no such fact.
    IsNot,
    OneOf,
    NoneOf,
    AtLeast,
    AtMost,
    Present,
    Absent,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ValueType {
    #[default]
    Text,
    Number,
    Boolean,
}

/// What is wrong with a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonFault {
    /// There is no name of a fact.
    NoFact,
    /// There is no value.
    NoValue,
    /// A value is no number.
    NoNumber,
}

impl Default for When {
    fn default() -> Self {
        Self::Comparisons(Comparisons::default())
    }
}

impl When {
    /// As a template has it.
    #[must_use]
    pub fn of(condition: Option<&Condition>) -> Self {
        let Some(condition) = condition else {
            return Self::default();
        };
        let (join, parts) = match condition {
            Condition::All(parts) => (Join::All, parts.as_slice()),
            Condition::Any(parts) => (Join::Any, parts.as_slice()),
            other => (Join::All, std::slice::from_ref(other)),
        };
        let rows: Option<Vec<Comparison>> = (1..).zip(parts).map(Comparison::of).collect();
        match rows.filter(|rows| !rows.is_empty()) {
            Some(rows) => Self::Comparisons(Comparisons { join, rows }),
            None => Self::Nested(condition.clone()),
        }
    }

    /// As a template has it. Comparisons that are not finished are left out.
    #[must_use]
    pub fn condition(&self) -> Option<Condition> {
        let comparisons = match self {
            Self::Nested(condition) => return Some(condition.clone()),
            Self::Comparisons(comparisons) => comparisons,
        };
        let parts = comparisons.rows.iter();
        let mut parts: Vec<Condition> = parts.filter_map(|row| row.condition().ok()).collect();
        match (parts.len(), comparisons.join) {
            (0 | 1, _) => parts.pop(),
            (_, Join::All) => Some(Condition::All(parts)),
            (_, Join::Any) => Some(Condition::Any(parts)),
        }
    }

    /// The comparisons, if it consists of some.
    #[must_use]
    pub fn comparisons(&self) -> &[Comparison] {
        match self {
            Self::Comparisons(comparisons) => &comparisons.rows,
            Self::Nested(_) => &[],
        }
    }

    /// A comparison by its number, to be changed.
    pub fn comparison_mut(&mut self, number: u32) -> Option<&mut Comparison> {
        match self {
            Self::Comparisons(comparisons) => {
                (comparisons.rows.iter_mut()).find(|row| row.number == number)
            }
            Self::Nested(_) => None,
        }
    }

    /// Adds an empty comparison at the end and gives its number. A nested condition is lost.
    pub fn add(&mut self) -> u32 {
        let number = (self.comparisons().iter())
            .map(|row| row.number)
            .max()
            .map_or(1, |last| last + 1);
        let new = Comparison::empty(number);
        match self {
            Self::Comparisons(comparisons) => comparisons.rows.push(new),
            Self::Nested(_) => {
                *self = Self::Comparisons(Comparisons {
                    join: Join::All,
                    rows: vec![new],
                });
            }
        }
        number
    }

    /// Removes a comparison; gives the number of the one that the focus goes to.
    pub fn remove(&mut self, number: u32) -> Option<u32> {
        let Self::Comparisons(comparisons) = self else {
            return None;
        };
        let rows = &mut comparisons.rows;
        let at = rows.iter().position(|row| row.number == number)?;
        rows.remove(at);
        if rows.is_empty() {
            *self = Self::default();
            return None;
        }
        rows.get(at).or(rows.last()).map(|row| row.number)
    }

    /// What is not finished, by the number of the comparison.
    #[must_use]
    pub fn faults(&self) -> Vec<(u32, ComparisonFault)> {
        let rows = self.comparisons().iter();
        rows.filter_map(|row| Some((row.number, row.condition().err()?)))
            .collect()
    }

    /// The comparison that a JSON pointer below the condition is about.
    #[must_use]
    pub fn comparison_at<'a>(&self, mut tokens: impl Iterator<Item = &'a str>) -> Option<u32> {
        let at = match tokens.next()? {
            "All" | "Any" => tokens.next()?.parse().ok()?,
            _ => 0,
        };
        // Those that are not finished are not in the condition.
        let finished = self.comparisons().iter();
        let mut finished = finished.filter(|row| row.condition().is_ok());
        finished.nth(at).map(|row| row.number)
    }
}

impl Comparison {
    fn empty(number: u32) -> Self {
        Self {
            number,
            fact: String::new(),
            operator: Operator::default(),
            value_type: ValueType::default(),
            value: String::new(),
        }
    }

    /// A condition as a comparison, if it is one.
    fn of((number, condition): (u32, &Condition)) -> Option<Self> {
        let (fact, test, is_negated) = match condition {
            Condition::Fact { name, test } => (name, test, false),
            Condition::Not(part) => match &**part {
                Condition::Fact { name, test } => (name, test, true),
                _ => return None,
            },
            _ => return None,
        };
        let (operator, values) = match (test, is_negated) {
            (Test::Is(value), false) => (Operator::Is, vec![value.clone()]),
            (Test::Is(value), true) => (Operator::IsNot, vec![value.clone()]),
            // A list of truth values has no field.
            (Test::In(values), _) if values.iter().any(is_truth_value) => return None,
            (Test::In(values), false) => (Operator::OneOf, values.clone()),
            (Test::In(values), true) => (Operator::NoneOf, values.clone()),
            (Test::AtLeast(least), false) => (Operator::AtLeast, vec![FactValue::Number(*least)]),
            (Test::AtMost(most), false) => (Operator::AtMost, vec![FactValue::Number(*most)]),
            (Test::Present(true), false) => (Operator::Present, Vec::new()),
            (Test::Present(false), false) => (Operator::Absent, Vec::new()),
            _ => return None,
        };
        let texts: Vec<String> = values.iter().map(FactValue::to_string).collect();
        let comparison = Self {
            number,
            fact: fact.clone(),
            operator,
            value_type: values.first().map(ValueType::of).unwrap_or_default(),
            value: texts.join("\n"),
        };
        // What a field would change, such as a blank at the end, is not for fields.
        let is_one_line = texts.iter().all(|text| !text.contains(['\n', '\r']));
        let is_same = comparison.condition().as_ref() == Ok(condition);
        (is_one_line && is_same).then_some(comparison)
    }

    /// Compares otherwise from now on. What the new operator has no field for goes: of several values
    /// the first one stays.
    pub fn set_operator(&mut self, operator: Operator) {
        self.operator = operator;
        match operator {
            Operator::Present | Operator::Absent => return,
            Operator::Is | Operator::IsNot => {}
            Operator::OneOf | Operator::NoneOf | Operator::AtLeast | Operator::AtMost => {
                if self.value_type == ValueType::Boolean {
                    self.set_value_type(ValueType::Text);
                }
            }
        }
        if !operator.takes_several() {
            let mut lines = self.value.lines();
            let first = lines.find(|line| !line.trim().is_empty());
            self.value = first.unwrap_or_default().to_owned();
        }
    }

    /// Reads the value as another type from now on. Truth values are chosen, not typed: they do not
    /// become anything else, and nothing else becomes one.
    pub fn set_value_type(&mut self, value_type: ValueType) {
        if self.value_type != value_type {
            if value_type == ValueType::Boolean {
                // The one that the field shows first.
                "true".clone_into(&mut self.value);
            } else if self.value_type == ValueType::Boolean {
                self.value.clear();
            }
        }
        self.value_type = value_type;
    }

    /// The condition.
    fn condition(&self) -> Result<Condition, ComparisonFault> {
        let name = self.fact.trim().to_owned();
        if name.is_empty() {
            return Err(ComparisonFault::NoFact);
        }
        let is_negated = matches!(self.operator, Operator::IsNot | Operator::NoneOf);
        let test = match self.operator {
            Operator::Is | Operator::IsNot => Test::Is(self.value_type.read(&self.value)?),
            Operator::OneOf | Operator::NoneOf => {
                let lines = self.value.lines().filter(|line| !line.trim().is_empty());
                let values: Vec<FactValue> = lines
                    .map(|line| self.value_type.read(line))
                    .collect::<Result<_, _>>()?;
                if values.is_empty() {
                    return Err(ComparisonFault::NoValue);
                }
                Test::In(values)
            }
            Operator::AtLeast => Test::AtLeast(number(&self.value)?),
            Operator::AtMost => Test::AtMost(number(&self.value)?),
            Operator::Present => Test::Present(true),
            Operator::Absent => Test::Present(false),
        };
        let fact = Condition::Fact { name, test };
        Ok(if is_negated {
            Condition::Not(Box::new(fact))
        } else {
            fact
        })
    }
}

impl Operator {
    /// Whether a fact is compared with several values.
    #[must_use]
    pub const fn takes_several(self) -> bool {
        matches!(self, Self::OneOf | Self::NoneOf)
    }
}

impl ValueType {
    /// The type of a value.
    #[must_use]
    pub const fn of(value: &FactValue) -> Self {
        match value {
            FactValue::Text(_) => Self::Text,
            FactValue::Number(_) => Self::Number,
            FactValue::Boolean(_) => Self::Boolean,
        }
    }

    /// The value that was typed, numbers with a point.
    ///
    /// # Errors
    /// Nothing was typed or chosen, or something that is no number.
    pub fn read(self, typed: &str) -> Result<FactValue, ComparisonFault> {
        let typed = typed.trim();
        match self {
            Self::Number => number(typed).map(FactValue::Number),
            Self::Boolean => {
                let is_true = typed.parse().map_err(|_| ComparisonFault::NoValue)?;
                Ok(FactValue::Boolean(is_true))
            }
            Self::Text if typed.is_empty() => Err(ComparisonFault::NoValue),
            Self::Text => Ok(FactValue::Text(typed.to_owned())),
        }
    }
}

const fn is_truth_value(value: &FactValue) -> bool {
    matches!(value, FactValue::Boolean(_))
}

/// The number that was typed, with a point.
pub(super) fn number(typed: &str) -> Result<FactNumber, ComparisonFault> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Err(ComparisonFault::NoValue);
    }
    let number = typed.parse().ok().and_then(FactNumber::new);
    number.ok_or(ComparisonFault::NoNumber)
}
