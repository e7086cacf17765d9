//! What a column takes: the shape, the range and the zone of a value, whoever brings it.
//!
//! Both protocols hand in JSON as it came; what comes back is stored and read as it is.

use serde_json::{Value, json};

use super::instant::instant;
use super::{Field, FieldKind, Refusal, Site};
use crate::clock;

/// The value to store for what was sent to `field`; null clears.
///
/// # Errors
/// It has the wrong shape, is out of range, or means nobody.
pub fn accepted(site: &Site, field: &Field, sent: &Value) -> Result<Value, Refusal> {
    if sent.is_null() {
        return Ok(Value::Null);
    }
    match field.kind {
        FieldKind::Text | FieldKind::Choice => {
            let text = text(field, sent)?;
            if text.chars().count() > 255 {
                return Err(invalid(field, INVALID_TEXT));
            }
            Ok(or_nothing(text))
        }
        FieldKind::Note | FieldKind::Thumbnail | FieldKind::Location => {
            Ok(or_nothing(text(field, sent)?))
        }
        FieldKind::Number | FieldKind::Currency => number(field, sent),
        FieldKind::Integer => match sent.as_i64() {
            Some(number) if i32::try_from(number).is_ok() => Ok(json!(number)),
            _ => Err(wrong(field, "Edm.Int32")),
        },
        FieldKind::Boolean => match sent.as_bool() {
            Some(flag) => Ok(json!(flag)),
            None => Err(wrong(field, "Edm.Boolean")),
        },
        FieldKind::DateTime => date(site, field, sent),
        FieldKind::MultiChoice => texts(field, sent),
        FieldKind::User => person(site, field, sent),
        FieldKind::Lookup => lookup(site, field, sent),
        FieldKind::UserMulti => several(field, sent, |one| person(site, field, one)),
        FieldKind::LookupMulti => several(field, sent, |one| lookup(site, field, one)),
        FieldKind::Url => url(field, sent),
        FieldKind::TaxonomyFieldType => term(field, sent),
        FieldKind::TaxonomyFieldTypeMulti => several(field, sent, |one| term(field, one)),
        _ => Err(Refusal::UnknownProperty(field.entity_name())),
    }
}

/// What a column's default means, which is text for every kind.
#[must_use]
pub fn of_default(field: &Field, default: &str) -> Value {
    match field.kind {
        FieldKind::Boolean => json!(default == "1" || default.eq_ignore_ascii_case("true")),
        FieldKind::Number | FieldKind::Currency | FieldKind::Integer => {
            default.parse::<f64>().map_or(Value::Null, plain_number)
        }
        FieldKind::DateTime if default.eq_ignore_ascii_case("[today]") => {
            json!(clock::written(clock::now()))
        }
        FieldKind::MultiChoice => {
            let parts = default.split(";#").filter(|part| !part.is_empty());
            json!(parts.collect::<Vec<_>>())
        }
        _ => json!(default),
    }
}

/// A number without a fraction is written without one.
#[must_use]
pub fn plain_number(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and small enough to be exact"
    )]
    if number.fract() == 0.0 && number.abs() < 1e15 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

const INVALID_TEXT: &str = "Invalid text value.\n\nA text field contains invalid data. Please check the value and try again.";
const INVALID_LOOKUP: &str = "Invalid look-up value.\n\nA look-up field contains invalid data. Please check the value and try again.";

fn wrong(field: &Field, expected: &'static str) -> Refusal {
    Refusal::WrongType {
        field: field.entity_name(),
        expected,
    }
}

fn invalid(field: &Field, reason: &str) -> Refusal {
    Refusal::Invalid {
        field: field.entity_name(),
        reason: reason.to_owned(),
    }
}

fn text<'a>(field: &Field, sent: &'a Value) -> Result<&'a str, Refusal> {
    sent.as_str().ok_or_else(|| wrong(field, "Edm.String"))
}

/// Empty text and no text are the same to the service.
fn or_nothing(text: &str) -> Value {
    if text.is_empty() {
        Value::Null
    } else {
        json!(text)
    }
}

fn number(field: &Field, sent: &Value) -> Result<Value, Refusal> {
    let number = sent.as_f64().ok_or_else(|| wrong(field, "Edm.Double"))?;
    let bound = |name: &str| field.own.get(name).and_then(Value::as_f64);
    let low = bound("MinimumValue").is_some_and(|low| number < low);
    let high = bound("MaximumValue").is_some_and(|high| number > high);
    if low || high {
        return Err(invalid(
            field,
            "The value is out of the range of the field.",
        ));
    }
    // A column is a double: what is longer than its 15 digits is rounded, and nobody is told.
    let rounded = format!("{number:.14e}").parse::<f64>().unwrap_or(number);
    Ok(plain_number(rounded))
}

fn date(site: &Site, field: &Field, sent: &Value) -> Result<Value, Refusal> {
    let text = sent.as_str().ok_or_else(|| wrong(field, "Edm.DateTime"))?;
    if text.is_empty() {
        return Ok(Value::Null);
    }
    let zone = site.time_zone();
    let at = instant(text, &zone).ok_or_else(|| wrong(field, "Edm.DateTime"))?;
    let at = if field.is_date_only() {
        let day = at.to_zoned(zone).start_of_day();
        day.map_or(at, |day| day.timestamp())
    } else {
        at
    };
    Ok(json!(clock::written(at)))
}

