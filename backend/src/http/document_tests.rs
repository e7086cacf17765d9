//! Tests of the API document: its examples are valid, its references resolve, and the copy in
//! `docs/` is up to date.
//!
//! A failing test says what a new call lacks.

use std::collections::HashSet;
use std::path::Path;

use checklist_shared::problem::Problem;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::*;
use crate::http::extract::errors_of;
use crate::http::router::openapi;

fn document() -> Value {
    serde_json::to_value(openapi()).expect("a document")
}

/// All operations with their paths.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .flat_map(|(path, item)| {
            item.as_object()
                .expect("operations")
                .iter()
                .map(move |(verb, operation)| (format!("{verb} {path}"), operation))
        })
        .collect()
}

/// Asserts that a text deserializes as `T` and serializes to the same JSON.
fn same<T: DeserializeOwned + Serialize>(what: &str, text: &str) {
    let value: Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{what} is no JSON: {error}"));
    let read: T =
        serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut again = serde_json::to_value(&read).expect("JSON");
    // What a request leaves out may have a default.
    if what.ends_with("request")
        && let (Some(again), Some(value)) = (again.as_object_mut(), value.as_object())
    {
        again.retain(|name, _| value.contains_key(name));
    }
    for name in value.as_object().expect("an object").keys() {
        assert!(again.get(name).is_some(), "{what}: {name} is not a field");
    }
}

/// What a schema says of the members of a value: all records that it consists of, and those between
/// which it leaves the choice.
fn records_of<'a>(schema: &'a Value, schemas: &'a Value) -> Vec<&'a Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return records_of(&schemas[name], schemas);
    }
    let parts = ["allOf", "oneOf", "anyOf"]
        .iter()
        .filter_map(|keyword| schema[*keyword].as_array())
        .flatten();
    let mut records: Vec<&Value> = parts.flat_map(|part| records_of(part, schemas)).collect();
    records.push(schema);
    records
}

