//! Writes JSON schemas for people: the type in one line, the members as a table.

use std::fmt::Write as _;

use serde_json::Value;

use crate::html::{escape, text};
use crate::markdown::fragment;

const REF: &str = "#/components/schemas/";

/// How deep the members of members are shown in place; further down they are links.
const DEEPEST: usize = 2;

/// The schema that a reference names, and its name.
pub fn resolve<'a>(document: &'a Value, schema: &'a Value) -> (&'a Value, Option<&'a str>) {
    let name = schema["$ref"]
        .as_str()
        .and_then(|name| name.strip_prefix(REF));
    match name {
        Some(name) => (&document["components"]["schemas"][name], Some(name)),
        None => (schema, None),
    }
}

/// A type in one line, as HTML; names are links.
pub fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|name| name.strip_prefix(REF))
    {
        return format!("<a href=\"schemas#{0}\">{0}</a>", escape(name));
    }
    for key in ["oneOf", "anyOf", "allOf"] {
        if let Some(all) = schema[key].as_array() {
            let names: Vec<String> = all.iter().map(type_of).collect();
            return names.join(if key == "allOf" { " and " } else { " or " });
        }
    }
    if let Some(values) = schema["enum"].as_array() {
        let values = values
            .iter()
            .map(|value| format!("<code>{}</code>", escape(&value.to_string())));
        return values.collect::<Vec<_>>().join(", ");
    }
    let mut names: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(all) => all.iter().map(text).collect(),
        _ => return "any value".to_owned(),
    };
    let nullable = names.contains(&"null");
    names.retain(|name| *name != "null");
    let mut words: Vec<String> = names
        .into_iter()
        .map(|name| match (name, &schema["format"]) {
            ("array", _) => format!("array of {}", type_of(&schema["items"])),
            ("object", _) if schema["additionalProperties"].is_object() => {
                format!(
                    "object, each value {}",
                    type_of(&schema["additionalProperties"])
                )
            }
            (name, Value::String(format)) => format!("{name} ({})", escape(format)),
            (name, _) => name.to_owned(),
        })
        .collect();
    if nullable {
        words.push("null".to_owned());
    }
    words.join(" or ")
}

/// A schema of the list of all schemas: its description, then its members or values.
pub fn whole(schema: &Value) -> String {
    let mut html = fragment(text(&schema["description"]));
    match members(schema, 0, None) {
        Some(table) => html.push_str(&table),
        None => {
            let _never_fails = writeln!(html, "<p class=\"type\">{}</p>", alternatives(schema));
        }
    }
    html
}

/// The body of a request or an answer: what it is, and its members in place.
pub fn body(document: &Value, schema: &Value) -> String {
    let (own, name) = resolve(document, schema);
    let line = format!("<p class=\"type\">{}</p>\n", type_of(schema));
    let inner = match own["type"].as_str() {
        Some("array") if name.is_none() => return line + &body_members(document, &own["items"]),
        _ => body_members(document, own),
    };
    line + &inner
}

fn body_members(document: &Value, schema: &Value) -> String {
    let (own, _) = resolve(document, schema);
    if let Some(table) = members(own, 0, Some(document)) {
        return table;
    }
    let mut html = String::new();
    for alternative in own["oneOf"]
        .as_array()
        .or(own["anyOf"].as_array())
        .into_iter()
        .flatten()
    {
        let (one, name) = resolve(document, alternative);
        if let (Some(table), Some(name)) = (members(one, 1, Some(document)), name) {
            let _never_fails = writeln!(
                html,
                "<details><summary>{}</summary>{table}</details>",
                escape(name)
            );
        }
    }
    html
}

