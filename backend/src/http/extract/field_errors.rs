//! Every wrong field of a JSON body, not only the first one that a parser stumbles over.
//!
//! It reads the value again and again: each round notes the first complaint and mends that place
//! (takes the field away, or puts in something that fits), until nothing is left to complain about
//! or the rounds are used up.

use checklist_shared::problem::{FieldError, FieldErrorCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serde_path_to_error::{Path, Segment};

use super::strict::Strict;

/// How many errors an answer lists at most.
const MOST_ERRORS: usize = 20;
/// What the search may cost: bytes read again, over all rounds.
const MOST_BYTES_READ: usize = 4 * 1024 * 1024;
/// Rounds for a small body.
const MOST_ROUNDS: usize = 200;
/// Longer explanations are cut, because they quote what was sent.
const LONGEST_DETAIL: usize = 200;

/// The errors of `value` read as `T`, which has `bytes` bytes as text. `first` is what the
/// parser said; it is all that is told when the value alone gives no error (a field twice).
pub fn of<T: DeserializeOwned>(
    mut value: Value,
    bytes: usize,
    first: &serde_json::Error,
) -> Vec<FieldError> {
    let rounds = (MOST_BYTES_READ / bytes.max(1)).clamp(2, MOST_ROUNDS);
    let mut errors: Vec<FieldError> = Vec::new();
    let mut filled: Vec<(String, usize)> = Vec::new();
    for _ in 0..rounds {
        let Err(error) = serde_path_to_error::deserialize::<_, T>(Strict(&value)) else {
            break;
        };
        let complaint = Complaint::of(error.path(), &error.inner().to_string());
        // A place that this search filled itself did not fit: the next filling, no new error.
        if let Some(at) = filled
            .iter()
            .rposition(|(pointer, _)| is_within(&complaint.pointer, pointer))
        {
            let goes_on = (complaint.pointer != filled[at].0
                && fill_missing(&mut value, &complaint, &mut filled))
                || try_next(&mut value, &mut filled, at);
            if !goes_on {
                break;
            }
            continue;
        }
        errors.push(FieldError::new(
            complaint.pointer.clone(),
            complaint.code,
            complaint.detail.clone(),
        ));
        if errors.len() == MOST_ERRORS || !mend(&mut value, &complaint, &mut filled) {
            break;
        }
    }
    if errors.is_empty() {
        let text = first.to_string();
        let code = if text.starts_with("duplicate field") {
            FieldErrorCode::Duplicate
        } else {
            FieldErrorCode::Invalid
        };
        errors.push(FieldError::new("", code, sentence(&text)));
    }
    errors
}

/// One thing that is wrong.
struct Complaint {
    pointer: String,
    code: FieldErrorCode,
    detail: String,
}

impl Complaint {
    fn of(path: &Path, message: &str) -> Self {
        let mut pointer = pointer_of(path);
        let quoted = message.split('`').nth(1).unwrap_or("");
        let (code, detail) = if message.starts_with("missing field") {
            (
                FieldErrorCode::Required,
                "This field has to be there.".to_owned(),
            )
        } else if message.starts_with("unknown field") {
            (FieldErrorCode::UnknownField, sentence(message))
        } else {
            (FieldErrorCode::Invalid, sentence(message))
        };
        let last = format!("/{}", escape(quoted));
        let names_a_field = matches!(
            code,
            FieldErrorCode::Required | FieldErrorCode::UnknownField
        );
        if names_a_field && (code == FieldErrorCode::Required || !pointer.ends_with(&last)) {
            pointer.push_str(&last);
        }
        Self {
            pointer,
            code,
            detail,
        }
    }
}

/// Makes the complaint go away, so that the next one can be heard.
fn mend(value: &mut Value, complaint: &Complaint, filled: &mut Vec<(String, usize)>) -> bool {
    if complaint.code == FieldErrorCode::Required {
        return fill_missing(value, complaint, filled);
    }
    if complaint.code == FieldErrorCode::UnknownField {
        let Some((parent, name)) = split(&complaint.pointer) else {
            return false;
        };
        let parent = value.pointer_mut(parent).and_then(Value::as_object_mut);
        return parent.and_then(|object| object.remove(&name)).is_some();
    }
    // A wrong value: something else stands there from now on, and may be wrong without a word.
    filled.push((complaint.pointer.clone(), 0));
    put(value, &complaint.pointer, candidate(0))
}

fn fill_missing(
    value: &mut Value,
    complaint: &Complaint,
    filled: &mut Vec<(String, usize)>,
) -> bool {
    if complaint.code != FieldErrorCode::Required
        || filled
            .iter()
            .any(|(pointer, _)| *pointer == complaint.pointer)
    {
        return false;
    }
    filled.push((complaint.pointer.clone(), 0));
    put(value, &complaint.pointer, candidate(0))
}

fn try_next(value: &mut Value, filled: &mut Vec<(String, usize)>, at: usize) -> bool {
    let (pointer, tried) = &mut filled[at];
    *tried += 1;
    let pointer = pointer.clone();
    let next = candidate(*tried);
    filled.truncate(at + 1);
    next.is_some() && put(value, &pointer, next)
}

/// Values of each kind, in the order in which they are tried.
fn candidate(number: usize) -> Option<Value> {
    let uuid = "00000000-0000-7000-8000-000000000000";
    [
        json!("x"),
        json!({}),
        json!([]),
        json!(false),
        json!(0),
        json!(uuid),
        json!("2000-01-01T00:00:00Z"),
        json!("Open"),
    ]
    .into_iter()
    .chain(["Item", "Published", "Full", "UnitOfWork", "Read", "reader"].map(Value::from))
    .nth(number)
}

fn put(value: &mut Value, pointer: &str, new: Option<Value>) -> bool {
    let Some(new) = new else { return false };
    let Some((parent, name)) = split(pointer) else {
        *value = new;
        return true;
    };
    match value.pointer_mut(parent) {
        Some(Value::Object(object)) => {
            object.insert(name, new);
            true
        }
        Some(Value::Array(list)) => match name
            .parse::<usize>()
            .ok()
            .and_then(|index| list.get_mut(index))
        {
            Some(place) => {
                *place = new;
                true
            }
            None => false,
        },
        _ => false,
    }
}

fn split(pointer: &str) -> Option<(&str, String)> {
    let (parent, name) = pointer.rsplit_once('/')?;
    Some((parent, name.replace("~1", "/").replace("~0", "~")))
}

fn is_within(pointer: &str, outer: &str) -> bool {
    pointer
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn pointer_of(path: &Path) -> String {
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(format!("/{index}")),
            Segment::Map { key } => Some(format!("/{}", escape(key))),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect()
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A parser's message without " at line 1 column 2".
pub fn without_place(message: &str) -> String {
    message
        .rsplit_once(" at line ")
        .map_or(message, |(text, _)| text)
        .to_owned()
}

fn sentence(message: &str) -> String {
    let text = in_words_of_json(&without_quote(&without_place(message)));
    let mut chars = text.chars();
    let first: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let cut: String = first.chars().chain(chars).take(LONGEST_DETAIL).collect();
    format!("{}.", cut.trim_end_matches('.'))
}

/// A text in the wrong place may be a password that slipped; that it is a text is enough.
fn without_quote(message: &str) -> String {
    let Some((before, quoted)) = message.split_once(": string \"") else {
        return message.to_owned();
    };
    let expected = quoted
        .rfind("\", expected")
        .map_or("", |at| &quoted[at + 1..]);
    format!("{before}: a text{expected}")
}

/// The parser speaks of Rust's shapes, the caller of JSON's.
fn in_words_of_json(message: &str) -> String {
    let message = message
        .replace("invalid type: sequence", "invalid type: array")
        .replace("a sequence", "an array");
    let message = message
        .replace("invalid type: map", "invalid type: object")
        .replace("a map", "an object");
    match message.split_once("expected struct ") {
        Some((before, after)) => {
            let rest =
                after.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_');
            format!("{before}expected an object{rest}")
        }
        None => message,
    }
}
