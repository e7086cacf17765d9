//! Templates of the tests' own, so that a test shows in its own lines what it is about.

use serde_json::{Value, json};

use crate::person::Person;
use crate::server::Server;

/// A template with these items, named like its id.
#[must_use]
pub fn fragment(id: &str, items: impl IntoIterator<Item = Value>) -> Value {
    json!({
        "Id": id,
        "Key": id,
        "Name": { "en": id },
        "Status": "Draft",
        "Version": 1,
        "Items": items.into_iter().collect::<Vec<_>>(),
    })
}

/// An item of a template, in English.
#[must_use]
pub fn item(key: &str, text: &str) -> Value {
    json!({ "Key": key, "Text": { "en": text } })
}

/// A section of a template.
#[must_use]
pub fn section(key: &str, text: &str) -> Value {
    with(item(key, text), json!({ "Kind": "Section" }))
}

/// The item inside a section.
#[must_use]
pub fn under(section: &str, item: Value) -> Value {
    with(item, json!({ "ParentKey": section }))
}

/// The item with more fields.
#[must_use]
pub fn with(mut item: Value, fields: Value) -> Value {
    if let (Some(item), Value::Object(fields)) = (item.as_object_mut(), fields) {
        item.extend(fields);
    }
    item
}

/// The item with its text in German beside the English one.
#[must_use]
pub fn in_german(mut item: Value, text: &str) -> Value {
    item["Text"]["de"] = json!(text);
    item
}

/// The item, required.
#[must_use]
pub fn required(item: Value) -> Value {
    with(item, json!({ "Required": true }))
}

/// The item, which may be called not applicable.
#[must_use]
pub fn optional_to_apply(item: Value) -> Value {
    with(item, json!({ "AllowNotApplicable": true }))
}

/// Writes and publishes the next version of a template; gives its version.
#[track_caller]
pub fn publish(server: &Server, template: &Value) -> u64 {
    publish_as(&author(server), template)
}

/// The same as somebody.
#[track_caller]
pub fn publish_as(author: &Person, template: &Value) -> u64 {
    let id = template["Id"].as_str().expect("a template has an id");
    let id = percent_encoded(id);
    author.put(&format!("Templates/{id}"), template).ok();
    let published = author
        .send(&format!("Templates/{id}/Publish"), &json!({}))
        .ok();
    published["Version"]
        .as_u64()
        .expect("a published template has a version")
}

/// A text as one segment of a path, or as a value of a query.
#[must_use]
pub fn percent_encoded(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    id.bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

/// Somebody who writes templates.
#[must_use]
#[track_caller]
pub fn author(server: &Server) -> Person {
    server
        .as_somebody_who_may(&["Read", "Templates"])
        .on(&crate::incident("none"))
}
