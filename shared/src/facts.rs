//! Facts: what a host says of the object of a list, as far as the conditions of templates ask for it.
//!
//! Invariants: a number is finite, and equal facts are equal in every encoding: names are sorted, and
//! `1` and `1.0` are one number.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::limits::Limits;
use crate::problem::FieldErrorCode;
use crate::text::is_blank;

/// Facts by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Facts(BTreeMap<String, FactValue>);

/// The value of a fact. Values of different types are never equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FactValue {
    /// A text, compared exactly.
    Text(String),
    /// A number.
    Number(FactNumber),
    /// Yes or no.
    Boolean(bool),
}

/// A finite number: a whole one up to 2⁵³, or one with at most 15 significant digits, to which others are
/// rounded. So it is the same number whichever parser of JSON has read it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct FactNumber(f64);

/// The largest whole number up to which none is rounded: 2⁵³.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Facts {
    /// How many facts a list may have.
    pub const MOST: usize = 50;
    /// The longest text, in characters. Names have [`Limits::IDENTIFIER`].
    pub const TEXT: usize = 1_000;

    /// The value of the fact of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&FactValue> {
        self.0.get(name)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All facts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &FactValue)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The names of the facts that are there in one of both only, or with another value.
    #[must_use]
    pub fn changed_names<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let ours = self
            .0
            .keys()
            .filter(|name| self.get(name) != other.get(name));
        let theirs = other.0.keys().filter(|name| self.get(name).is_none());
        let mut names: Vec<&str> = ours.chain(theirs).map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// What is wrong with them: the name of the fact, or `None` for all of them, with a sentence.
    #[must_use]
    pub fn faults(&self) -> Vec<(Option<&str>, FieldErrorCode, &'static str)> {
        let count = (self.0.len() > Self::MOST).then_some((
            None,
            FieldErrorCode::LimitExceeded,
            "A list has at most 50 facts.",
        ));
        let each = self.0.iter().filter_map(|(name, value)| {
            if !is_fact_name(name) {
                return Some((Some(name.as_str()), FieldErrorCode::Invalid, NAME_EXPECTED));
            }
            value.is_too_long().then_some((
                Some(name.as_str()),
                FieldErrorCode::LimitExceeded,
                TEXT_EXPECTED,
            ))
        });
        count.into_iter().chain(each).collect()
    }
}

pub(crate) const NAME_EXPECTED: &str =
    "The name of a fact has 1 to 200 characters that can be seen, and no control characters.";
pub(crate) const TEXT_EXPECTED: &str = "The text of a fact has at most 1000 characters.";

/// Whether a fact can have that name.
pub(crate) fn is_fact_name(name: &str) -> bool {
    name.chars().count() <= Limits::IDENTIFIER
        && !is_blank(name)
        && !name.chars().any(char::is_control)
}

impl FactValue {
    pub(crate) fn is_too_long(&self) -> bool {
        matches!(self, Self::Text(text) if text.chars().count() > Facts::TEXT)
    }
}

impl<Name: Into<String>> FromIterator<(Name, FactValue)> for Facts {
    fn from_iter<All: IntoIterator<Item = (Name, FactValue)>>(all: All) -> Self {
        let all = all.into_iter();
        Self(all.map(|(name, value)| (name.into(), value)).collect())
    }
}

impl FactNumber {
    /// The number, if it is finite.
    #[must_use]
    pub fn new(number: f64) -> Option<Self> {
        // Adding zero turns -0 into 0, which equals it.
        let number = rounded(number + 0.0);
        number.is_finite().then_some(Self(number))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a whole number up to 2⁵³ fits"
    )]
    fn whole(self) -> Option<i64> {
        is_exact(self.0).then_some(self.0 as i64)
    }
}

fn is_exact(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= EXACT
}

/// Rounded to what [`FactNumber`] keeps.
#[cfg(feature = "records")]
fn rounded(number: f64) -> f64 {
    if is_exact(number) {
        return number;
    }
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// The control reads by the browser's parser, which is exact, and what the server has rounded.
#[cfg(not(feature = "records"))]
const fn rounded(number: f64) -> f64 {
    number
}

// No number is NaN, so every number equals itself.
impl Eq for FactNumber {}

impl Hash for FactNumber {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl fmt::Display for FactNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for FactValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Boolean(is_true) => is_true.fmt(f),
        }
    }
}

impl Serialize for FactNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.whole() {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.serialize_f64(self.0),
        }
    }
}

impl Serialize for FactValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => number.serialize(serializer),
            Self::Boolean(is_true) => serializer.serialize_bool(*is_true),
        }
    }
}

struct ValueVisitor;

impl Visitor<'_> for ValueVisitor {
    type Value = FactValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number or a boolean")
    }

    fn visit_bool<E: Error>(self, is_true: bool) -> Result<FactValue, E> {
        Ok(FactValue::Boolean(is_true))
    }

    #[expect(clippy::cast_precision_loss, reason = "the type says that it rounds")]
    fn visit_i64<E: Error>(self, number: i64) -> Result<FactValue, E> {
        self.visit_f64(number as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "the type says that it rounds")]
    fn visit_u64<E: Error>(self, number: u64) -> Result<FactValue, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<FactValue, E> {
        let number =
            FactNumber::new(number).ok_or_else(|| E::custom("the number is not finite"))?;
        Ok(FactValue::Number(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<FactValue, E> {
        Ok(FactValue::Text(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for FactValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl<'de> Deserialize<'de> for FactNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match FactValue::deserialize(deserializer)? {
            FactValue::Number(number) => Ok(number),
            _ => Err(D::Error::custom("expected a number")),
        }
    }
}

struct FactsVisitor;

impl<'de> Visitor<'de> for FactsVisitor {
    type Value = Facts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of facts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Facts, A::Error> {
        let mut facts = BTreeMap::new();
        while let Some((name, value)) = map.next_entry::<String, FactValue>()? {
            if facts.insert(name, value).is_some() {
                return Err(A::Error::custom("a fact is there twice"));
            }
        }
        Ok(Facts(facts))
    }
}

impl<'de> Deserialize<'de> for Facts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FactsVisitor)
    }
}

#[cfg(feature = "openapi")]
mod schema {
    use utoipa::openapi::RefOr;
    use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};

    use super::{FactNumber, FactValue};

    impl utoipa::PartialSchema for FactValue {
        fn schema() -> RefOr<Schema> {
            let types = vec![Type::String, Type::Number, Type::Boolean];
            ObjectBuilder::new()
                .schema_type(SchemaType::Array(types))
                .description(Some(
                    "A text of at most 1,000 characters, a number, or a boolean.",
                ))
                .into()
        }
    }

    impl utoipa::ToSchema for FactValue {}

    impl utoipa::PartialSchema for FactNumber {
        fn schema() -> RefOr<Schema> {
            ObjectBuilder::new()
                .schema_type(SchemaType::Type(Type::Number))
                .description(Some("A finite number."))
                .into()
        }
    }

    impl utoipa::ToSchema for FactNumber {}
}
