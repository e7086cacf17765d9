//! Validates a JSON value against the schema of a request: reports every invalid field by its
//! pointer.
//!
//! Implements the keywords that request schemas use (types, enumerations, formats, ranges, members,
//! `oneOf`, references) and ignores all others, so it never reports a valid value. A text in the
//! place of another type is never quoted, as it may be a secret.

use std::str::FromStr;

use checklist_shared::computer::Day;
use checklist_shared::problem::{FieldError, FieldErrorCode};
use checklist_shared::{Due, ItemId, Timestamp};
use serde_json::{Map, Number, Value};

/// How many errors an answer lists at most.
pub const MOST_ERRORS: usize = 20;
/// The maximum length of an explanation; some list many names.
const LONGEST_DETAIL: usize = 200;
/// The maximum length of a quoted name.
const LONGEST_QUOTE: usize = 60;
/// The schema that every value fits.
pub const ANY: &Value = &Value::Bool(true);
/// The error for U+0000 in texts and names of any schema: PostgreSQL cannot store it.
const NUL_MESSAGE: &str = "the character U+0000 is not allowed";

/// The errors of `value`, at most [`MOST_ERRORS`]. `schemas` holds those that `schema` refers to,
/// by name.
pub fn errors_of(value: &Value, schema: &Value, schemas: &Value) -> Vec<FieldError> {
    let mut validator = Validator {
        schemas,
        pointer: String::new(),
        errors: Vec::new(),
    };
    validator.check_value(value, schema);
    validator.errors
}

/// A message as a sentence of limited length.
pub fn sentence(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    let cut: String = first.chain(letters).take(LONGEST_DETAIL).collect();
    format!("{}.", cut.trim_end_matches('.'))
}

/// A name as a token of a JSON pointer (RFC 6901).
pub fn pointer_token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

struct Validator<'a> {
    schemas: &'a Value,
    /// JSON pointer of the value that is being checked.
    pointer: String,
    errors: Vec<FieldError>,
}

impl<'a> Validator<'a> {
    const fn is_full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    fn add(&mut self, code: FieldErrorCode, message: &str) {
        if !self.is_full() {
            let error = FieldError::new(self.pointer.as_str(), code, sentence(message));
            self.errors.push(error);
        }
    }

    /// Runs `look` with the pointer one level deeper.
    fn enter(&mut self, name: &str, look: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer
            .push_str(&pointer_token(name).replace('\0', ""));
        look(self);
        self.pointer.truncate(length);
    }

    /// The alternatives, one of which the value has to match.
    fn alternatives(&self, schema: &'a Value) -> Vec<&'a Value> {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            return self.alternatives(&self.schemas[name]);
        }
        match schema["oneOf"].as_array() {
            Some(all) => all.iter().flat_map(|one| self.alternatives(one)).collect(),
            None => vec![schema],
        }
    }

    fn check_value(&mut self, value: &Value, schema: &'a Value) {
        if self.is_full() {
            return;
        }
        let all = self.alternatives(schema);
        let of_type: Vec<&Value> = all
            .iter()
            .copied()
            .filter(|one| takes(one, value))
            .collect();
        let schema = match of_type.as_slice() {
            [one] => *one,
            _ => ANY,
        };
        let wrong = match value {
            _ if of_type.is_empty() => Some(wrong_type(value, &all)),
            Value::Object(members) => return self.check_members(members, schema),
            Value::Array(entries) => {
                for (index, entry) in entries.iter().enumerate() {
                    self.enter(&index.to_string(), |inside| {
                        inside.check_value(entry, &schema["items"])
                    });
                }
                None
            }
            Value::String(text) => wrong_text(text, &of_type),
            Value::Number(number) => wrong_number(number, schema),
            _ => None,
        };
        if let Some(message) = wrong {
            self.add(FieldErrorCode::Invalid, &message);
        }
    }

