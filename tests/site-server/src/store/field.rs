//! One column of a list: its names, its kind, and what may be written to it.
//!
//! Internal names are made as the service makes them; used by lists, queries and both protocols.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::FieldKind;
use crate::clock;

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub id: Uuid,
    /// The name that never changes, e.g. `With_x0020_Space`.
    pub internal: String,
    /// What people read.
    pub title: String,
    pub kind: FieldKind,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub group: String,
    #[serde(default)]
    pub hidden: bool,
    #[serde(default)]
    pub read_only: bool,
    #[serde(default)]
    pub required: bool,
    #[serde(default)]
    pub indexed: bool,
    #[serde(default)]
    pub unique: bool,
    /// Whether it is part of every list.
    #[serde(default)]
    pub built_in: bool,
    #[serde(default)]
    pub default: Option<String>,
    #[serde(default)]
    pub validation_formula: Option<String>,
    #[serde(default)]
    pub validation_message: Option<String>,
    /// The properties of its kind: `Choices`, `MaxLength`, `LookupList`, `Formula`, …
    #[serde(default)]
    pub own: Map<String, Value>,
}

impl Field {
    /// A column of a person's making.
    #[must_use]
    pub fn new(internal: &str, title: &str, kind: FieldKind) -> Self {
        Self {
            id: clock::new_id(),
            internal: internal.to_owned(),
            title: title.to_owned(),
            kind,
            description: String::new(),
            group: "Custom Columns".to_owned(),
            hidden: false,
            read_only: !kind.is_writable(),
            required: false,
            indexed: false,
            unique: false,
            built_in: false,
            default: None,
            validation_formula: None,
            validation_message: None,
            own: kind.own_properties(),
        }
    }

    /// The name in payloads and queries: the internal one, which no digit or underscore begins.
    #[must_use]
    pub fn entity_name(&self) -> String {
        entity_name(&self.internal)
    }

    /// The choices that it offers.
    #[must_use]
    pub fn choices(&self) -> Vec<&str> {
        let choices = self.own.get("Choices").and_then(Value::as_array);
        let texts = choices.into_iter().flatten().filter_map(Value::as_str);
        texts.collect()
    }

    /// Whether it holds dates without a time.
    #[must_use]
    pub fn is_date_only(&self) -> bool {
        self.kind == FieldKind::DateTime && self.own.get("DisplayFormat") == Some(&0.into())
    }

    /// The list that its values are numbers of.
    #[must_use]
    pub fn target_list(&self) -> Option<Uuid> {
        let id = self.own.get("LookupList")?.as_str()?;
        Uuid::parse_str(id.trim_matches(['{', '}'])).ok()
    }

    /// The column there that people read.
    #[must_use]
    pub fn target_field(&self) -> &str {
        let field = self.own.get("LookupField").and_then(Value::as_str);
        field.filter(|name| !name.is_empty()).unwrap_or("Title")
    }

    /// The kind of what a formula gives.
    #[must_use]
    pub fn output_kind(&self) -> FieldKind {
        let number = self.own.get("OutputType").and_then(Value::as_u64);
        number
            .and_then(FieldKind::numbered)
            .unwrap_or(FieldKind::Text)
    }

    /// Whether a query can be answered from an index of it.
    #[must_use]
    pub fn has_index(&self) -> bool {
        self.indexed || self.unique || self.internal == "ID"
    }

    /// Whether an item's writer may name it.
    #[must_use]
    pub fn is_writable(&self) -> bool {
        self.kind.is_writable() && !self.read_only
    }

