//! Texts without U+0000: PostgreSQL cannot keep that character, and no screen shows it.
//!
//! Refused on every database, so that data can move between them.

use checklist_shared::problem::{FieldError, FieldErrorCode};
use serde_json::Value;

/// How the character stands in JSON; the bare byte is no JSON anyway.
const ESCAPED: &[u8] = br"\u0000";

/// One error for each text with that character in it, keys included.
pub fn in_texts(json: &[u8]) -> Vec<FieldError> {
    let mut found = Vec::new();
    let may_be_there = json.windows(ESCAPED.len()).any(|part| part == ESCAPED);
    if may_be_there && let Ok(value) = serde_json::from_slice(json) {
        walk(&value, &mut String::new(), &mut found);
    }
    found
}

fn walk(value: &Value, pointer: &mut String, found: &mut Vec<FieldError>) {
    let mut step = |name: &str, inside: &Value, found: &mut Vec<FieldError>| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        walk(inside, pointer, found);
        pointer.truncate(length);
    };
    match value {
        Value::String(text) if text.contains('\0') => found.push(FieldError::new(
            pointer.as_str(),
            FieldErrorCode::Invalid,
            "The character U+0000 has no place in a text.",
        )),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                step(&index.to_string(), item, found);
            }
        }
        Value::Object(fields) => {
            for (name, inside) in fields {
                if name.contains('\0') {
                    let named = Value::String(name.clone());
                    step(&name.replace('\0', ""), &named, found);
                }
                step(name, inside, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(json: &str) -> Vec<String> {
        let found = in_texts(json.as_bytes());
        found.into_iter().map(|error| error.pointer).collect()
    }

    #[test]
    fn every_text_with_the_character_is_named() {
        let json = r#"{"Items":[{"Text":"a"},{"Text":"b\u0000","Note":"\u0000"}],"a/b":"\u0000"}"#;
        assert_eq!(pointers(json), ["/Items/1/Text", "/Items/1/Note", "/a~1b"]);
        assert_eq!(pointers(r#"{"de\u0000":"x"}"#), ["/de"]);
    }

    #[test]
    fn an_escaped_backslash_before_it_makes_it_plain_text() {
        assert!(pointers(r#"{"Text":"\\u0000 is a character"}"#).is_empty());
    }
}
