//! Conditions: to which lists an item of a template applies, by the facts of the list.
//!
//! There are two answers only. A comparison with a fact that is missing, or that has a value of
//! another type, is false, and `Not` turns that round. Whoever asks for the absence of a fact says
//! `Present: false`. See `docs/adr/0044-*`.

use serde::{Deserialize, Serialize};

use crate::facts::{FactNumber, FactValue, Facts, NAME_EXPECTED, TEXT_EXPECTED, is_fact_name};
use crate::problem::{FieldError, FieldErrorCode};

/// When an item of a template applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "ConditionFields", into = "ConditionFields")]
pub enum Condition {
    /// The fact of that name passes the test.
    Fact {
        /// The name of the fact.
        name: String,
        /// What its value has to be.
        test: Test,
    },
    /// Each of them.
    All(Vec<Self>),
    /// At least one of them.
    Any(Vec<Self>),
    /// Everything else.
    Not(Box<Self>),
}

/// What the value of a fact has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// That value, of that type.
    Is(FactValue),
    /// One of those values.
    In(Vec<FactValue>),
    /// That number or a greater one.
    AtLeast(FactNumber),
    /// That number or a smaller one.
    AtMost(FactNumber),
    /// Whatever it is (`true`), or no fact of that name at all (`false`).
    Present(bool),
}

/// A condition as JSON: a `Fact` with exactly one comparison, or exactly one of `All`, `Any` and
/// `Not`. It is at most 5 levels deep and has at most 50 parts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Condition))]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
struct ConditionFields {
    /// The name of a fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    fact: Option<String>,
    /// The fact has this value, of this type. Texts are compared exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    is: Option<FactValue>,
    /// The fact has one of these values, 1 to 50.
    #[serde(rename = "In", skip_serializing_if = "Option::is_none")]
    one_of: Option<Vec<FactValue>>,
    /// The fact is this number or a greater one.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<FactNumber>,
    /// The fact is this number or a smaller one.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<FactNumber>,
    /// Whether there is such a fact, whatever its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    present: Option<bool>,
    /// Each of these conditions holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    all: Option<Vec<Condition>>,
    /// At least one of these conditions holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    any: Option<Vec<Condition>>,
    /// This condition does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    not: Option<Box<Condition>>,
}

/// Why fields are no condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCondition {
    /// The kind of condition is not clear.
    #[error("expected exactly one of `Fact`, `All`, `Any` and `Not`")]
    Kind,
    /// The comparison of a fact is not clear.
    #[error("expected exactly one of `Is`, `In`, `AtLeast`, `AtMost` and `Present` beside `Fact`")]
    Comparison,
}

/// The one value among options; `None` where there are none or several.
fn exactly_one<T>(options: impl IntoIterator<Item = Option<T>>) -> Option<T> {
    let mut given = options.into_iter().flatten();
    let one = given.next();
    one.filter(|_| given.next().is_none())
}

impl TryFrom<ConditionFields> for Condition {
    type Error = InvalidCondition;

    fn try_from(fields: ConditionFields) -> Result<Self, InvalidCondition> {
        let test = [
            fields.is.map(Test::Is),
            fields.one_of.map(Test::In),
            fields.at_least.map(Test::AtLeast),
            fields.at_most.map(Test::AtMost),
            fields.present.map(Test::Present),
        ];
        let is_compared = test.iter().any(Option::is_some);
        let group = [
            fields.all.map(Self::All),
            fields.any.map(Self::Any),
            fields.not.map(Self::Not),
        ];
        match fields.fact {
            Some(_) if group.iter().any(Option::is_some) => Err(InvalidCondition::Kind),
            Some(name) => exactly_one(test)
                .map(|test| Self::Fact { name, test })
                .ok_or(InvalidCondition::Comparison),
            None if is_compared => Err(InvalidCondition::Kind),
            None => exactly_one(group).ok_or(InvalidCondition::Kind),
        }
    }
}

impl From<Condition> for ConditionFields {
    fn from(condition: Condition) -> Self {
        let mut fields = Self::default();
        match condition {
            Condition::Fact { name, test } => {
                fields.fact = Some(name);
                match test {
                    Test::Is(value) => fields.is = Some(value),
                    Test::In(values) => fields.one_of = Some(values),
                    Test::AtLeast(number) => fields.at_least = Some(number),
                    Test::AtMost(number) => fields.at_most = Some(number),
                    Test::Present(is_present) => fields.present = Some(is_present),
                }
            }
            Condition::All(parts) => fields.all = Some(parts),
            Condition::Any(parts) => fields.any = Some(parts),
            Condition::Not(part) => fields.not = Some(part),
        }
        fields
    }
}

impl Condition {
    /// How many levels a condition may have.
    pub const DEPTH: usize = 5;
    /// How many parts a condition may have, itself and its groups counted; and how many values a
    /// comparison with several may name.
    pub const PARTS: usize = 50;