/// The members of an example that its schema does not know, by their places.
fn unknown_members(value: &Value, schema: &Value, schemas: &Value, place: &str) -> Vec<String> {
    let records = records_of(schema, schemas);
    let found = |name: &str| {
        let known = records.iter().filter_map(|record| {
            let values = &record["additionalProperties"];
            let values = Some(values).filter(|values| values.is_object());
            record["properties"].get(name).or(values)
        });
        known.collect::<Vec<_>>()
    };
    match value {
        Value::Object(members) if records.iter().any(|record| is_told(record)) => members
            .iter()
            .flat_map(|(name, member)| {
                let place = format!("{place}/{name}");
                let known = found(name);
                // Where several alternatives have the member, it may be as one of them says.
                let unknown = known
                    .iter()
                    .map(|schema| unknown_members(member, schema, schemas, &place));
                unknown
                    .min_by_key(Vec::len)
                    .unwrap_or_else(|| vec![place.clone()])
            })
            .collect(),
        Value::Array(entries) => entries
            .iter()
            .enumerate()
            .flat_map(|(index, entry)| {
                let of_entries = records.iter().find_map(|record| record.get("items"));
                let of_entries = of_entries.unwrap_or(&Value::Null);
                unknown_members(entry, of_entries, schemas, &format!("{place}/{index}"))
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a schema says which members there are; a `Value` of a site's column says nothing.
fn is_told(record: &Value) -> bool {
    record["properties"].is_object() || record["additionalProperties"].is_object()
}

/// The examples of a body: the only one, or each of several.
fn examples_of(content: &Value) -> Vec<&Value> {
    let several = content["examples"].as_object().into_iter().flatten();
    let several = several.map(|(_, example)| &example["value"]);
    content.get("example").into_iter().chain(several).collect()
}

#[test]
fn every_example_has_a_place_in_the_document() {
    let document = document();
    let operations = operations(&document);
    for example in EXAMPLES {
        let (_, operation) = operations
            .iter()
            .find(|(_, operation)| operation["operationId"] == example.operation)
            .unwrap_or_else(|| panic!("there is no call {}", example.operation));
        let answers = &operation["responses"];
        let bodies = [
            (example.request, vec![&operation["requestBody"]]),
            (example.answer, vec![&answers["200"], &answers["202"]]),
            (example.accepted, vec![&answers["202"]]),
        ];
        for (text, bodies) in bodies {
            let Some(text) = text else { continue };
            let value: Value = serde_json::from_str(text).expect("JSON");
            let is_shown = bodies
                .iter()
                .any(|body| examples_of(&body["content"]["application/json"]).contains(&&value));
            assert!(is_shown, "{} {}", example.operation, example.name);
        }
    }
}

#[test]
fn every_example_fits_the_schema_that_bodies_are_held_against() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let mut count = 0;
    for (what, operation) in operations(&document) {
        let request = &operation["requestBody"]["content"]["application/json"];
        let answers = ["200", "202"]
            .map(|status| &operation["responses"][status]["content"]["application/json"]);
        for content in [request].into_iter().chain(answers) {
            for example in examples_of(content) {
                let schema = &content["schema"];
                assert_eq!(errors_of(example, schema, schemas), [], "{what}");
                let unknown = unknown_members(example, schema, schemas, "");
                assert!(unknown.is_empty(), "{what}: {unknown:?}");
                count += 1;
            }
        }
    }
    assert!(count > 80, "only {count} examples");
}

#[test]
fn a_member_that_a_schema_does_not_know_is_found_wherever_it_is() {
    let schemas = json!({
        "Row": { "properties": { "Id": {} } },
        "Page": { "allOf": [
            { "properties": { "Rows": { "items": { "$ref": "#/components/schemas/Row" } } } },
            { "properties": { "Next": {}, "Words": { "additionalProperties": { "type": "string" } } } },
        ] },
    });
    let page = json!({ "$ref": "#/components/schemas/Page" });
    let look = |value: Value| unknown_members(&value, &page, &schemas, "");
    let good = json!({ "Rows": [{ "Id": 1 }], "Next": { "any": 1 }, "Words": { "a": "b" } });
    assert!(look(good).is_empty());
    assert_eq!(
        look(json!({ "Rows": [{ "Id": 1, "Old": 2 }] })),
        ["/Rows/0/Old"]
    );
    assert_eq!(look(json!({ "More": 1 })), ["/More"]);
}

#[test]
fn every_problem_is_an_example_of_its_status() {
    for problem in PROBLEMS {
        for (name, example) in problem.examples {
            // What became of each item of a write stands beside the problem.
            let mut alone: Value = serde_json::from_str(example).expect("JSON");
            let members = alone.as_object_mut().expect("an object");
            members.retain(|member, _| !["Results", "Revision"].contains(&member.as_str()));
            same::<Problem>(name, &alone.to_string());
            let read: Problem = serde_json::from_str(example).expect("a problem");
            assert_eq!(read.status.to_string(), problem.status, "{name}");
            assert_eq!(read.code.status(), read.status, "{name}");
            assert_eq!(read.code.title(), read.title, "{name}");
        }
        let codes = problem.examples.iter().skip(1);
        for (code, example) in codes {
            assert!(example.contains(&format!("\"Code\": \"{code}\"")), "{code}");
        }
    }
}

#[test]
fn every_call_is_told_in_full() {
    let document = document();
    let mut names = HashSet::new();
    for (what, operation) in operations(&document) {
        let id = operation["operationId"].as_str().unwrap_or_default();
        assert!(
            names.insert(id.to_owned()),
            "{what}: the name {id} is taken"
        );
        for member in ["summary", "tags"] {
            assert!(!operation[member].is_null(), "{what} has no {member}");
        }
        let answer = &operation["responses"]["200"]["content"]["application/json"];
        assert!(
            answer.is_null() || !examples_of(answer).is_empty(),
            "{what}: the answer has no example"
        );
        let request = &operation["requestBody"]["content"]["application/json"];
        assert!(
            request.is_null() || !examples_of(request).is_empty(),
            "{what}: the request has no example"
        );
        let is_api = what.contains("/api/Vendor/");
        let documented = |status: &str| !operation["responses"][status].is_null();
        assert!(
            !is_api || (documented("401") && documented("404") && documented("422")),
            "{what}: problems are missing"
        );
        assert!(
            is_api || operation["security"].is_array(),
            "{what} needs no token and does not say so"
        );
    }
    assert!(
        names.contains("RefreshItemsOnTemplateChange") && names.len() > 20,
        "calls are missing: {names:?}"
    );
}

#[test]
fn every_reference_leads_somewhere() {
    fn walk<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    found.push(reference);
                }
                members.values().for_each(|member| walk(member, found));
            }
            Value::Array(list) => list.iter().for_each(|entry| walk(entry, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    walk(&document, &mut found);
    assert!(found.len() > 50);
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("references stay inside");
        assert!(
            document.pointer(pointer).is_some(),
            "{reference} leads nowhere"
        );
    }
}

#[test]
fn the_copy_in_docs_is_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/openapi.json");
    let kept = std::fs::read_to_string(&path).expect("docs/openapi.json");
    let now = openapi().to_pretty_json().expect("a document");
    assert!(
        kept.trim_end() == now.trim_end(),
        "docs/openapi.json is not what the router says; write it anew: checklist-server openapi > docs/openapi.json"
    );
}

/// Calls `look` with each object of the document and its position.
fn each_object(value: &Value, place: &str, look: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            look(place, value);
            for (name, member) in members {
                each_object(member, &format!("{place}/{name}"), look);
            }
        }
        Value::Array(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                each_object(entry, &format!("{place}/{index}"), look);
            }
        }
        _ => {}
    }
}

