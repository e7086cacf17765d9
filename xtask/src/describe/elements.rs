//! The elements as editors, catalogues and framework tools read them: `custom-elements.json`, the
//! Custom Elements Manifest (schema 1.0.0). What elements are told and tell about themselves comes
//! from the table of descriptors; events, slots, parts, tokens, states and methods stand in the file
//! alone, written by hand. A browser test holds all of it against the running elements.

use checklist_descriptors::{Descriptor, Kind};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The manifest.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    schema_version: String,
    readme: String,
    modules: Vec<Module>,
}

#[derive(Serialize, Deserialize)]
struct Module {
    kind: String,
    path: String,
    declarations: Vec<Element>,
    exports: Value,
}

/// A custom element.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Element {
    /// The script that defines it: the path of its module.
    #[serde(skip)]
    pub script: String,
    kind: String,
    custom_element: bool,
    #[serde(rename = "name")]
    pub class: String,
    #[serde(rename = "tagName")]
    pub tag: String,
    pub description: String,
    superclass: Value,
    pub attributes: Vec<Entry>,
    members: Vec<Member>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub css_parts: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub css_properties: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub css_states: Vec<Entry>,
}

/// A name with its type and its sentence.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entry {
    pub name: String,
    /// The property that mirrors an attribute.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub field_name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(rename = "type", default, skip_serializing_if = "Type::is_unknown")]
    pub kind: Type,
}

/// A type as TypeScript writes it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Type {
    pub text: String,
}

impl Type {
    const fn is_unknown(&self) -> bool {
        self.text.is_empty()
    }
}

/// A public property or method of a class.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    kind: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attribute: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    #[serde(rename = "type", default, skip_serializing_if = "Type::is_unknown")]
    pub of_type: Type,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    readonly: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    #[serde(rename = "return", default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Return>,
}

/// A parameter that may be left out.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    pub name: String,
    optional: bool,
}

/// What a method returns.
#[derive(Clone, Serialize, Deserialize)]
pub struct Return {
    #[serde(rename = "type")]
    pub kind: Type,
}

impl Manifest {
    /// Reads the manifest.
    ///
    /// # Errors
    /// It is no JSON, or has another shape.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        let mut manifest: Self = serde_json::from_str(text)?;
        for module in &mut manifest.modules {
            for element in &mut module.declarations {
                element.script.clone_from(&module.path);
            }
        }
        Ok(manifest)
    }

    /// The elements, in the order of the manifest.
    pub fn elements(&self) -> Vec<&Element> {
        let modules = self.modules.iter();
        modules.flat_map(|module| &module.declarations).collect()
    }

    /// Brings an element up to date with its descriptors.
    pub fn describe(&mut self, tag: &str, descriptors: &[Descriptor]) {
        let modules = self.modules.iter_mut();
        let elements = modules.flat_map(|module| &mut module.declarations);
        for element in elements.filter(|element| element.tag == tag) {
            element.describe(descriptors);
        }
    }
}

impl Element {
    /// Attributes that are not every element's own: `lang` belongs to all of them.
    pub fn own_attributes(&self) -> impl Iterator<Item = &Entry> {
        self.attributes
            .iter()
            .filter(|attribute| attribute.name != "lang")
    }

    /// Settable properties without an attribute.
    pub fn properties(&self) -> impl Iterator<Item = &Member> {
        self.members
            .iter()
            .filter(|member| member.is_object() && !member.readonly)
    }

    /// Properties that can only be read.
    pub fn readings(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.readonly)
    }

    /// Its methods.
    pub fn methods(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.kind == "method")
    }

    fn describe(&mut self, descriptors: &[Descriptor]) {
        self.attributes = descriptors.iter().filter_map(attribute).collect();
        let fields = self.own_attributes().map(|attribute| Member {
            attribute: Some(attribute.name.clone()),
            ..field(
                &attribute.field_name,
                &attribute.description,
                &attribute.kind.text,
            )
        });
        let mut members: Vec<Member> = fields.collect();
        let mut readings: Vec<Member> = self.readings().cloned().collect();
        for descriptor in descriptors {
            let named = |kind| field(descriptor.name, descriptor.documentation(), kind);
            match descriptor.kind {
                Kind::Object(kind) => members.push(named(kind)),
                Kind::Output(kind) => {
                    let reading = Member {
                        readonly: true,
                        ..named(kind)
                    };
                    match readings.iter_mut().find(|one| one.name == reading.name) {
                        Some(there) => *there = reading,
                        None => readings.push(reading),
                    }
                }
                Kind::Text | Kind::Flag | Kind::Choice(_) | Kind::Json(_) => {}
            }
        }
        members.append(&mut readings);
        members.extend(self.methods().cloned());
        self.members = members;
    }
}

