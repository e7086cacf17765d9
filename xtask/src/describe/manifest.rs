//! `custom-elements.json`: the Custom Elements Manifest (schema 1.0.0) that editors, catalogues and
//! framework tools read. Rendered from the result of `jsdoc`.

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::jsdoc::{Element, Entry, property_name};

const MODULE: &str = "checklist-control.js";

pub fn render(elements: &[Element]) -> Result<String> {
    let exports: Vec<Value> = elements
        .iter()
        .flat_map(|element| {
            let declaration = json!({"name": element.class, "module": MODULE});
            [
                json!({"kind": "js", "name": element.class, "declaration": declaration}),
                json!({"kind": "custom-element-definition", "name": element.tag, "declaration": declaration}),
            ]
        })
        .collect();
    let manifest = json!({
        "schemaVersion": "1.0.0",
        "readme": "README.md",
        "modules": [{
            "kind": "javascript-module",
            "path": MODULE,
            "declarations": elements.iter().map(declaration).collect::<Vec<_>>(),
            "exports": exports,
        }],
    });
    Ok(serde_json::to_string_pretty(&manifest)? + "\n")
}

fn declaration(element: &Element) -> Value {
    let mut members: Vec<Value> = element
        .own_attributes()
        .map(|attribute| {
            let name = property_name(&attribute.name);
            let mut field = described(
                attribute,
                json!({"kind": "field", "name": name, "attribute": attribute.name}),
            );
            field["type"] = json!({"text": kind(attribute)});
            field
        })
        .collect();
    members.extend(
        element
            .properties
            .iter()
            .map(|property| field(property, false)),
    );
    members.extend(element.readings.iter().map(|reading| field(reading, true)));
    members.extend(element.methods.iter().map(|method| {
        let mut value = json!({"kind": "method", "name": method.name});
        if !method.description.is_empty() {
            value["description"] = json!(method.description);
        }
        if let Some(parameter) = &method.optional_parameter {
            value["parameters"] = json!([{"name": parameter, "optional": true}]);
        }
        if !method.returns.is_empty() {
            value["return"] = json!({"type": {"text": method.returns}});
        }
        value
    }));

    let mut value = Map::new();
    value.insert("kind".into(), json!("class"));
    value.insert("customElement".into(), json!(true));
    value.insert("name".into(), json!(element.class));
    value.insert("tagName".into(), json!(element.tag));
    value.insert("description".into(), json!(element.description));
    value.insert("superclass".into(), json!({"name": "HTMLElement"}));
    let attributes: Vec<Value> = element
        .attributes
        .iter()
        .map(|attribute| {
            let name = property_name(&attribute.name);
            let mut value = described(
                attribute,
                json!({"name": attribute.name, "fieldName": name}),
            );
            value["type"] = json!({"text": kind(attribute)});
            value
        })
        .collect();
    value.insert("attributes".into(), json!(attributes));
    value.insert("members".into(), json!(members));
    for (name, entries) in [
        ("events", &element.events),
        ("slots", &element.slots),
        ("cssParts", &element.parts),
        ("cssProperties", &element.tokens),
        ("cssStates", &element.states),
    ] {
        if entries.is_empty() {
            continue;
        }
        let listed: Vec<Value> = entries
            .iter()
            .map(|entry| {
                let mut value = described(entry, json!({"name": entry.name}));
                if !entry.kind.is_empty() {
                    value["type"] = json!({"text": entry.kind});
                }
                value
            })
            .collect();
        value.insert(name.into(), json!(listed));
    }
    Value::Object(value)
}

fn field(entry: &Entry, readonly: bool) -> Value {
    let mut value = described(entry, json!({"kind": "field", "name": entry.name}));
    value["type"] = json!({"text": kind(entry)});
    if readonly {
        value["readonly"] = json!(true);
    }
    value
}

fn described(entry: &Entry, mut value: Value) -> Value {
    if !entry.description.is_empty() {
        value["description"] = json!(entry.description);
    }
    value
}

fn kind(entry: &Entry) -> &str {
    if entry.kind.is_empty() {
        "string"
    } else {
        &entry.kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::jsdoc;

    #[test]
    fn the_manifest_names_attributes_fields_and_events() {
        let script = "/**\n * A.\n * @tagname a-b\n * @attr {boolean} is-it - It.\n * @fires {Event} x - X.\n */\nexport class Ab extends HTMLElement {\n}\n";
        let manifest: Value =
            serde_json::from_str(&render(&jsdoc::elements(script).unwrap()).unwrap()).unwrap();
        let class = &manifest["modules"][0]["declarations"][0];
        assert_eq!(class["attributes"][0]["fieldName"], "isIt");
        assert_eq!(class["members"][0]["attribute"], "is-it");
        assert_eq!(class["events"][0]["type"]["text"], "Event");
        assert_eq!(
            manifest["modules"][0]["exports"][1]["kind"],
            "custom-element-definition"
        );
    }
}