fn texts(field: &Field, sent: &Value) -> Result<Value, Refusal> {
    let Some(parts) = sent.as_array() else {
        return Err(wrong(field, "Collection(Edm.String)"));
    };
    if !parts.iter().all(Value::is_string) {
        return Err(wrong(field, "Edm.String"));
    }
    Ok(unless_empty(parts.clone()))
}

fn unless_empty(parts: Vec<Value>) -> Value {
    if parts.is_empty() {
        Value::Null
    } else {
        Value::Array(parts)
    }
}

fn several(
    field: &Field,
    sent: &Value,
    one: impl Fn(&Value) -> Result<Value, Refusal>,
) -> Result<Value, Refusal> {
    let Some(parts) = sent.as_array() else {
        return Err(wrong(field, "Collection(Edm.Int32)"));
    };
    let parts = parts.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    Ok(unless_empty(
        parts.into_iter().filter(|part| !part.is_null()).collect(),
    ))
}

fn row_number(field: &Field, sent: &Value) -> Result<u32, Refusal> {
    let number = sent.as_i64().ok_or_else(|| wrong(field, "Edm.Int32"))?;
    // Zero and less mean nobody, as in forms.
    Ok(u32::try_from(number).unwrap_or(0))
}

fn person(site: &Site, field: &Field, sent: &Value) -> Result<Value, Refusal> {
    let id = row_number(field, sent)?;
    if id == 0 {
        return Ok(Value::Null);
    }
    let person = site.person(id).ok_or(Refusal::UnknownPerson(id))?;
    let people_only = field.own.get("SelectionMode") == Some(&json!(0));
    if people_only && person.is_group() {
        return Err(Refusal::UnknownPerson(id));
    }
    Ok(json!(id))
}

fn lookup(site: &Site, field: &Field, sent: &Value) -> Result<Value, Refusal> {
    let id = row_number(field, sent)?;
    if id == 0 {
        return Ok(Value::Null);
    }
    let target = field.target_list().and_then(|list| site.list(list));
    match target {
        Some(list) if !list.items.contains_key(&id) => Err(invalid(field, INVALID_LOOKUP)),
        _ => Ok(json!(id)),
    }
}

fn url(field: &Field, sent: &Value) -> Result<Value, Refusal> {
    let part = |name: &str| sent.get(name).and_then(Value::as_str);
    let Some(url) = part("Url") else {
        return Err(wrong(field, "SP.FieldUrlValue"));
    };
    if url.is_empty() {
        return Ok(Value::Null);
    }
    if url.len() > 255 {
        return Err(invalid(
            field,
            "Invalid URL: the address is longer than 255 characters.",
        ));
    }
    let description = part("Description").filter(|text| !text.is_empty());
    Ok(json!({"Description": description.unwrap_or(url), "Url": url}))
}

fn term(field: &Field, sent: &Value) -> Result<Value, Refusal> {
    let id = sent.get("TermGuid").and_then(Value::as_str);
    let Some(id) = id.filter(|id| uuid::Uuid::parse_str(id).is_ok()) else {
        return Err(wrong(field, "SP.Taxonomy.TaxonomyFieldValue"));
    };
    let label = sent
        .get("Label")
        .and_then(Value::as_str)
        .unwrap_or_default();
    Ok(
        json!({"Label": label, "TermGuid": id, "WssId": sent.get("WssId").cloned()
        .filter(|id| id.as_i64().is_some_and(|id| id > 0)).unwrap_or(json!(1))}),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Site {
        Site::new("/sites/demo", "America/Los_Angeles")
    }

    #[test]
    fn a_date_without_a_time_is_midnight_where_the_site_is() {
        let mut field = Field::new("Day", "Day", FieldKind::DateTime);
        field.own.insert("DisplayFormat".to_owned(), json!(0));
        let stored = |text: &str| accepted(&site(), &field, &json!(text)).expect("a date");
        assert_eq!(stored("2026-02-01T08:00:00Z"), "2026-02-01T08:00:00Z");
        assert_eq!(stored("2026-02-01T20:15:00Z"), "2026-02-01T08:00:00Z");
        assert_eq!(stored("2026-02-01T00:00:00Z"), "2026-01-31T08:00:00Z");
        assert_eq!(stored("2026-07-01"), "2026-07-01T07:00:00Z");
    }

    #[test]
    fn numbers_keep_fifteen_digits() {
        let field = Field::new("Amount", "Amount", FieldKind::Number);
        let stored = |sent: Value| accepted(&site(), &field, &sent).expect("a number");
        assert_eq!(
            stored(json!(123_456_789_012_345_i64)),
            json!(123_456_789_012_345_i64)
        );
        assert_ne!(
            stored(json!(1_234_567_890_123_456_789_i64)),
            json!(1_234_567_890_123_456_789_i64)
        );
        assert_eq!(stored(json!(1.5)), json!(1.5));
        assert_eq!(
            accepted(&site(), &field, &json!("1")),
            Err(wrong(&field, "Edm.Double"))
        );
    }

    #[test]
    fn nobody_by_that_number_is_refused() {
        let field = Field::new("Owner", "Owner", FieldKind::User);
        assert_eq!(accepted(&site(), &field, &json!(11)), Ok(json!(11)));
        assert_eq!(
            accepted(&site(), &field, &json!(4711)),
            Err(Refusal::UnknownPerson(4711))
        );
        assert_eq!(accepted(&site(), &field, &Value::Null), Ok(Value::Null));
    }
}
