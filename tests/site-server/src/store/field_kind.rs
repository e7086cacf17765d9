//! The kinds of columns, with what the protocol says of each: name, number, description, and the
//! properties that only columns of that kind have.

use serde::{Deserialize, Serialize};

/// A kind of column, spelt as in `TypeAsString`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldKind {
    Integer,
    Text,
    Note,
    DateTime,
    Counter,
    Choice,
    Lookup,
    LookupMulti,
    Boolean,
    Number,
    Currency,
    #[serde(rename = "URL")]
    Url,
    Computed,
    Guid,
    MultiChoice,
    Calculated,
    File,
    Attachments,
    User,
    UserMulti,
    ModStat,
    ContentTypeId,
    TaxonomyFieldType,
    TaxonomyFieldTypeMulti,
    Thumbnail,
    Location,
}

use FieldKind as K;

/// Every kind: name, number, display name, short description.
const KINDS: [(FieldKind, &str, u32, &str, &str); 26] = [
    (K::Integer, "Integer", 1, "Integer", "Integer"),
    (
        K::Text,
        "Text",
        2,
        "Single line of text",
        "Single line of text",
    ),
    (
        K::Note,
        "Note",
        3,
        "Multiple lines of text",
        "Multiple lines of text",
    ),
    (K::DateTime, "DateTime", 4, "Date and Time", "Date and Time"),
    (K::Counter, "Counter", 5, "Counter", "Counter"),
    (
        K::Choice,
        "Choice",
        6,
        "Choice",
        "Choice (menu to choose from)",
    ),
    (
        K::Lookup,
        "Lookup",
        7,
        "Lookup",
        "Lookup (information already on this site)",
    ),
    (
        K::LookupMulti,
        "LookupMulti",
        7,
        "Lookup",
        "Lookup (information already on this site)",
    ),
    (K::Boolean, "Boolean", 8, "Yes/No", "Yes/No (check box)"),
    (K::Number, "Number", 9, "Number", "Number (1, 1.0, 100)"),
    (
        K::Currency,
        "Currency",
        10,
        "Currency",
        "Currency ($, ¥, €)",
    ),
    (
        K::Url,
        "URL",
        11,
        "Hyperlink or Picture",
        "Hyperlink or Picture",
    ),
    (K::Computed, "Computed", 12, "Computed", "Computed"),
    (K::Guid, "Guid", 14, "Guid", "Guid"),
    (
        K::MultiChoice,
        "MultiChoice",
        15,
        "Choice",
        "Choice (menu to choose from)",
    ),
    (
        K::Calculated,
        "Calculated",
        17,
        "Calculated",
        "Calculated (calculation based on other columns)",
    ),
    (K::File, "File", 18, "File", "File"),
    (
        K::Attachments,
        "Attachments",
        19,
        "Attachments",
        "Attachments",
    ),
    (K::User, "User", 20, "Person or Group", "Person or Group"),
    (
        K::UserMulti,
        "UserMulti",
        20,
        "Person or Group",
        "Person or Group",
    ),
    (
        K::ModStat,
        "ModStat",
        23,
        "Moderation Status",
        "Moderation Status",
    ),
    (
        K::ContentTypeId,
        "ContentTypeId",
        25,
        "Content Type Id",
        "Content Type Id",
    ),
    (
        K::TaxonomyFieldType,
        "TaxonomyFieldType",
        0,
        "Managed Metadata",
        "Managed Metadata",
    ),
    (
        K::TaxonomyFieldTypeMulti,
        "TaxonomyFieldTypeMulti",
        0,
        "Managed Metadata",
        "Managed Metadata",
    ),
    (K::Thumbnail, "Thumbnail", 34, "Image", "Image"),
    (K::Location, "Location", 33, "Location", "Location"),
];

