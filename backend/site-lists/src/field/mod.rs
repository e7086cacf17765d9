//! Fields of an item: their types, their values as callers see them, and the columns behind them.
//!
//! `convert` reads a value as whatever a caller asks for, `accept` decides what a caller may
//! write into a column, `column` is what a protocol knows of one. How values travel is the
//! business of the protocols (`rest::values`, `graph::values`).

mod accept;
mod column;
mod convert;
mod date;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use accept::{FieldValue, Person, accept, value};
pub use column::{Column, NewColumn};
pub(crate) use column::{LookupTarget, find};
pub use convert::{ConversionError, FromFieldValue, SiteLookup, SiteUrl};
pub(crate) use date::{Zone, read_date, utc};

/// The type of a field. What is not in here can neither be read nor written.
///
/// ```
/// use site_lists::SiteFieldType;
///
/// let written = SiteFieldType::ALL.iter().filter(|kind| kind.is_writable()).count();
/// assert_eq!(written, 14);
/// assert_eq!("UserMulti".parse(), Ok(SiteFieldType::UserMulti));
/// assert!(!SiteFieldType::Calculated.is_writable());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SiteFieldType {
    /// A line of text.
    String,
    /// Lines of text; HTML where the column is a rich one.
    Note,
    /// A number; a double, so 15 digits.
    Number,
    /// An amount; a number as well.
    Currency,
    /// A whole number.
    Integer,
    /// Yes or no.
    Bool,
    /// A point in time, `2026-01-02T03:04:05Z`, or a date, `2026-01-02`, as the column says.
    DateTime,
    /// One of several texts.
    Choice,
    /// Several of several texts: an array.
    MultiChoice,
    /// A user or group: [`crate::SiteUserOrGroup`].
    User,
    /// Users and groups: an array.
    UserMulti,
    /// An item of another list: [`SiteLookup`].
    Lookup,
    /// Items of another list: an array.
    LookupMulti,
    /// A link: [`SiteUrl`].
    Url,
    /// An id; read-only.
    Guid,
    /// The number of the item; read-only.
    Counter,
    /// What a formula gives: a number, a text, a bool or a date; read-only.
    Calculated,
    /// Terms of a managed vocabulary, `{Label, TermGuid}`; read-only.
    Taxonomy,
}

impl SiteFieldType {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::String,
        Self::Note,
        Self::Number,
        Self::Currency,
        Self::Integer,
        Self::Bool,
        Self::DateTime,
        Self::Choice,
        Self::MultiChoice,
        Self::User,
        Self::UserMulti,
        Self::Lookup,
        Self::LookupMulti,
        Self::Url,
        Self::Guid,
        Self::Counter,
        Self::Calculated,
        Self::Taxonomy,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "String",
            Self::Note => "Note",
            Self::Number => "Number",
            Self::Currency => "Currency",
            Self::Integer => "Integer",
            Self::Bool => "Bool",
            Self::DateTime => "DateTime",
            Self::Choice => "Choice",
            Self::MultiChoice => "MultiChoice",
            Self::User => "User",
            Self::UserMulti => "UserMulti",
            Self::Lookup => "Lookup",
            Self::LookupMulti => "LookupMulti",
            Self::Url => "Url",
            Self::Guid => "Guid",
            Self::Counter => "Counter",
            Self::Calculated => "Calculated",
            Self::Taxonomy => "Taxonomy",
        }
    }

    /// Whether a value can be written into a column of this type.
    #[must_use]
    pub const fn is_writable(self) -> bool {
        !matches!(
            self,
            Self::Guid | Self::Counter | Self::Calculated | Self::Taxonomy
        )
    }

    /// Whether a caller who takes a value for `self` may write it into a column of `other`.
    pub(crate) fn fits(self, other: Self) -> bool {
        let group = |kind| match kind {
            Self::String | Self::Note | Self::Choice => 1,
            Self::Number | Self::Currency | Self::Integer => 2,
            Self::User | Self::UserMulti => 3,
            Self::Lookup | Self::LookupMulti => 4,
            _ => 0,
        };
        self == other || (group(self) > 0 && group(self) == group(other))
    }
}

impl fmt::Display for SiteFieldType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// No such field type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no field type")]
pub struct UnknownFieldType(String);

impl FromStr for SiteFieldType {
    type Err = UnknownFieldType;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| UnknownFieldType(text.to_owned()))
    }
}

/// One field of an item that was read.
///
/// ```
/// use site_lists::{SiteItemField, SiteUserOrGroup};
///
/// let field: SiteItemField = serde_json::from_str(
///     r#"{"InternalName": "Owner", "DisplayName": "Owner", "Type": "User",
///         "Value": {"IsGroup": false, "Title": "Ada"}}"#,
/// )?;
/// let owner: SiteUserOrGroup = field.get_value()?;
/// assert_eq!(owner.title.as_deref(), Some("Ada"));
/// assert_eq!(field.get_value::<String>()?, "Ada");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SiteItemField {
    /// Internal field name.
    pub internal_name: String,
    /// Display name of the field.
    pub display_name: String,
    /// Field type (for example String, Number, Bool, User).
    #[serde(rename = "Type")]
    pub field_type: SiteFieldType,
    /// Field value, null where it is empty; has the shape of `SiteUserOrGroup` where `Type` is User.
    #[serde(default)]
    pub value: Value,
}

impl SiteItemField {
    /// The value as the requested type, converted where that is possible without a guess.
    ///
    /// An empty field is `None` for `Option`, an empty `Vec`, and an error for everything else.
    ///
    /// ```
    /// use serde_json::json;
    /// use site_lists::{SiteFieldType, SiteItemField};
    ///
    /// let memory = SiteItemField {
    ///     internal_name: "Memory".into(),
    ///     display_name: "Memory (GB)".into(),
    ///     field_type: SiteFieldType::Number,
    ///     value: json!(32.0),
    /// };
    /// assert_eq!(memory.get_value::<u32>()?, 32);
    /// assert_eq!(memory.get_value::<String>()?, "32");
    /// assert_eq!(memory.get_value::<Option<f64>>()?, Some(32.0));
    /// assert!(memory.get_value::<bool>().is_err());
    /// # Ok::<(), site_lists::ConversionError>(())
    /// ```
    ///
    /// # Errors
    /// The value cannot be read as that type.
    pub fn get_value<T: FromFieldValue>(&self) -> Result<T, ConversionError> {
        T::from_field_value(&self.value).map_err(|error| error.in_field(self))
    }
}
