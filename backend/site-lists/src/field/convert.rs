//! Reading a field's value as the type a caller asks for, as `GetValue<T>()` of the contract does.
//!
//! Conversions are free of culture and lose nothing: a number becomes an integer only when it is
//! one.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::date::read_date;
use super::field_type::SiteFieldType;
use crate::user::SiteUserOrGroup;

/// The value of a field cannot be read as the type that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}{found} cannot be read as {wanted}")]
pub struct ConversionError {
    field: String,
    found: String,
    wanted: &'static str,
}

impl ConversionError {
    fn new(found: &Value, wanted: &'static str) -> Self {
        let found = match found {
            Value::Null => "no value".to_owned(),
            Value::Array(all) => format!("{} values", all.len()),
            Value::Object(_) => "a value with parts".to_owned(),
            simple => format!("the value {simple}"),
        };
        Self {
            field: String::new(),
            found,
            wanted,
        }
    }

    pub(super) fn in_field(mut self, internal_name: &str, field_type: SiteFieldType) -> Self {
        self.field = format!("{internal_name} ({field_type}): ");
        self
    }
}

/// What a field's value can be read as. Implement it for a type of your own to have it from
/// [`crate::SiteItemField::get_value`].
///
/// ```
/// use serde_json::{Value, json};
/// use site_lists::{ConversionError, FromFieldValue};
///
/// #[derive(Debug, PartialEq)]
/// struct Gigabytes(u32);
///
/// impl FromFieldValue for Gigabytes {
///     fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
///         u32::from_field_value(value).map(Self)
///     }
/// }
/// assert_eq!(Gigabytes::from_field_value(&json!(32.0)), Ok(Gigabytes(32)));
/// ```
pub trait FromFieldValue: Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// It is of another kind.
    fn from_field_value(value: &Value) -> Result<Self, ConversionError>;
}

/// An item of another list.
///
/// ```
/// use site_lists::SiteLookup;
///
/// let city: SiteLookup = serde_json::from_str(r#"{"LookupId": 3, "LookupValue": "Berlin"}"#)?;
/// assert_eq!(city.lookup_id, 3);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SiteLookup {
    /// Id of that item.
    pub lookup_id: i64,
    /// What its list shows for it, where the site says.
    #[serde(default)]
    pub lookup_value: Option<String>,
}

/// A link.
///
/// ```
/// use site_lists::SiteUrl;
///
/// let link: SiteUrl = serde_json::from_str(r#"{"Url": "https://example.com/"}"#)?;
/// assert_eq!(link.description, None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct SiteUrl {
    /// Where it leads.
    pub url: String,
    /// What is shown for it; the address itself where it is absent.
    #[serde(default)]
    pub description: Option<String>,
}

impl FromFieldValue for Value {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        Ok(value.clone())
    }
}

impl<T: FromFieldValue> FromFieldValue for Option<T> {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        if value.is_null() {
            return Ok(None);
        }
        T::from_field_value(value).map(Some)
    }
}

impl<T: FromFieldValue> FromFieldValue for Vec<T> {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        match value {
            Value::Null => Ok(Vec::new()),
            Value::Array(all) => all.iter().map(T::from_field_value).collect(),
            one => Ok(vec![T::from_field_value(one)?]),
        }
    }
}

/// An array of one is as good as the one.
fn single(value: &Value) -> &Value {
    match value.as_array().map(Vec::as_slice) {
        Some([one]) => one,
        _ => value,
    }
}

impl FromFieldValue for String {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        let part = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        match value {
            Value::String(text) => Ok(text.clone()),
            Value::Bool(flag) => Ok(flag.to_string()),
            Value::Number(_) => Ok(match as_integer(value) {
                Some(as_integer) => as_integer.to_string(),
                None => value.to_string(),
            }),
            Value::Array(all) => {
                let texts: Result<Vec<Self>, _> = all.iter().map(Self::from_field_value).collect();
                Ok(texts?.join("; "))
            }
            Value::Object(_) => ["Title", "LookupValue", "Url", "Label", "Name", "Email"]
                .iter()
                .find_map(|name| part(name))
                .ok_or_else(|| ConversionError::new(value, "text")),
            Value::Null => Err(ConversionError::new(value, "text")),
        }
    }
}

impl FromFieldValue for bool {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        match single(value) {
            Value::Bool(flag) => Ok(*flag),
            Value::Number(number) if number.as_f64() == Some(0.0) => Ok(false),
            Value::Number(number) if number.as_f64() == Some(1.0) => Ok(true),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "1" => Ok(true),
                "false" | "0" => Ok(false),
                _ => Err(ConversionError::new(value, "yes or no")),
            },
            _ => Err(ConversionError::new(value, "yes or no")),
        }
    }
}

impl FromFieldValue for f64 {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        let read = match single(value) {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok().filter(|it: &f64| it.is_finite()),
            Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
            _ => None,
        };
        read.ok_or_else(|| ConversionError::new(value, "a number"))
    }
}

/// The whole number that a value is: a JSON number without a fraction, its text, a lookup's id.
pub(super) fn as_integer(value: &Value) -> Option<i64> {
    // Beyond these a double has gaps.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match single(value) {
        Value::Number(number) => number.as_i64().or_else(|| {
            let number = number.as_f64()?;
            let exact = number.fract() == 0.0 && number.abs() <= EXACT;
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it has no fraction and lies within what an i64 holds"
            )]
            exact.then_some(number as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(flag) => Some(i64::from(*flag)),
        Value::Object(parts) => parts.get("LookupId").and_then(as_integer),
        _ => None,
    }
}

