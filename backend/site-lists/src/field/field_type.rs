//! The types of fields that this crate reads, their names on the wire, and which of them it writes.
//!
//! Invariant: `ALL` and `name` agree with the contract's names; a type that is not listed is neither
//! read nor written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

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
    /// An item of another list: [`crate::SiteLookup`].
    Lookup,
    /// Items of another list: an array.
    LookupMulti,
    /// A link: [`crate::SiteUrl`].
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
    pub(crate) fn is_compatible_with(self, other: Self) -> bool {
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