impl FieldKind {
    fn row(self) -> &'static (FieldKind, &'static str, u32, &'static str, &'static str) {
        KINDS.iter().find(|row| row.0 == self).unwrap_or(&KINDS[0])
    }

    /// The kind of that `TypeAsString`, in whatever case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let same = |row: &&(Self, &str, u32, &str, &str)| row.1.eq_ignore_ascii_case(name);
        KINDS.iter().find(same).map(|row| row.0)
    }

    /// The kind of that `FieldTypeKind`; the single one, where one number means two.
    #[must_use]
    pub fn numbered(number: u64) -> Option<Self> {
        let same = |row: &&(Self, &str, u32, &str, &str)| u64::from(row.2) == number;
        KINDS
            .iter()
            .filter(|_| number != 0)
            .find(same)
            .map(|row| row.0)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> u32 {
        self.row().2
    }

    /// What people call it.
    #[must_use]
    pub fn display_name(self) -> &'static str {
        self.row().3
    }

    /// What the page that adds a column calls it.
    #[must_use]
    pub fn short_description(self) -> &'static str {
        self.row().4
    }

    /// The entity type of its field, e.g. `SP.FieldText`.
    #[must_use]
    pub fn entity_type(self) -> &'static str {
        match self {
            Self::Text => "SP.FieldText",
            Self::Note => "SP.FieldMultiLineText",
            Self::DateTime => "SP.FieldDateTime",
            Self::Choice => "SP.FieldChoice",
            Self::MultiChoice => "SP.FieldMultiChoice",
            Self::Lookup | Self::LookupMulti => "SP.FieldLookup",
            Self::Number | Self::Integer => "SP.FieldNumber",
            Self::Currency => "SP.FieldCurrency",
            Self::Url => "SP.FieldUrl",
            Self::Computed => "SP.FieldComputed",
            Self::Guid => "SP.FieldGuid",
            Self::Calculated => "SP.FieldCalculated",
            Self::User | Self::UserMulti => "SP.FieldUser",
            Self::TaxonomyFieldType | Self::TaxonomyFieldTypeMulti => "SP.Taxonomy.TaxonomyField",
            Self::Thumbnail => "SP.FieldThumbnail",
            Self::Location => "SP.FieldLocation",
            _ => "SP.Field",
        }
    }

    /// Whether its values are persons or groups.
    #[must_use]
    pub fn is_person(self) -> bool {
        matches!(self, Self::User | Self::UserMulti)
    }

    /// Whether its values are numbers of items elsewhere.
    #[must_use]
    pub fn is_lookup(self) -> bool {
        matches!(self, Self::Lookup | Self::LookupMulti)
    }

    /// Whether it holds several values.
    #[must_use]
    pub fn is_multi(self) -> bool {
        matches!(
            self,
            Self::UserMulti | Self::LookupMulti | Self::MultiChoice | Self::TaxonomyFieldTypeMulti
        )
    }

    /// Whether its values are terms.
    #[must_use]
    pub fn is_taxonomy(self) -> bool {
        matches!(self, Self::TaxonomyFieldType | Self::TaxonomyFieldTypeMulti)
    }

    /// Whether a query may sort by it.
    #[must_use]
    pub fn is_sortable(self) -> bool {
        !self.is_multi() && !matches!(self, Self::Note | Self::Computed | Self::Thumbnail)
    }

    /// Whether a query may filter on it.
    #[must_use]
    pub fn is_filterable(self) -> bool {
        !matches!(
            self,
            Self::Note | Self::Url | Self::Computed | Self::Thumbnail | Self::Location
        )
    }

    /// Whether its values can be held apart by an index.
    #[must_use]
    pub fn can_be_unique(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::Choice
                | Self::Number
                | Self::Currency
                | Self::Integer
                | Self::DateTime
                | Self::Lookup
                | Self::User
        )
    }

    /// Whether what its columns hold can be written.
    #[must_use]
    pub fn is_writable(self) -> bool {
        !matches!(
            self,
            Self::Counter
                | Self::Computed
                | Self::Guid
                | Self::Calculated
                | Self::File
                | Self::Attachments
                | Self::ModStat
                | Self::ContentTypeId
        )
    }
}
