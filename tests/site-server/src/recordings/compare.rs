//! Two answers side by side: the same members, of the same types, all the way down.

use serde_json::Value;

/// The first difference; `None` when there is none. Of arrays the first members count; an empty
/// one is the same as any. A missing value (`null`) is told from a present one.
#[must_use]
pub fn difference(recorded: &Value, ours: &Value, path: &str) -> Option<String> {
    match (recorded, ours) {
        (Value::Object(recorded), Value::Object(ours)) => {
            for name in recorded.keys() {
                if !ours.contains_key(name) {
                    return Some(format!("{path}/{name} is missing"));
                }
            }
            for name in ours.keys() {
                if !recorded.contains_key(name) {
                    return Some(format!("{path}/{name} is too much"));
                }
            }
            let mut pairs = recorded.iter();
            pairs.find_map(|(name, value)| {
                difference(value, &ours[name.as_str()], &format!("{path}/{name}"))
            })
        }
        (Value::Array(recorded), Value::Array(ours)) => match (recorded.first(), ours.first()) {
            (Some(recorded), Some(ours)) => difference(recorded, ours, &format!("{path}/0")),
            _ => None,
        },
        (recorded, ours) if type_of(recorded) == type_of(ours) => None,
        (recorded, ours) => Some(format!(
            "{path} is {} there and {} here",
            type_of(recorded),
            type_of(ours)
        )),
    }
}

/// The name of a value's type.
#[must_use]
pub fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a flag",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_and_types_count_and_values_do_not() {
        let recorded = json!({"a": 1, "b": [{"c": "x"}], "d": null});
        let same = json!({"d": null, "a": 2.5, "b": [{"c": "y"}, {}]});
        assert_eq!(difference(&recorded, &same, ""), None);
        for (ours, told) in [
            (json!({"a": 1, "b": []}), "/d is missing"),
            (
                json!({"a": 1, "b": [], "d": null, "e": 1}),
                "/e is too much",
            ),
            (
                json!({"a": "1", "b": [], "d": null}),
                "/a is a number there and a text here",
            ),
            (
                json!({"a": 1, "b": [{"c": null}], "d": null}),
                "/b/0/c is a text there and null here",
            ),
        ] {
            assert_eq!(difference(&recorded, &ours, "").as_deref(), Some(told));
        }
    }
}
