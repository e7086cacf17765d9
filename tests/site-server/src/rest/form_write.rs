//! Writes as a form makes them: every value is a text, and what is wrong with one is told beside
//! it, in an answer that says 200 all the same.

use std::collections::BTreeMap;

use jiff::civil;
use serde_json::{Value, json};
use uuid::Uuid;

use super::call::Call;
use super::error::{Rest, RestError};
use crate::store::{Field, FieldKind, List, value};

/// The number of everything that is wrong with a value.
const INVALID: i64 = -2_146_232_832;

/// One value of a form, and what became of it.
struct Entry {
    name: String,
    text: String,
    problem: Option<String>,
}

impl Entry {
    fn written(&self, item: u32) -> Value {
        json!({"ErrorCode": if self.problem.is_some() { INVALID } else { 0 },
            "ErrorMessage": self.problem, "FieldName": self.name, "FieldValue": self.text,
            "HasException": self.problem.is_some(), "ItemId": item})
    }
}

/// Writes some columns of an item.
///
/// # Errors
/// The body is none, or the item is not there. What is wrong with a value is in the answer.
pub fn update(call: &mut Call<'_>, list: Uuid, number: u32) -> Rest<Value> {
    let (mut entries, values) = read(call, list)?;
    let user = call.user;
    let of = call
        .site
        .list_mut(list)
        .ok_or_else(RestError::no_list_with_id)?;
    if !of.items.contains_key(&number) {
        return Err(RestError::no_item());
    }
    if entries.iter().all(|entry| entry.problem.is_none())
        && let Err(refusal) = of.update(number, values, None, user)
    {
        blame(&mut entries, &refusal);
    }
    Ok(entries.iter().map(|entry| entry.written(number)).collect())
}

/// Writes a new item; columns that must be filled are looked at here, as nowhere else.
///
/// # Errors
/// The body is none. What is wrong with a value is in the answer.
pub fn create(call: &mut Call<'_>, list: Uuid) -> Rest<Value> {
    let (mut entries, values) = read(call, list)?;
    let of = call.list(list)?;
    let missing = of.fields.iter().filter(|field| {
        field.required && !field.built_in && values.get(&field.internal).is_none_or(Value::is_null)
    });
    for field in missing {
        entries.retain(|entry| entry.name != field.internal);
        entries.push(Entry {
            name: field.internal.clone(),
            text: String::new(),
            problem: Some("You must specify a value for this required field.".to_owned()),
        });
    }
    let user = call.user;
    let of = call
        .site
        .list_mut(list)
        .ok_or_else(RestError::no_list_with_id)?;
    let mut number = 0;
    if entries.iter().all(|entry| entry.problem.is_none()) {
        match of.add(values, user) {
            Ok(item) => number = item.id,
            Err(refusal) => blame(&mut entries, &refusal),
        }
    }
    if number > 0 {
        // The service tells the new number as if it had been filled in.
        entries.push(Entry {
            name: "Id".to_owned(),
            text: number.to_string(),
            problem: None,
        });
    }
    Ok(entries.iter().map(|entry| entry.written(0)).collect())
}

fn blame(entries: &mut [Entry], refusal: &crate::store::Refusal) {
    if let Some(first) = entries.first_mut() {
        first.problem = Some(RestError::refused(refusal, "SP.ListItem").message);
    }
}

fn read(call: &Call<'_>, list: Uuid) -> Rest<(Vec<Entry>, BTreeMap<String, Value>)> {
    let body = call.body()?;
    let forms = body.get("formValues");
    let forms = forms.and_then(|forms| forms.get("results").unwrap_or(forms).as_array());
    let forms = forms.ok_or_else(|| RestError::query("The parameter formValues is missing."))?;
    let in_utc = body.get("datesInUTC") == Some(&json!(true));
    let of = call.list(list)?;
    let mut entries = Vec::new();
    let mut values = BTreeMap::new();
    for form in forms {
        let part = |name: &str| form.get(name).and_then(Value::as_str).unwrap_or_default();
        let (name, text) = (part("FieldName"), part("FieldValue"));
        let problem = match stored(call, of, name, text, in_utc) {
            Ok(Some((field, value))) => {
                values.insert(field, value);
                None
            }
            Ok(None) => None,
            Err(problem) => Some(problem),
        };
        entries.push(Entry {
            name: name.to_owned(),
            text: text.to_owned(),
            problem,
        });
    }
    Ok((entries, values))
}

