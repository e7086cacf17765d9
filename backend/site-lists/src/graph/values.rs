//! The encoding of each type of column in Microsoft Graph, reading and writing. Pure; tested by the
//! vectors in `shared/vectors/site-fields.json`.

use serde_json::{Map, Value, json};

use crate::field::{Column, FieldValue, Person, SiteFieldType};
use crate::rest::values::{self as rest, ReadContext, id};

/// The ids in a column of people or lookups.
pub(crate) fn ids(fields: &Value, column: &Column) -> Vec<i64> {
    let entry = |value: &Value| match value {
        Value::Object(parts) => parts.get("LookupId").and_then(id),
        other => id(other),
    };
    let raw = [
        column.internal_name.clone(),
        format!("{}LookupId", column.internal_name),
    ];
    for name in raw.iter().rev() {
        match fields.get(name) {
            Some(Value::Array(all)) => return all.iter().filter_map(entry).collect(),
            Some(one) if name.ends_with("LookupId") => return entry(one).into_iter().collect(),
            _ => {}
        }
    }
    Vec::new()
}

/// The value of a column, as callers see it.
pub(crate) fn read(
    column: &Column,
    kind: SiteFieldType,
    fields: &Value,
    context: &dyn ReadContext,
) -> Value {
    use SiteFieldType as Kind;
    match kind {
        Kind::User => ids(fields, column)
            .first()
            .map_or(Value::Null, |id| context.person(*id)),
        Kind::UserMulti => ids(fields, column)
            .into_iter()
            .map(|id| context.person(id))
            .collect(),
        Kind::Lookup => lookups(fields, column)
            .into_iter()
            .next()
            .unwrap_or_default(),
        Kind::LookupMulti => Value::Array(lookups(fields, column)),
        Kind::Counter => fields
            .get("id")
            .and_then(id)
            .map_or(Value::Null, Value::from),
        // The rest is encoded as in SharePoint REST, under its internal name.
        _ => rest::read(column, kind, fields, context),
    }
}

/// The lookups of a column. The text of a single one stands under the column's own name, its id
/// rest_fallback it.
fn lookups(fields: &Value, column: &Column) -> Vec<Value> {
    let raw = fields.get(&column.internal_name);
    if let Some(Value::Array(all)) = raw {
        return all
            .iter()
            .filter_map(|entry| {
                let id = entry.get("LookupId").and_then(id)?;
                Some(json!({"LookupId": id, "LookupValue": entry.get("LookupValue").and_then(Value::as_str)}))
            })
            .collect();
    }
    let text = raw.and_then(Value::as_str);
    ids(fields, column)
        .into_iter()
        .map(|id| json!({"LookupId": id, "LookupValue": text}))
        .collect()
}

/// The type by the value itself where Graph does not say the column's: a number, or a GUID.
pub(crate) fn shown_type(value: &Value) -> Option<SiteFieldType> {
    match value {
        Value::Number(number) if number.as_i64().is_some() => Some(SiteFieldType::Integer),
        Value::Number(_) => Some(SiteFieldType::Number),
        Value::String(text) => {
            let id = uuid::Uuid::try_parse(text.trim_matches(['{', '}']));
            id.is_ok().then_some(SiteFieldType::Guid)
        }
        _ => None,
    }
}

/// The fields of a write, with the annotations that collections need.
pub(crate) fn write(fields: &[(Column, FieldValue)]) -> Map<String, Value> {
    use SiteFieldType as Kind;
    let mut body = Map::new();
    let mut put = |name: String, collection: Option<&str>, value: Value| {
        if let Some(of) = collection.filter(|_| value.is_array()) {
            body.insert(
                format!("{name}@odata.type"),
                json!(format!("Collection({of})")),
            );
        }
        body.insert(name, value);
    };
    for (column, value) in fields {
        let name = column.internal_name.clone();
        let many = matches!(column.field_type, Some(Kind::UserMulti | Kind::LookupMulti));
        // As text: a number fails where a column of that very name exists.
        let reference = |ids: Vec<i64>| {
            if many {
                json!(ids)
            } else {
                json!(ids.first().map(i64::to_string))
            }
        };
        match value {
            FieldValue::People(people) => put(
                format!("{name}LookupId"),
                Some("Edm.Int32"),
                reference(people.iter().filter_map(Person::id).collect()),
            ),
            FieldValue::Items(ids) => put(
                format!("{name}LookupId"),
                Some("Edm.Int32"),
                reference(ids.clone()),
            ),
            FieldValue::Empty if many => {
                put(format!("{name}LookupId"), Some("Edm.Int32"), json!([]))
            }
            FieldValue::Empty if matches!(column.field_type, Some(Kind::User | Kind::Lookup)) => {
                put(format!("{name}LookupId"), None, Value::Null)
            }
            FieldValue::Empty if column.field_type == Some(Kind::MultiChoice) => {
                put(name, Some("Edm.String"), json!([]))
            }
            FieldValue::Texts(all) => put(name, Some("Edm.String"), json!(all)),
            // The same as in SharePoint REST, under the internal name.
            other => {
                let plain = Column {
                    entity_name: None,
                    ..column.clone()
                };
                for (name, value) in rest::write(&[(plain, other.clone())]) {
                    put(name, None, value);
                }
            }
        }
    }
    body
}