macro_rules! whole_numbers {
    ($($kind:ty),+) => {$(
        impl FromFieldValue for $kind {
            fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
                as_integer(value)
                    .and_then(|as_integer| Self::try_from(as_integer).ok())
                    .ok_or_else(|| ConversionError::new(value, concat!("a whole number (", stringify!($kind), ")")))
            }
        }
    )+};
}
whole_numbers!(i16, i32, i64, u16, u32, u64);

impl FromFieldValue for Timestamp {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        let text = single(value).as_str();
        text.and_then(|text| text.trim().parse().ok())
            .ok_or_else(|| ConversionError::new(value, "a point in time"))
    }
}

impl FromFieldValue for Date {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        let text = single(value).as_str();
        text.and_then(read_date)
            .ok_or_else(|| ConversionError::new(value, "a date"))
    }
}

impl FromFieldValue for Uuid {
    fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
        let text = single(value).as_str();
        text.and_then(|text| Uuid::parse_str(text.trim()).ok())
            .ok_or_else(|| ConversionError::new(value, "an id (GUID)"))
    }
}

macro_rules! with_parts {
    ($($kind:ty = $name:literal),+) => {$(
        impl FromFieldValue for $kind {
            fn from_field_value(value: &Value) -> Result<Self, ConversionError> {
                let one = single(value);
                if !one.is_object() {
                    return Err(ConversionError::new(value, $name));
                }
                Self::deserialize(one).map_err(|_| ConversionError::new(value, $name))
            }
        }
    )+};
}
with_parts!(
    SiteUserOrGroup = "a user or group",
    SiteLookup = "an item of another list",
    SiteUrl = "a link"
);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::field::SiteItemField;

    fn read<T: FromFieldValue>(value: Value) -> Result<T, ConversionError> {
        T::from_field_value(&value)
    }

    #[test]
    fn numbers_become_integers_only_when_they_are_whole_and_fit() {
        assert_eq!(read::<i32>(json!(3.0)), Ok(3));
        assert_eq!(read::<i32>(json!("42")), Ok(42));
        assert!(read::<i32>(json!(3.5)).is_err());
        assert!(read::<i32>(json!(2_147_483_648_u64)).is_err());
        assert!(read::<u32>(json!(-1)).is_err());
        assert!(read::<i64>(json!(1e300)).is_err());
        assert_eq!(
            read::<i64>(json!({"LookupId": 7, "LookupValue": "x"})),
            Ok(7)
        );
    }

    #[test]
    fn everything_that_has_a_name_can_be_read_as_text() {
        assert_eq!(read::<String>(json!(3.0)).as_deref(), Ok("3"));
        assert_eq!(read::<String>(json!(3.25)).as_deref(), Ok("3.25"));
        assert_eq!(read::<String>(json!(["a", "b"])).as_deref(), Ok("a; b"));
        assert_eq!(
            read::<String>(json!({"Url": "https://x", "Description": "y"})).as_deref(),
            Ok("https://x")
        );
        assert_eq!(
            read::<String>(json!({"IsGroup": false, "Name": "i:0#.w|c\\ada", "Title": null}))
                .as_deref(),
            Ok("i:0#.w|c\\ada")
        );
    }

    #[test]
    fn an_empty_field_is_none_or_no_elements_and_never_a_default() {
        assert_eq!(read::<Option<String>>(Value::Null), Ok(None));
        assert_eq!(read::<Vec<String>>(Value::Null), Ok(Vec::new()));
        assert!(read::<String>(Value::Null).is_err());
        assert!(read::<bool>(Value::Null).is_err());
        assert!(read::<f64>(Value::Null).is_err());
        assert!(read::<SiteUserOrGroup>(Value::Null).is_err());
    }

    #[test]
    fn one_and_many_read_as_each_other_where_nothing_is_lost() {
        assert_eq!(read::<Vec<i64>>(json!(5)), Ok(vec![5]));
        assert_eq!(read::<i64>(json!([5])), Ok(5));
        assert!(read::<i64>(json!([5, 6])).is_err());
    }

    #[test]
    fn dates_are_read_with_their_zone() {
        let time: Timestamp = read(json!("2026-02-01T09:00:00+01:00")).expect("a time");
        assert_eq!(time.to_string(), "2026-02-01T08:00:00Z");
        assert!(read::<Timestamp>(json!("2026-02-01T09:00:00")).is_err());
        let date: Date = read(json!("2026-02-01")).expect("a date");
        assert_eq!(date.to_string(), "2026-02-01");
    }

    #[test]
    fn the_error_names_the_field_and_what_was_wanted() {
        let field = SiteItemField {
            internal_name: "Memory".to_owned(),
            display_name: "Memory".to_owned(),
            field_type: super::super::SiteFieldType::Number,
            value: json!(3.5),
        };
        let error = field.get_value::<i32>().expect_err("a fraction");
        assert_eq!(
            error.to_string(),
            "Memory (Number): the value 3.5 cannot be read as a whole number (i32)"
        );
    }
}