/// The members of an object; below those that are objects themselves, theirs.
fn members(schema: &Value, depth: usize, document: Option<&Value>) -> Option<String> {
    let parts: Vec<&Value> = match schema["allOf"].as_array() {
        Some(all) => all
            .iter()
            .map(|one| document.map_or(one, |document| resolve(document, one).0))
            .collect(),
        None => vec![schema],
    };
    let mut html = String::from("<dl class=\"members\">\n");
    let mut any = false;
    for part in parts {
        let required: Vec<&str> = part["required"]
            .as_array()
            .into_iter()
            .flatten()
            .map(text)
            .collect();
        for (name, member) in part["properties"].as_object().into_iter().flatten() {
            any = true;
            let needed = if required.contains(&name.as_str()) {
                " <span class=\"required\">required</span>"
            } else {
                ""
            };
            let about = description(member);
            let inner = document
                .filter(|_| depth < DEEPEST)
                .and_then(|document| nested(document, member, depth))
                .unwrap_or_default();
            let _never_fails = writeln!(
                html,
                "<dt><code>{}</code> <span class=\"type\">{}</span>{needed}</dt><dd>{}{}{inner}</dd>",
                escape(name),
                type_of(member),
                fragment(about),
                bounds(member),
            );
        }
    }
    any.then(|| html + "</dl>\n")
}

/// What a member says of itself, also where it may be null.
fn description(member: &Value) -> &str {
    let alternatives = member["oneOf"].as_array().into_iter().flatten();
    let all = std::iter::once(member).chain(alternatives);
    all.map(|one| text(&one["description"]))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}

fn bounds(member: &Value) -> String {
    let words: Vec<String> = [
        ("minimum", "at least"),
        ("maximum", "at most"),
        ("maxLength", "at most characters:"),
    ]
    .into_iter()
    .filter(|(key, _)| member[*key] != 0)
    .filter_map(|(key, word)| member.get(key).map(|value| format!("{word} {value}")))
    .collect();
    if words.is_empty() {
        return String::new();
    }
    format!("<p class=\"bounds\">{}</p>", escape(&words.join(", ")))
}

/// The members of a member that is an object, or a list of objects.
fn nested(document: &Value, member: &Value, depth: usize) -> Option<String> {
    let candidates = match member["oneOf"].as_array() {
        Some(all) => all.iter().collect(),
        None => vec![member],
    };
    let item = |one: &Value| one["items"].is_object();
    let mut named = candidates
        .into_iter()
        .map(|one| if item(one) { &one["items"] } else { one })
        .filter_map(|one| {
            let (own, name) = resolve(document, one);
            Some((members(own, depth + 1, Some(document))?, name?))
        });
    let (table, name) = named.next()?;
    Some(format!(
        "<details><summary>Members of {}</summary>{table}</details>",
        escape(name)
    ))
}

/// A schema without members: its values, each with what it means.
fn alternatives(schema: &Value) -> String {
    let Some(all) = schema["oneOf"].as_array() else {
        return type_of(schema);
    };
    let mut html = String::from("<ul>");
    for one in all {
        let _never_fails = write!(
            html,
            "<li>{} {}</li>",
            type_of(one),
            escape(text(&one["description"]))
        );
    }
    html + "</ul>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_type_is_named_in_one_line() {
        for (schema, words) in [
            (
                json!({ "type": "string", "format": "date-time" }),
                "string (date-time)",
            ),
            (json!({ "type": ["integer", "null"] }), "integer or null"),
            (
                json!({ "type": "array", "items": { "type": "boolean" } }),
                "array of boolean",
            ),
            (
                json!({ "enum": ["A", "B"] }),
                "<code>&quot;A&quot;</code>, <code>&quot;B&quot;</code>",
            ),
            (json!({}), "any value"),
        ] {
            assert_eq!(type_of(&schema), words);
        }
        let reference = json!({ "$ref": "#/components/schemas/Item" });
        assert_eq!(type_of(&reference), "<a href=\"schemas#Item\">Item</a>");
    }

    #[test]
    fn members_of_members_are_shown_until_they_are_too_deep() {
        let link = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
        let object = |name: &str, member: Value| json!({ "type": "object", "required": [name], "properties": { name: member } });
        let document = json!({ "components": { "schemas": {
            "A": object("b", link("B")),
            "B": object("c", link("A")),
        } } });
        let html = body(&document, &link("A"));
        assert_eq!(html.matches("Members of").count(), DEEPEST);
        assert!(
            html.contains("<span class=\"required\">required</span>"),
            "{html}"
        );
    }
}
