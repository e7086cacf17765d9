//! Finds all invalid fields of a JSON body, not only the first one that the parser stops at.
//!
//! Runs only after parsing has failed: validates the value against the schema that the API document
//! publishes for the request. Errors that no schema covers (duplicate fields, rules of single
//! types) come from the parser, so every failure has a reason.

use checklist_shared::problem::{FieldError, FieldErrorCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;
use utoipa::ToSchema;

use super::schema::{self, MOST_ERRORS};
use super::strict::Strict;

/// The errors of `value` read as `T`; `json` is its text.
pub fn of<T: DeserializeOwned + ToSchema>(json: &[u8], value: &Value) -> Vec<FieldError> {
    let mut named = Vec::new();
    T::schemas(&mut named);
    let json_of = |schema| serde_json::to_value(schema).unwrap_or_default();
    let schemas = named
        .into_iter()
        .map(|(name, schema)| (name, json_of(schema)));
    let mut errors = schema::errors_of(value, &json_of(T::schema()), &schemas.collect());
    if let Some(error) = parser_error::<T>(json, value)
        && errors.len() < MOST_ERRORS
        && !errors
            .iter()
            .any(|other| is_within(&other.pointer, &error.pointer))
    {
        errors.push(error);
    }
    errors
}

/// The texts with U+0000 in a body that is otherwise as it should be: PostgreSQL cannot store that
/// character. Refused on every database, so that data can move between them.
pub fn nul_errors(json: &[u8]) -> Vec<FieldError> {
    // How the character stands in JSON; the bare byte is no JSON anyway.
    let escaped = br"\u0000";
    let may_be_there = json.windows(escaped.len()).any(|part| part == escaped);
    if !may_be_there {
        return Vec::new();
    }
    let value = serde_json::from_slice(json).unwrap_or_default();
    schema::errors_of(&value, schema::ANY, schema::ANY)
}

/// The first error of the parser.
fn parser_error<T: DeserializeOwned>(json: &[u8], value: &Value) -> Option<FieldError> {
    if let Err(error) = serde_path_to_error::deserialize::<_, T>(Strict(value)) {
        return Some(to_field_error(FieldErrorCode::Invalid, &error));
    }
    // Of two fields with one name the value holds the last; only the text has both.
    let mut text = serde_json::Deserializer::from_slice(json);
    let error = serde_path_to_error::deserialize::<_, T>(Strict(&mut text)).err()?;
    Some(to_field_error(FieldErrorCode::Duplicate, &error))
}

fn to_field_error(
    code: FieldErrorCode,
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> FieldError {
    let segments = error.path().iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(format!("/{index}")),
        Segment::Map { key } => Some(format!("/{}", schema::pointer_token(key))),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    let message = without_place(&error.inner().to_string());
    // A text in the wrong place may be a password.
    let message = message.split(": string \"").next().unwrap_or_default();
    FieldError::new(
        segments.collect::<String>(),
        code,
        schema::sentence(message),
    )
}

fn is_within(pointer: &str, outer: &str) -> bool {
    pointer
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A parser's message without " at line 1 column 2".
pub fn without_place(message: &str) -> String {
    message
        .rsplit_once(" at line ")
        .map_or(message, |(text, _)| text)
        .to_owned()
}