fn stored(
    call: &Call<'_>,
    list: &List,
    name: &str,
    text: &str,
    in_utc: bool,
) -> Result<Option<(String, Value)>, String> {
    let field = list.field(name).ok_or("The field does not exist.")?;
    if !field.is_writable() {
        return Ok(None);
    }
    let sent = from_text(call, field, text, in_utc)?;
    let value = value::accepted(call.site, field, &sent).map_err(|refusal| refusal.to_string())?;
    Ok(Some((field.internal.clone(), value)))
}

/// What a form's text means for a column.
fn from_text(call: &Call<'_>, field: &Field, text: &str, in_utc: bool) -> Result<Value, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Ok(Value::Null);
    }
    Ok(match field.kind {
        FieldKind::Boolean => json!(matches!(trimmed, "1" | "true" | "True" | "Yes")),
        FieldKind::Number | FieldKind::Currency | FieldKind::Integer => {
            let number = trimmed.replace([',', '$'], "").parse::<f64>();
            value::plain_number(number.map_err(|_| "Only numbers can go here.")?)
        }
        FieldKind::MultiChoice => {
            let parts = trimmed.split(";#").filter(|part| !part.is_empty());
            json!(parts.collect::<Vec<_>>())
        }
        FieldKind::Url => match trimmed.split_once(", ") {
            Some((url, description)) => json!({"Url": url, "Description": description}),
            None => json!({"Url": trimmed}),
        },
        FieldKind::DateTime => date(call, trimmed, in_utc)?,
        FieldKind::User | FieldKind::UserMulti => people(call, field, trimmed)?,
        FieldKind::Lookup => json!(
            trimmed
                .split(";#")
                .next()
                .and_then(|id| id.parse::<u32>().ok())
        ),
        FieldKind::LookupMulti => {
            let ids = trimmed
                .split(";#")
                .filter_map(|part| part.trim_end_matches(';').parse::<u32>().ok());
            json!(ids.collect::<Vec<_>>())
        }
        FieldKind::TaxonomyFieldType => term(trimmed)?,
        FieldKind::TaxonomyFieldTypeMulti => {
            let parts = trimmed.split(';').filter(|part| !part.is_empty());
            Value::Array(parts.map(term).collect::<Result<_, _>>()?)
        }
        _ => json!(text),
    })
}

fn date(call: &Call<'_>, text: &str, in_utc: bool) -> Result<Value, String> {
    let zone = if in_utc {
        jiff::tz::TimeZone::UTC
    } else {
        call.site.time_zone()
    };
    let forms = [
        "%m/%d/%Y %I:%M:%S %p",
        "%m/%d/%Y %I:%M %p",
        "%m/%d/%Y %H:%M:%S",
        "%m/%d/%Y %H:%M",
    ];
    let parsed = forms
        .iter()
        .find_map(|form| civil::DateTime::strptime(form, text).ok())
        .or_else(|| {
            civil::Date::strptime("%m/%d/%Y", text)
                .ok()
                .map(civil::Date::into)
        })
        .or_else(|| text.parse::<civil::DateTime>().ok().filter(|_| in_utc));
    let local = parsed.ok_or("Enter a date like this: 2/23/2012")?;
    let zoned = local.to_zoned(zone).map_err(|error| error.to_string())?;
    Ok(json!(crate::clock::written(zoned.timestamp())))
}

fn people(call: &Call<'_>, field: &Field, text: &str) -> Result<Value, String> {
    let keys: Vec<Value> = serde_json::from_str(text).map_err(|_| "The user is not valid.")?;
    let mut ids = Vec::new();
    for key in &keys {
        let login = key.get("Key").and_then(Value::as_str).unwrap_or_default();
        let person = call.site.person_named(login);
        let person = person.ok_or_else(|| format!("The user {login} does not exist."))?;
        ids.push(json!(person.id));
    }
    Ok(if field.kind.is_multi() {
        Value::Array(ids)
    } else {
        ids.into_iter().next().unwrap_or(Value::Null)
    })
}

fn term(text: &str) -> Result<Value, String> {
    let (label, id) = text
        .trim_end_matches(';')
        .rsplit_once('|')
        .ok_or("The term is not valid.")?;
    Ok(json!({"Label": label, "TermGuid": id}))
}
