//! The encoding of each type of column in SharePoint REST, reading and writing. Pure; tested by the
//! vectors in `shared/vectors/site-fields.json`.

use serde_json::{Map, Value, json};

use super::query::payload_name;
use crate::field::{Column, FieldValue, Person, SiteFieldType, Zone, utc};

/// What decoding needs besides the item.
pub(crate) trait ReadContext {
    /// A user by id, in the shape of the contract.
    fn person(&self, id: i64) -> Value;
    /// The site's zone.
    fn zone(&self) -> Zone;
}

/// The ids in a column of people or lookups: one, several (also as verbose answers wrap them) or
/// none.
pub(crate) fn ids(item: &Value, column: &Column) -> Vec<i64> {
    match item.get(payload_name(column)) {
        Some(Value::Array(all)) => all.iter().filter_map(id).collect(),
        Some(one) => id(one).into_iter().collect(),
        None => Vec::new(),
    }
}

/// An id, which some answers write as a text.
pub(crate) fn id(value: &Value) -> Option<i64> {
    value
        .as_i64()
        .or_else(|| value.as_str()?.trim().parse().ok())
        .filter(|id| *id > 0)
}

/// The value of a column, as callers see it.
pub(crate) fn read(
    column: &Column,
    kind: SiteFieldType,
    item: &Value,
    context: &dyn ReadContext,
) -> Value {
    use SiteFieldType as Kind;
    let raw = item.get(column.entity_name()).unwrap_or(&Value::Null);
    match kind {
        Kind::Bool => match raw {
            Value::String(text) => json!(
                text == "1"
                    || text.eq_ignore_ascii_case("true")
                    || text.eq_ignore_ascii_case("yes")
            ),
            Value::Number(number) => json!(number.as_f64() != Some(0.0)),
            other => other.clone(),
        },
        Kind::Number | Kind::Currency => number(raw),
        Kind::Integer | Kind::Counter => {
            let whole = raw.as_i64().or_else(|| raw.as_str()?.trim().parse().ok());
            whole.map_or_else(|| number(raw), Value::from)
        }
        Kind::DateTime => time(column, raw, context.zone()),
        Kind::MultiChoice => match raw {
            Value::Null => json!([]),
            Value::Array(_) => raw.clone(),
            one => json!([one]),
        },
        Kind::User => ids(item, column)
            .first()
            .map_or(Value::Null, |id| context.person(*id)),
        Kind::UserMulti => ids(item, column)
            .into_iter()
            .map(|id| context.person(id))
            .collect(),
        Kind::Lookup => lookups(item, column).into_iter().next().unwrap_or_default(),
        Kind::LookupMulti => Value::Array(lookups(item, column)),
        Kind::Url => match raw.get("Url").and_then(Value::as_str) {
            Some(url) if !url.is_empty() => {
                json!({"Url": url, "Description": raw.get("Description").and_then(Value::as_str)})
            }
            _ => Value::Null,
        },
        Kind::Guid => raw.as_str().map_or(Value::Null, |id| {
            json!(id.trim_matches(['{', '}']).to_lowercase())
        }),
        Kind::Taxonomy => match raw {
            Value::Array(all) => all.iter().map(|one| term(one, column, item)).collect(),
            Value::Object(_) => term(raw, column, item),
            _ if column.multiple => json!([]),
            _ => Value::Null,
        },
        Kind::String | Kind::Note | Kind::Choice | Kind::Calculated => raw.clone(),
    }
}

/// A whole number is shown as one, whatever the column: `32`, not `32.0`.
fn number(raw: &Value) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let read = match raw {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    };
    match read {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it has no fraction and lies within what an i64 holds"
        )]
        Some(number) if number.fract() == 0.0 && number.abs() <= EXACT => json!(number as i64),
        Some(number) => json!(number),
        None => Value::Null,
    }
}

/// Whether a number has more digits than the column keeps, so that what is read may have been
/// rounded when it was written.
pub(crate) fn is_rounded(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.abs() >= 1e15)
}

