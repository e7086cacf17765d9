//! What a caller may write into a column: the value as it was given becomes one that both
//! protocols know how to send, or an error that names the field and says what it takes.
//!
//! Free of culture: numbers have a point, dates are ISO, times have a zone.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Number, Value};

use super::column::Column;
use super::convert::{FromFieldValue, SiteLookup, SiteUrl, as_integer};
use super::date::{read_date, read_time};
use super::field_type::SiteFieldType;
use super::parameter::ObjectExpressionParameter;
use crate::error::{ErrorKind, Result, SiteError};
use crate::user::SiteUserOrGroup;

/// A value that fits its column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FieldValue {
    Empty,
    Text(String),
    Number(Number),
    Bool(bool),
    Time(Timestamp),
    Date(Date),
    Texts(Vec<String>),
    People(Vec<Person>),
    Items(Vec<i64>),
    Link(SiteUrl),
}

/// Somebody a caller named.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Person {
    /// By the number that the site knows them by.
    Id(i64),
    /// By login, e-mail address or display name.
    Named {
        name: String,
        is_group: Option<bool>,
    },
}

impl Person {
    /// The number, once it is known.
    pub(crate) fn id(&self) -> Option<i64> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Named { .. } => None,
        }
    }
}

/// A double keeps this many digits.
const DIGITS: usize = 15;

/// What `parameter` writes into `column`.
///
/// # Errors
/// The column cannot be written, or the value does not fit it.
pub(crate) fn accept(column: &Column, parameter: &ObjectExpressionParameter) -> Result<FieldValue> {
    let kind = column.writable_type()?;
    if let Some(said) = parameter.field_type
        && !said.is_compatible_with(kind)
    {
        return Err(invalid(
            column,
            format!("is of the type {kind}; the value was given as {said}"),
        ));
    }
    to_field_value(column, kind, &parameter.value).map_err(|why| invalid(column, why))
}

fn invalid(column: &Column, why: String) -> SiteError {
    SiteError::new(
        ErrorKind::InvalidValue,
        format!("The field {} {why}.", column.internal_name),
    )
    .with_field(&column.internal_name)
}

/// The value for a column, `Err` with the end of a sentence that begins with the field.
pub(crate) fn to_field_value(
    column: &Column,
    kind: SiteFieldType,
    given: &Value,
) -> std::result::Result<FieldValue, String> {
    use SiteFieldType as Kind;
    let blank = |text: &Value| text.as_str().is_some_and(|text| text.trim().is_empty());
    let is_text = matches!(kind, Kind::String | Kind::Note | Kind::Choice);
    if given.is_null() || (!is_text && blank(given)) {
        return Ok(FieldValue::Empty);
    }
    match kind {
        Kind::String | Kind::Note => text(column, given),
        Kind::Choice => {
            let chosen = scalar_text(given)?;
            choice(column, &chosen)?;
            Ok(FieldValue::Text(chosen))
        }
        Kind::MultiChoice => {
            let chosen: Vec<String> = elements(given)
                .map(scalar_text)
                .collect::<std::result::Result<_, _>>()?;
            chosen.iter().try_for_each(|one| choice(column, one))?;
            Ok(FieldValue::Texts(chosen))
        }
        Kind::Number | Kind::Currency => {
            check_bounds(column, number(given)?).map(FieldValue::Number)
        }
        Kind::Integer => {
            let number = check_bounds(column, number(given)?)?;
            as_integer(&Value::Number(number.clone()))
                .filter(|as_integer| i32::try_from(*as_integer).is_ok())
                .map(|as_integer| FieldValue::Number(as_integer.into()))
                .ok_or_else(|| format!("takes whole numbers of 32 bits, not {number}"))
        }
        Kind::Bool => bool::from_field_value(given)
            .map(FieldValue::Bool)
            .map_err(|_| format!("takes true or false, not {}", describe(given))),
        Kind::DateTime => date_or_time(column, given),
        Kind::User | Kind::UserMulti => {
            let people = elements(given)
                .map(|one| person(column, one))
                .collect::<std::result::Result<Vec<_>, _>>()?;
            check_count(kind == Kind::UserMulti, people.len(), "user or group")?;
            Ok(FieldValue::People(people))
        }
        Kind::Lookup | Kind::LookupMulti => {
            let items = elements(given)
                .map(lookup)
                .collect::<std::result::Result<Vec<_>, _>>()?;
            check_count(kind == Kind::LookupMulti, items.len(), "item")?;
            Ok(FieldValue::Items(items))
        }
        Kind::Url => link(given).map(FieldValue::Link),
        Kind::Guid | Kind::Counter | Kind::Calculated | Kind::Taxonomy => {
            Err("can only be read".to_owned())
        }
    }
}

/// The elements of an array, or the one value there is.
fn elements(given: &Value) -> impl Iterator<Item = &Value> {
    match given {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    }
    .iter()
}

fn check_count(many: bool, count: usize, what: &str) -> std::result::Result<(), String> {
    if many || count <= 1 {
        return Ok(());
    }
    Err(format!("holds one {what}, not {count}"))
}

fn scalar_text(given: &Value) -> std::result::Result<String, String> {
    match given {
        Value::String(_) | Value::Number(_) | Value::Bool(_) => {
            String::from_field_value(given).map_err(|error| error.to_string())
        }
        _ => Err(format!("takes text, not {}", describe(given))),
    }
}

