//! The properties that only columns of some kinds have, with the values that a new one begins with.
//!
//! Part of `FieldKind`; read when a column is made and when it is shown.

use serde_json::{Map, Value, json};

use super::FieldKind;

impl FieldKind {
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