    fn check_members(&mut self, members: &Map<String, Value>, schema: &'a Value) {
        let properties = &schema["properties"];
        for (name, value) in members {
            // Whoever sends 100,000 unknown fields gets no work done for each.
            if self.is_full() {
                return;
            }
            let member = properties
                .get(name)
                .unwrap_or(&schema["additionalProperties"]);
            self.enter(name, |inside| {
                if member == &Value::Bool(false) {
                    let known = properties.as_object().into_iter().flat_map(Map::keys);
                    let expected = list_names(known.map(String::as_str));
                    let message = format!("unknown field {}, expected {expected}", quote(name));
                    inside.add(FieldErrorCode::UnknownField, &message);
                } else if name.contains('\0') {
                    inside.add(FieldErrorCode::Invalid, NUL_MESSAGE);
                } else {
                    inside.check_value(value, member);
                }
            });
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if !members.contains_key(name) {
                let message = "this field has to be there";
                self.enter(name, |inside| inside.add(FieldErrorCode::Required, message));
            }
        }
    }
}

/// The error for a value of the wrong type. Omits `null` from the expected types, as the caller has
/// sent a value.
fn wrong_type(value: &Value, schemas: &[&Value]) -> String {
    let types = schemas.iter().flat_map(|schema| types_of(schema));
    let mut expected: Vec<&str> = types
        .filter(|one| *one != "null")
        .map(type_in_words)
        .collect();
    expected.dedup();
    let (found, expected) = (type_in_words(type_name(value)), expected.join(" or "));
    format!("invalid type: {found}, expected {expected}")
}

/// The error for a text that no schema accepts. `schemas` are those for texts.
fn wrong_text(text: &str, schemas: &[&Value]) -> Option<String> {
    let formats: Vec<_> = schemas.iter().map(|one| one["format"].as_str()).collect();
    let values = match schemas {
        [one] => one["enum"].as_array(),
        _ => None,
    };
    match (values, formats.as_slice()) {
        _ if text.contains('\0') => Some(NUL_MESSAGE.to_owned()),
        (Some(values), _) if values.iter().all(|value| value != text) => {
            let expected = list_names(values.iter().filter_map(Value::as_str));
            Some(format!(
                "unknown variant {}, expected {expected}",
                quote(text)
            ))
        }
        (_, [Some("uuid")]) => wrong_format::<ItemId>(text),
        (_, [Some("date")]) => wrong_format::<Day>(text),
        (_, [Some("date-time")]) => wrong_format::<Timestamp>(text),
        (_, [Some("date-time"), Some("date")]) => wrong_format::<Due>(text),
        _ => None,
    }
}

fn wrong_format<T: FromStr<Err: ToString>>(text: &str) -> Option<String> {
    text.parse::<T>().err().map(|error| error.to_string())
}

fn wrong_number(number: &Number, schema: &Value) -> Option<String> {
    if !types_of(schema).contains(&"integer") {
        return None;
    }
    let bound = |name: &str| schema[name].as_i64().map(i128::from);
    let is_short = schema["format"]
        .as_str()
        .is_some_and(|format| format.ends_with("32"));
    // Without a sign, all the bits count.
    let (least, most) = match (bound("minimum"), is_short) {
        (None, true) => (i32::MIN.into(), i32::MAX.into()),
        (None, false) => (i64::MIN.into(), i64::MAX.into()),
        (Some(least), true) => (least, u32::MAX.into()),
        (Some(least), false) => (least, u64::MAX.into()),
    };
    let most = bound("maximum").unwrap_or(most);
    let fits = number
        .as_i128()
        .is_some_and(|number| (least..=most).contains(&number));
    let range = format!("a whole number from {least} to {most}");
    (!fits).then(|| format!("invalid value: {number}, expected {range}"))
}

/// Whether a schema accepts values of this JSON type. A number is not yet checked for being an
/// integer.
fn takes(schema: &Value, value: &Value) -> bool {
    let (types, name) = (types_of(schema), type_name(value));
    let is_of = |one: &&str| *one == name || (*one == "integer" && name == "number");
    types.is_empty() || types.iter().any(is_of)
}

/// The types that a schema accepts; empty if it accepts all.
fn types_of(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn type_in_words(name: &str) -> &str {
    match name {
        "boolean" => "a boolean",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text",
        "array" => "an array",
        "object" => "an object",
        other => other,
    }
}

/// Lists names in the wording of serde: `a`, or `a` or `b`, or one of all.
fn list_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.len() {
        0..3 => names.join(" or "),
        _ => format!("one of {}", names.join(", ")),
    }
}

fn quote(name: &str) -> String {
    let cut: String = name.chars().take(LONGEST_QUOTE).collect();
    format!("`{cut}`")
}