#[test]
fn no_description_holds_examples_in_rust_and_no_default_is_null() {
    let mut found = Vec::new();
    each_object(&document(), "", &mut |place, object| {
        if object.get("default").is_some_and(Value::is_null) {
            found.push(format!("{place}: default null"));
        }
        for text in ["description", "summary"] {
            if object[text].as_str().is_some_and(|text| {
                text.contains("```") || text.contains("[`") || text.contains("crate::")
            }) {
                found.push(format!("{place}: {}", object[text]));
            }
        }
    });
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_contracts_of_the_site_lists_are_schemas_with_their_properties() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let properties = |name: &str| -> Vec<String> {
        let properties = schemas[name]["properties"].as_object();
        let properties = properties.unwrap_or_else(|| panic!("no schema {name}"));
        properties.keys().cloned().collect()
    };
    let required = |name: &str| -> Vec<&str> {
        let required = schemas[name]["required"].as_array().into_iter().flatten();
        required.filter_map(Value::as_str).collect()
    };
    assert_eq!(
        properties("SiteConnection"),
        [
            "Url",
            "Username",
            "Password",
            "Domain",
            "AuthenticationType",
            "Timeout",
            "ServiceConnection"
        ]
    );
    assert_eq!(required("SiteConnection"), ["Url", "AuthenticationType"]);
    assert_eq!(
        properties("SiteItemField"),
        ["InternalName", "DisplayName", "Type", "Value"]
    );
    assert_eq!(
        required("SiteItemField"),
        ["InternalName", "DisplayName", "Type"]
    );
    assert_eq!(
        properties("SiteUserOrGroup"),
        [
            "IsGroup",
            "Name",
            "Title",
            "Email",
            "FirstName",
            "LastName",
            "IsSiteAdmin"
        ]
    );
    assert_eq!(required("SiteUserOrGroup"), ["IsGroup"]);
    assert_eq!(
        properties("ObjectExpressionParameter"),
        ["Name", "Value", "Type"]
    );
    assert_eq!(
        schemas["AuthenticationType"]["enum"],
        serde_json::json!([
            "Anonymous",
            "PassThrough",
            "SiteOnline",
            "Forms",
            "Negotiate",
            "Kerberos",
            "NTLM",
            "Digest",
            "ServiceConnection"
        ])
    );
    let list = &schemas["AddSiteItem"]["properties"]["List"];
    assert!(
        list.to_string().contains("#/components/schemas/SiteList"),
        "{list}"
    );
    assert!(schemas["SiteList"]["oneOf"].is_array());
}