    /// The column as the service's XML describes it.
    #[must_use]
    pub fn schema_xml(&self) -> String {
        let flag = |on: bool| if on { "TRUE" } else { "FALSE" };
        let mut xml = format!(
            "<Field Type=\"{}\" Name=\"{}\" DisplayName=\"{}\" ID=\"{{{}}}\" Required=\"{}\" StaticName=\"{}\"",
            self.kind.name(),
            escaped(&self.internal),
            escaped(&self.title),
            self.id,
            flag(self.required),
            escaped(&self.internal)
        );
        let flags = [
            ("Hidden", self.hidden),
            ("ReadOnly", self.read_only),
            ("Indexed", self.indexed),
            ("EnforceUniqueValues", self.unique),
        ];
        for (name, on) in flags {
            if on {
                xml.push_str(&format!(" {name}=\"TRUE\""));
            }
        }
        if self.is_date_only() {
            xml.push_str(" Format=\"DateOnly\"");
        }
        let mut inner = String::new();
        if let Some(default) = &self.default {
            inner.push_str(&format!("<Default>{}</Default>", escaped(default)));
        }
        if !self.choices().is_empty() {
            let choices = self.choices().into_iter();
            let choices = choices.map(|choice| format!("<CHOICE>{}</CHOICE>", escaped(choice)));
            inner.push_str(&format!(
                "<CHOICES>{}</CHOICES>",
                choices.collect::<String>()
            ));
        }
        if let Some(formula) = self.own.get("Formula").and_then(Value::as_str) {
            inner.push_str(&format!("<Formula>{}</Formula>", escaped(formula)));
        }
        if inner.is_empty() {
            xml.push_str(" />");
        } else {
            xml.push_str(&format!(">{inner}</Field>"));
        }
        xml
    }
}

/// Text that may stand in XML.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A name that may stand in a payload: `_x` becomes `OData__x`.
#[must_use]
pub fn entity_name(internal: &str) -> String {
    match internal.chars().next() {
        Some(first) if first == '_' || first.is_ascii_digit() => format!("OData_{internal}"),
        _ => internal.to_owned(),
    }
}

/// The internal name that a title becomes: what no identifier may hold is written `_x0020_`.
#[must_use]
pub fn internal_name(title: &str) -> String {
    let mut name = String::new();
    for (at, letter) in title.trim().chars().enumerate() {
        let plain = letter.is_alphabetic() || letter == '_' || (at > 0 && letter.is_numeric());
        if plain {
            name.push(letter);
        } else {
            name.push_str(&encoded(letter));
        }
        if name.chars().count() >= 32 {
            break;
        }
    }
    name.chars().take(32).collect()
}

/// A list's URL name as part of an entity type: here underscores are written out too.
#[must_use]
pub fn type_name(url_name: &str) -> String {
    let mut name = String::new();
    for letter in url_name.chars() {
        if letter.is_alphanumeric() {
            name.push(letter);
        } else {
            name.push_str(&encoded(letter));
        }
    }
    match url_name.chars().next() {
        Some(first) if first == '_' || first.is_ascii_digit() => format!("OData_{name}"),
        _ => {
            let mut letters = name.chars();
            let first = letters.next().map(|first| first.to_uppercase().to_string());
            first.unwrap_or_default() + letters.as_str()
        }
    }
}

fn encoded(letter: char) -> String {
    let mut units = [0; 2];
    let units = letter.encode_utf16(&mut units);
    units.iter().map(|unit| format!("_x{unit:04x}_")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internal_names_are_made_as_the_service_makes_them() {
        assert_eq!(internal_name("With Space"), "With_x0020_Space");
        assert_eq!(internal_name("_SpecialField"), "_SpecialField");
        assert_eq!(entity_name("_SpecialField"), "OData__SpecialField");
        assert_eq!(internal_name("1st"), "_x0031_st");
        assert_eq!(entity_name("Title"), "Title");
    }

    #[test]
    fn entity_types_come_from_the_name_in_the_url() {
        assert_eq!(type_name("PNP_SDK_TEST"), "PNP_x005f_SDK_x005f_TEST");
        assert_eq!(type_name("Site Pages"), "Site_x0020_Pages");
        assert_eq!(
            type_name("_catalogs/hubsite"),
            "OData__x005f_catalogs_x002f_hubsite"
        );
    }
}
