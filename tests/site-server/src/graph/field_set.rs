//! The values of an item as Graph shows and takes them: links by number under `FLookupId`, several
//! values only with the annotation that says so.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::call::Call;
use super::error::{Graph, GraphError};
use crate::query::row::behind;
use crate::store::{Field, FieldKind, Item, List, item, value};

/// What an item shows without being asked, besides the columns that people made.
const SHOWN: [&str; 12] = [
    "Title",
    "ContentType",
    "Modified",
    "Created",
    "Author",
    "Editor",
    "_UIVersionString",
    "Attachments",
    "LinkTitleNoMenu",
    "LinkTitle",
    "ItemChildCount",
    "FolderChildCount",
];

/// The values of an item: those that were selected, or those that it shows by itself.
#[must_use]
pub fn written(
    call: &Call<'_>,
    list: &List,
    item: &Item,
    selected: &[String],
) -> Map<String, Value> {
    let mut out = Map::new();
    out.insert("@odata.etag".to_owned(), json!(item.guid_etag()));
    if selected.is_empty() {
        for field in SHOWN.iter().take(1).filter_map(|name| list.field(name)) {
            show(call, list, item, field, &mut out);
        }
        for field in list.custom_fields() {
            show(call, list, item, field, &mut out);
        }
        out.insert("id".to_owned(), json!(item.id.to_string()));
        for field in SHOWN.iter().skip(1).filter_map(|name| list.field(name)) {
            show(call, list, item, field, &mut out);
        }
        return out;
    }
    for name in selected {
        if name.eq_ignore_ascii_case("id") {
            out.insert("id".to_owned(), json!(item.id.to_string()));
            continue;
        }
        let linked = name
            .strip_suffix("LookupId")
            .and_then(|name| list.field(name));
        match (list.field(name), linked) {
            (Some(field), _) => {
                let value = item::value(call.site, list, item, field);
                let value = if is_link(field) {
                    behind_link(call, field, &value)
                } else {
                    value
                };
                if !value.is_null() {
                    out.insert(name.clone(), value);
                }
            }
            (None, Some(field)) => show(call, list, item, field, &mut out),
            (None, None) => {}
        }
    }
    out
}

fn is_link(field: &Field) -> bool {
    field.kind.is_person() || (field.kind.is_lookup() && !field.built_in)
}

/// A column as it is shown without being asked for; without a value it is not shown at all.
fn show(call: &Call<'_>, list: &List, item: &Item, field: &Field, out: &mut Map<String, Value>) {
    let value = item::value(call.site, list, item, field);
    if value.is_null() || field.hidden {
        return;
    }
    let (name, value) = if !is_link(field) {
        (field.internal.clone(), value)
    } else if field.kind.is_multi() {
        (field.internal.clone(), behind_link(call, field, &value))
    } else {
        (
            format!("{}LookupId", field.internal),
            json!(value.to_string()),
        )
    };
    out.insert(name, value);
}

/// What a link leads to, as people read it.
fn behind_link(call: &Call<'_>, field: &Field, value: &Value) -> Value {
    let text = |number: &Value, name: &str| {
        let found = behind(call.site, field, number, name);
        found.map(|(_, value)| match value {
            Value::String(text) => json!(text),
            Value::Null => json!(""),
            other => json!(other.to_string()),
        })
    };
    match value {
        Value::Null => Value::Null,
        Value::Array(all) => {
            let entries = all.iter().map(|number| {
                let shown = text(number, field.target_field()).unwrap_or_default();
                let mut entry = json!({"LookupId": number, "LookupValue": shown});
                if field.kind.is_person() {
                    entry["Email"] = text(number, "EMail").unwrap_or_default();
                }
                entry
            });
            entries.collect()
        }
        number => text(number, field.target_field()).unwrap_or_default(),
    }
}

/// The values of a body, checked column by column.
///
/// # Errors
/// A name is unknown, a value has the wrong shape, or several come without their annotation.
pub fn read(
    call: &Call<'_>,
    list: &List,
    body: &Map<String, Value>,
) -> Graph<BTreeMap<String, Value>> {
    let mut values = BTreeMap::new();
    for (name, sent) in body {
        if name.contains('@') || name == "id" || name == "ContentType" {
            continue;
        }
        let annotated = body
            .get(&format!("{name}@odata.type"))
            .and_then(Value::as_str);
        let several =
            annotated.is_some_and(|kind| kind.trim_start_matches('#').starts_with("Collection("));
        let (field, linked) = match (list.field(name), name.strip_suffix("LookupId")) {
            (Some(field), _) => (field, false),
            (None, Some(bare)) => match list.field(bare) {
                Some(field) if is_link(field) => (field, true),
                _ => return Err(unknown(name)),
            },
            (None, None) => return Err(unknown(name)),
        };
        if field.read_only || !field.kind.is_writable() {
            return Err(GraphError::invalid(format!("Field '{name}' is read-only")));
        }
        if is_link(field) && !linked {
            return Err(unknown(name));
        }
        if field.kind == FieldKind::Url || field.kind.is_taxonomy() {
            return Err(GraphError::new(
                400,
                "notSupported",
                format!("Field '{name}' cannot be written through this API"),
            ));
        }
        if sent.is_array() && !several {
            return Err(GraphError::new(
                400,
                "generalException",
                "General exception while processing",
            ));
        }
        let sent = if linked { numbers(sent) } else { sent.clone() };
        let stored = value::accepted(call.site, field, &sent)
            .map_err(|refusal| GraphError::refused(&refusal))?;
        values.insert(field.internal.clone(), stored);
    }
    Ok(values)
}

fn unknown(name: &str) -> GraphError {
    GraphError::invalid(format!("Field '{name}' is not recognized"))
}

/// Numbers of links come as numbers and as texts.
fn numbers(sent: &Value) -> Value {
    match sent {
        Value::String(text) if text.trim().is_empty() => Value::Null,
        Value::String(text) => text.trim().parse::<i64>().map_or(sent.clone(), Value::from),
        Value::Array(all) => Value::Array(all.iter().map(numbers).collect()),
        other => other.clone(),
    }
}
