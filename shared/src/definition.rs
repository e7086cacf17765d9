//! What defines an item besides its text: its kind, whether it is required, and its help.
//!
//! A template says it for its items, and which of it people may change in a list
//! ([`Template::changeable`](crate::template::Template::changeable)). An item remembers what people have
//! changed of it, and no refresh takes that back.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::names::names;

names! {
    /// A field of an item's definition.
    // Sets are stored as numbers, by the order of these.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
    pub enum DefinitionField {
        /// An item to resolve or a row to read.
        Kind,
        /// Whether it counts under `CompletionRule: Required`.
        Required,
        /// The help.
        Help,
    }
}

/// A set of fields of a definition; on the wire an array of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DefinitionFields(u8);

impl DefinitionFields {
    /// Whether the field is in the set.
    #[must_use]
    pub const fn contains(self, field: DefinitionField) -> bool {
        self.0 & (1 << field as u8) != 0
    }

    /// This set with the field in it, or without.
    #[must_use]
    pub const fn with(self, field: DefinitionField, is_in: bool) -> Self {
        let bit = 1 << field as u8;
        Self(if is_in { self.0 | bit } else { self.0 & !bit })
    }

    /// Whether nothing is in the set.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }

    /// The set as a number, as a database stores it.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Back from the stored number.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The fields in the set, in the order of [`DefinitionField::ALL`].
    pub fn iter(self) -> impl Iterator<Item = DefinitionField> {
        let all = DefinitionField::ALL.into_iter();
        all.filter(move |field| self.contains(*field))
    }

    /// Reads a set out of an answer, which may name fields that only a newer server knows.
    ///
    /// # Errors
    /// It is no list of names.
    pub fn known_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?;
        let known = names
            .iter()
            .filter_map(|name| DefinitionField::from_name(name));
        Ok(known.collect())
    }
}

impl FromIterator<DefinitionField> for DefinitionFields {
    fn from_iter<I: IntoIterator<Item = DefinitionField>>(fields: I) -> Self {
        let fields = fields.into_iter();
        fields.fold(Self::default(), |set, field| set.with(field, true))
    }
}

impl Serialize for DefinitionFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for DefinitionFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<DefinitionField>::deserialize(deserializer)?
            .into_iter()
            .collect())
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for DefinitionFields {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        Vec::<DefinitionField>::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for DefinitionFields {}