    /// Whether it holds for a list with these facts.
    #[must_use]
    pub fn holds(&self, facts: &Facts) -> bool {
        match self {
            Self::Fact { name, test } => test.passes(facts.get(name)),
            Self::All(parts) => parts.iter().all(|part| part.holds(facts)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(facts)),
            Self::Not(part) => !part.holds(facts),
        }
    }

    /// The comparisons that it is made of, each with the name of its fact, in their order.
    #[must_use]
    pub fn comparisons(&self) -> Vec<(&str, &Test)> {
        match self {
            Self::Fact { name, test } => vec![(name, test)],
            group => (group.inner().iter()).flat_map(Self::comparisons).collect(),
        }
    }

    /// Everything that is wrong with it, with pointers below it; empty when it is fit to be stored.
    #[must_use]
    pub fn faults(&self) -> Vec<FieldError> {
        if self.depth() > Self::DEPTH {
            let detail = "A condition is at most 5 levels deep.";
            return vec![FieldError::new("", FieldErrorCode::LimitExceeded, detail)];
        }
        if self.parts() > Self::PARTS {
            let detail = "A condition has at most 50 parts.";
            return vec![FieldError::new("", FieldErrorCode::LimitExceeded, detail)];
        }
        let mut faults = Vec::new();
        self.note_faults("", &mut faults);
        faults
    }

    fn inner(&self) -> &[Self] {
        match self {
            Self::Fact { .. } => &[],
            Self::All(parts) | Self::Any(parts) => parts,
            Self::Not(part) => std::slice::from_ref(part),
        }
    }

    fn depth(&self) -> usize {
        1 + self.inner().iter().map(Self::depth).max().unwrap_or(0)
    }

    fn parts(&self) -> usize {
        1 + self.inner().iter().map(Self::parts).sum::<usize>()
    }

    fn note_faults(&self, at: &str, faults: &mut Vec<FieldError>) {
        match self {
            Self::Fact { name, test } => {
                if !is_fact_name(name) {
                    let pointer = format!("{at}/Fact");
                    faults.push(FieldError::new(
                        pointer,
                        FieldErrorCode::Invalid,
                        NAME_EXPECTED,
                    ));
                }
                test.note_faults(at, faults);
            }
            Self::Not(part) => part.note_faults(&format!("{at}/Not"), faults),
            Self::All(parts) => note_faults_of(parts, &format!("{at}/All"), faults),
            Self::Any(parts) => note_faults_of(parts, &format!("{at}/Any"), faults),
        }
    }
}

fn note_faults_of(parts: &[Condition], at: &str, faults: &mut Vec<FieldError>) {
    if parts.is_empty() {
        let detail = "Name at least one condition.";
        faults.push(FieldError::new(at, FieldErrorCode::Required, detail));
    }
    for (index, part) in parts.iter().enumerate() {
        part.note_faults(&format!("{at}/{index}"), faults);
    }
}

impl Test {
    /// Whether a fact of that value passes; `None` where there is no such fact.
    fn passes(&self, value: Option<&FactValue>) -> bool {
        match (self, value) {
            (Self::Present(is_present), value) => value.is_some() == *is_present,
            (Self::Is(wanted), Some(value)) => value == wanted,
            (Self::In(wanted), Some(value)) => wanted.contains(value),
            (Self::AtLeast(least), Some(FactValue::Number(number))) => number >= least,
            (Self::AtMost(most), Some(FactValue::Number(number))) => number <= most,
            _ => false,
        }
    }

    fn note_faults(&self, at: &str, faults: &mut Vec<FieldError>) {
        let too_long = |value: &FactValue, pointer: String| {
            let code = FieldErrorCode::LimitExceeded;
            let fault = || FieldError::new(pointer, code, TEXT_EXPECTED);
            value.is_too_long().then(fault)
        };
        match self {
            Self::Is(value) => faults.extend(too_long(value, format!("{at}/Is"))),
            Self::In(values) if values.is_empty() || values.len() > Condition::PARTS => {
                let detail = "Name 1 to 50 values.";
                let pointer = format!("{at}/In");
                faults.push(FieldError::new(pointer, FieldErrorCode::Invalid, detail));
            }
            Self::In(values) => {
                let values = values.iter().enumerate();
                faults.extend(
                    values.filter_map(|(index, value)| too_long(value, format!("{at}/In/{index}"))),
                );
            }
            Self::AtLeast(_) | Self::AtMost(_) | Self::Present(_) => {}
        }
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Condition {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        ConditionFields::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Condition {
    fn name() -> std::borrow::Cow<'static, str> {
        ConditionFields::name()
    }

    fn schemas(
        schemas: &mut Vec<(
            String,
            utoipa::openapi::RefOr<utoipa::openapi::schema::Schema>,
        )>,
    ) {
        ConditionFields::schemas(schemas);
    }
}