fn time(column: &Column, raw: &Value, zone: Zone) -> Value {
    let Some(text) = raw.as_str() else {
        return Value::Null;
    };
    match text.parse() {
        Ok(time) if column.date_only => json!(zone.date_of(time).to_string()),
        Ok(time) => json!(utc(time)),
        // Graph gives a bare date at times; anything else is passed on as it came.
        Err(_) => json!(text),
    }
}

/// The lookups of a column: expanded ones with what they show, others by id alone.
fn lookups(item: &Value, column: &Column) -> Vec<Value> {
    let target_field = column.lookup.as_ref().map(|target| target.field.as_str());
    let one = |part: &Value| -> Option<Value> {
        let id = part.get("Id").or_else(|| part.get("ID")).and_then(id)?;
        let text = target_field
            .and_then(|name| part.get(name))
            .and_then(|text| match text {
                Value::String(text) => Some(text.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            });
        Some(json!({"LookupId": id, "LookupValue": text}))
    };
    let expanded: Vec<Value> = match item.get(column.entity_name()) {
        Some(Value::Array(all)) => all.iter().filter_map(one).collect(),
        Some(part) => one(part).into_iter().collect(),
        None => Vec::new(),
    };
    if !expanded.is_empty() {
        return expanded;
    }
    ids(item, column)
        .into_iter()
        .map(|id| json!({"LookupId": id, "LookupValue": null}))
        .collect()
}

/// A term. Where its label is the number of its entry in the site's hidden list, the text comes
/// with `TaxCatchAll`, or with the item's texts.
fn term(raw: &Value, column: &Column, item: &Value) -> Value {
    let label = raw.get("Label").and_then(Value::as_str);
    let number = raw.get("WssId").and_then(Value::as_i64);
    let is_number = number.is_some() && label.and_then(|label| label.parse().ok()) == number;
    let text =
        |entry: &Value, name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
    let of_catch_all = || {
        let all = item.get("TaxCatchAll").and_then(Value::as_array)?;
        let entry = all.iter().find(|entry| {
            entry
                .get("ID")
                .or_else(|| entry.get("Id"))
                .and_then(Value::as_i64)
                == number
        })?;
        text(entry, "Term")
    };
    let of_texts = || {
        let texts = item.get("FieldValuesAsText")?;
        // Underscores are encoded once more there.
        text(texts, &column.internal_name)
            .or_else(|| text(texts, &column.internal_name.replace('_', "_x005f_")))
            .filter(|text| !text.is_empty() && text.parse() != Ok(number.unwrap_or_default()))
    };
    let label = if is_number {
        of_catch_all().or_else(of_texts)
    } else {
        label.map(str::to_owned)
    };
    json!({"Label": label, "TermGuid": raw.get("TermGuid").and_then(Value::as_str)})
}

/// The body of a write: property names and values.
pub(crate) fn write(fields: &[(Column, FieldValue)]) -> Map<String, Value> {
    fields
        .iter()
        .map(|(column, value)| (payload_name(column), to_json(column, value)))
        .collect()
}

fn to_json(column: &Column, value: &FieldValue) -> Value {
    use SiteFieldType as Kind;
    let many = matches!(column.field_type, Some(Kind::UserMulti | Kind::LookupMulti));
    let numbers = |all: Vec<i64>| if many { json!(all) } else { json!(all.first()) };
    match value {
        // An array clears people and lookups; null is an error to some servers.
        FieldValue::Empty if many => json!([]),
        FieldValue::Empty => Value::Null,
        FieldValue::Text(text) => json!(text),
        FieldValue::Number(number) => Value::Number(number.clone()),
        FieldValue::Bool(flag) => json!(flag),
        FieldValue::Time(time) => json!(utc(*time)),
        FieldValue::Date(date) => json!(format!("{date}T00:00:00Z")),
        FieldValue::Texts(all) => json!(all),
        FieldValue::People(people) => numbers(people.iter().filter_map(Person::id).collect()),
        FieldValue::Items(ids) => numbers(ids.clone()),
        // Both members, always: one without the other is refused.
        FieldValue::Link(link) => {
            json!({"Url": link.url, "Description": link.description.as_deref().unwrap_or(&link.url)})
        }
    }
}
