//! The three things that a request can say about a field: keep it, clear it, set it.
//!
//! In requests an absent field keeps its value and `null` clears it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a request says about one optional field.
///
/// Fields of this type need `#[serde(default, skip_serializing_if = "Patch::is_keep")]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field is absent: leave what is there.
    #[default]
    Keep,
    /// The field is `null`: clear it.
    Clear,
    /// The field has a value.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether the field was absent.
    #[must_use]
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// What the field is afterwards: `None` for "leave it".
    #[must_use]
    pub const fn new_value(&self) -> Option<Option<&T>> {
        match self {
            Self::Keep => None,
            Self::Clear => Some(None),
            Self::Set(value) => Some(Some(value)),
        }
    }

    /// The value of the field afterwards, if it was `before`.
    #[must_use]
    pub fn or(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

/// `None` clears: for whoever says what the field is to be, whatever stood there.
impl<T> From<Option<T>> for Patch<T> {
    fn from(wanted: Option<T>) -> Self {
        wanted.map_or(Self::Clear, Self::Set)
    }
}

impl<T: Serialize> Serialize for Patch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keep | Self::Clear => serializer.serialize_none(),
            Self::Set(value) => serializer.serialize_some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<T>::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}