fn text(column: &Column, given: &Value) -> std::result::Result<FieldValue, String> {
    let text = scalar_text(given)?;
    // The site counts as UTF-16 does.
    let length = text.encode_utf16().count();
    match column.max_length {
        Some(most) if length > most as usize => {
            Err(format!("holds {most} characters, not {length}"))
        }
        _ => Ok(FieldValue::Text(text)),
    }
}

fn choice(column: &Column, chosen: &str) -> std::result::Result<(), String> {
    let known = column.choices.iter().any(|choice| choice == chosen);
    if known || column.fill_in || column.choices.is_empty() || chosen.is_empty() {
        return Ok(());
    }
    Err(format!(
        "has no choice {chosen:?}; there are {}",
        column.choices.join(", ")
    ))
}

fn number(given: &Value) -> std::result::Result<Number, String> {
    let text = match given {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return Err(format!("takes a number, not {}", describe(given))),
    };
    let read: f64 = text
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| format!("takes a number like 12.5, not {}", describe(given)))?;
    if significant_digits(&text) > DIGITS {
        return Err(format!(
            "keeps {DIGITS} digits, and {text} has more: it would be rounded. Numbers that name \
             something (serial numbers) belong in a text column"
        ));
    }
    let exact = as_integer(&Value::from(read)).map(Number::from);
    exact
        .or_else(|| Number::from_f64(read))
        .ok_or_else(|| format!("takes a number, not {text}"))
}

/// The number, where the column's bounds let it in.
fn check_bounds(column: &Column, number: Number) -> std::result::Result<Number, String> {
    let value = number.as_f64().unwrap_or_default();
    match (column.minimum, column.maximum) {
        (Some(least), _) if value < least => Err(format!("takes {least} and more, not {number}")),
        (_, Some(most)) if value > most => Err(format!("takes {most} and less, not {number}")),
        _ => Ok(number),
    }
}

/// Digits without leading zeros, and without trailing ones, which cost nothing.
fn significant_digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or(text);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').trim_end_matches('0').len()
}

fn date_or_time(column: &Column, given: &Value) -> std::result::Result<FieldValue, String> {
    let text = given
        .as_str()
        .ok_or_else(|| format!("takes a date as text, not {}", describe(given)))?;
    if column.date_only {
        return read_date(text)
            .map(FieldValue::Date)
            .ok_or_else(|| format!("holds dates without a time, 2026-01-02; {text:?} is none"));
    }
    read_time(text)
        .map(FieldValue::Time)
        .map_err(|why| format!("holds points in time, and {why}; {text:?} is none"))
}

fn person(column: &Column, given: &Value) -> std::result::Result<Person, String> {
    match given {
        Value::String(name) if !name.trim().is_empty() => Ok(Person::Named {
            name: name.trim().to_owned(),
            is_group: column.people_only.then_some(false),
        }),
        Value::Number(_) => as_integer(given)
            .filter(|id| *id > 0)
            .map(Person::Id)
            .ok_or_else(|| format!("takes the id of a user, not {given}")),
        Value::Object(_) => {
            let known = SiteUserOrGroup::deserialize(given)
                .map_err(|error| format!("takes a user or group: {error}"))?;
            if column.people_only && known.is_group {
                return Err("takes people, and no groups".to_owned());
            }
            let name = known
                .handle()
                .ok_or("takes a user or group with a Name, an Email or a Title")?;
            Ok(Person::Named {
                name: name.to_owned(),
                is_group: Some(known.is_group),
            })
        }
        _ => Err(format!("takes users and groups, not {}", describe(given))),
    }
}

fn lookup(given: &Value) -> std::result::Result<i64, String> {
    let id = match given {
        Value::Object(_) => SiteLookup::deserialize(given)
            .ok()
            .map(|lookup| lookup.lookup_id),
        Value::Number(_) | Value::String(_) => as_integer(given),
        _ => None,
    };
    id.filter(|id| *id > 0).ok_or_else(|| {
        format!(
            "takes the id of an item of the other list, not {}",
            describe(given)
        )
    })
}

fn link(given: &Value) -> std::result::Result<SiteUrl, String> {
    let link = match given {
        Value::String(address) => SiteUrl {
            url: address.trim().to_owned(),
            description: None,
        },
        Value::Object(_) => SiteUrl::deserialize(given)
            .map_err(|_| "takes a link with Url and Description".to_owned())?,
        _ => return Err(format!("takes a link, not {}", describe(given))),
    };
    let most = 255;
    if link.url.encode_utf16().count() > most {
        return Err(format!("holds addresses of {most} characters"));
    }
    let fits = link.url.starts_with('/')
        || url::Url::parse(&link.url)
            .is_ok_and(|url| ["http", "https", "mailto", "ftp", "file"].contains(&url.scheme()));
    if !fits {
        return Err(format!("takes a link, and {:?} is none", link.url));
    }
    Ok(link)
}

/// A value for a sentence: short, and never a whole document.
fn describe(given: &Value) -> String {
    match given {
        Value::Array(all) => format!("{} values", all.len()),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => format!("{:?}", text.chars().take(60).collect::<String>()),
        simple => simple.to_string(),
    }
}
#[cfg(test)]
#[path = "accept_tests.rs"]
mod tests;