impl Member {
    fn is_object(&self) -> bool {
        self.kind == "field" && self.attribute.is_none()
    }
}

fn field(name: &str, description: &str, kind: &str) -> Member {
    Member {
        kind: "field".to_owned(),
        name: name.to_owned(),
        attribute: None,
        description: description.to_owned(),
        of_type: Type {
            text: kind.to_owned(),
        },
        readonly: false,
        parameters: Vec::new(),
        returns: None,
    }
}

/// A descriptor as an attribute, where it is one.
fn attribute(descriptor: &Descriptor) -> Option<Entry> {
    let text = match descriptor.kind {
        Kind::Text => "string".to_owned(),
        Kind::Flag => "boolean".to_owned(),
        Kind::Choice(word) => format!("{word:?}"),
        Kind::Json(kind) => format!("{kind} | string"),
        Kind::Object(_) | Kind::Output(_) => return None,
    };
    let default = match (descriptor.kind, descriptor.default) {
        (Kind::Text, default) if !default.is_empty() => format!(" Default: {default}."),
        _ => String::new(),
    };
    Some(Entry {
        name: descriptor.name.to_owned(),
        field_name: property_name(descriptor.name),
        description: format!("{}{default}", descriptor.documentation()),
        kind: Type { text },
    })
}

/// `object-type` → `objectType`, the name of the property behind an attribute.
pub fn property_name(attribute: &str) -> String {
    let mut words = attribute.split('-');
    let mut name = words.next().unwrap_or_default().to_owned();
    for word in words {
        let (first, rest) = word.split_at(word.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

/// A small manifest for tests.
#[cfg(test)]
pub fn example() -> Manifest {
    let manifest = r#"{
        "schemaVersion": "1.0.0", "readme": "README.md", "modules": [{
            "kind": "javascript-module", "path": "x.js", "exports": [], "declarations": [{
                "kind": "class", "customElement": true, "name": "Ab", "tagName": "a-b",
                "description": "A.", "superclass": {},
                "attributes": [{"name": "save", "fieldName": "save", "type": {"text": "\"off\""}}],
                "members": [
                    {"kind": "field", "name": "ask", "type": {"text": "() => void"}},
                    {"kind": "field", "name": "n", "type": {"text": "number"}, "readonly": true},
                    {"kind": "method", "name": "focus", "parameters": [{"name": "options", "optional": true}]}
                ],
                "events": [{"name": "x-done", "type": {"text": "CustomEvent<{x: 1}>"}}],
                "cssParts": [{"name": "card"}]
            }, {
                "kind": "class", "customElement": true, "name": "Cd", "tagName": "c-d",
                "description": "C.", "superclass": {}, "attributes": [], "members": []
            }]
        }]
    }"#;
    Manifest::read(manifest).expect("a manifest")
}

#[cfg(test)]
mod tests {
    use checklist_descriptors::CONTROL;

    use super::*;

    #[test]
    fn descriptors_replace_what_they_describe_and_nothing_else() {
        let descriptors: Vec<Descriptor> = CONTROL.iter().copied().flatten().copied().collect();
        let mut manifest = example();
        manifest.describe("a-b", &descriptors);
        let element = manifest.elements()[0];
        let names: Vec<&str> = element
            .attributes
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert!(
            names.contains(&"object-type") && !names.contains(&"save"),
            "{names:?}"
        );
        assert!(element.properties().any(|one| one.name == "people"));
        assert!(element.properties().all(|one| one.name != "ask"));
        let readings: Vec<&str> = element.readings().map(|one| one.name.as_str()).collect();
        assert!(
            readings.starts_with(&["n"]) && readings.contains(&"pendingCount"),
            "{readings:?}"
        );
        assert_eq!(element.methods().count(), 1);
        assert_eq!(element.css_parts.len(), 1);
    }

    #[test]
    fn attributes_become_camel_case_properties() {
        assert_eq!(property_name("log-in-journal"), "logInJournal");
        assert_eq!(property_name("name"), "name");
    }
}
