//! The kinds of columns, with what the protocol says of each: name, number, description, and the
//! properties that only columns of that kind have.
//!
//! Read by `store::field`, by REST for its field answers and by Graph for its facets.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

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

    /// The script that draws it, which field answers name.
    #[must_use]
    pub fn js_link(self) -> Value {
        match self {
            Self::Computed | Self::Guid | Self::Counter | Self::ContentTypeId => Value::Null,
            Self::ModStat => json!(""),
            kind if kind.is_taxonomy() => json!(
                "SP.UI.Taxonomy.js|SP.UI.Rte.js(d)|SP.Taxonomy.js(d)|ScriptForWebTaggingUI.js(d)"
            ),
            _ => json!("clienttemplates.js"),
        }
    }

    /// The properties that columns of this kind have beside those of all, with their defaults.
    #[must_use]
    pub fn own_properties(self) -> Map<String, Value> {
        let none = "00000000-0000-0000-0000-000000000000";
        let number = || {
            json!({"CommaSeparator": true, "CustomUnitName": null, "CustomUnitOnRight": false,
                "DisplayFormat": -1, "MaximumValue": f64::MAX, "MinimumValue": f64::MIN,
                "ShowAsPercentage": false, "Unit": null})
        };
        let lookup = |field: &str| {
            json!({"AllowMultipleValues": self.is_multi(), "DependentLookupInternalNames": [],
                "IsDependentLookup": false, "IsRelationship": !self.is_person(),
                "LookupField": field, "LookupList": "", "LookupWebId": none,
                "PrimaryFieldId": null, "RelationshipDeleteBehavior": 0,
                "UnlimitedLengthInDocumentLibrary": false})
        };
        let own = match self {
            Self::Text => json!({"MaxLength": 255}),
            Self::Note | Self::Thumbnail | Self::Location => json!({"AllowHyperlink": false,
                "AppendOnly": false, "IsLongHyperlink": false, "NumberOfLines": 6,
                "RestrictedMode": true, "RichText": false,
                "UnlimitedLengthInDocumentLibrary": false, "WikiLinking": false}),
            Self::DateTime => json!({"DateTimeCalendarType": 0, "DateFormat": null,
                "DisplayFormat": 1, "FriendlyDisplayFormat": 0, "TimeFormat": null}),
            Self::Choice | Self::ModStat => json!({"FillInChoice": false, "Mappings": null,
                "Choices": [], "EditFormat": 0}),
            Self::MultiChoice => json!({"FillInChoice": false, "Mappings": null, "Choices": []}),
            Self::Number | Self::Integer => number(),
            Self::Currency => merged(number(), json!({"CurrencyLocaleId": 1033})),
            Self::Url => json!({"DisplayFormat": 0}),
            Self::Computed => json!({"EnableLookup": false}),
            Self::Calculated => json!({"CurrencyLocaleId": 1033, "DateFormat": 0,
                "DisplayFormat": -1, "Formula": "", "OutputType": 2, "ShowAsPercentage": false}),
            Self::Lookup | Self::LookupMulti => lookup("Title"),
            Self::User | Self::UserMulti => merged(
                lookup(""),
                json!({"AllowDisplay": true, "Presence": true, "SelectionGroup": 0,
                    "SelectionMode": 1, "UserDisplayOptions": null}),
            ),
            Self::TaxonomyFieldType | Self::TaxonomyFieldTypeMulti => merged(
                lookup("Term$Resources:core,Language;"),
                json!({"AnchorId": none, "CreateValuesInEditForm": false, "IsAnchorValid": true,
                    "IsDocTagsEnabled": false, "IsKeyword": false, "IsPathRendered": false,
                    "IsTermSetValid": true, "Open": false, "SspId": none,
                    "TargetTemplate": null, "TermSetId": none, "TextField": none,
                    "UserCreated": false}),
            ),
            _ => json!({}),
        };
        match own {
            Value::Object(own) => own,
            _ => Map::new(),
        }
    }
}

fn merged(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            first.extend(second);
            Value::Object(first)
        }
        (first, _) => first,
    }
}
