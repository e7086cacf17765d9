//! What is wrong with a draft, at the field where it can be corrected.
//!
//! A place is the JSON pointer into the template, with the number of a row instead of its index:
//! `/Name`, `/Items/7/Text`. Rows move, numbers stay.

use std::collections::BTreeMap;

use checklist_shared::problem::FieldError;
use serde_json::Value;

use crate::draft::Draft;
use crate::kit::*;

/// Sentences by place.
pub type Errors = BTreeMap<String, String>;

/// The place of a field of a row.
#[must_use]
pub fn row_place(number: u32, field: &str) -> String {
    format!("/Items/{number}/{field}")
}

/// The row that a place is in.
#[must_use]
pub fn row_of(place: &str) -> Option<u32> {
    let (number, _) = place.strip_prefix("/Items/")?.split_once('/')?;
    number.parse().ok()
}

/// What validation has found.
#[must_use]
pub fn validation_errors(app: App, draft: &Draft, errors: Vec<FieldError>) -> Errors {
    let errors = errors.into_iter().map(|error| api::FieldError {
        code: match serde_json::to_value(error.code) {
            Ok(Value::String(code)) => code,
            _ => String::new(),
        },
        pointer: error.pointer,
        detail: error.detail,
        phrase: error.phrase.map(|phrase| *phrase),
    });
    by_place(app, draft, errors)
}

/// What the server has found.
#[must_use]
pub fn server_errors(app: App, draft: &Draft, error: &ApiError) -> Errors {
    by_place(app, draft, error.errors.iter().cloned())
}

fn by_place(app: App, draft: &Draft, errors: impl Iterator<Item = api::FieldError>) -> Errors {
    let words = app.language.templates();
    let entry = |error: api::FieldError| {
        let place = place(draft, &error.pointer);
        let sentence = match place.rsplit('/').next() {
            Some("DueOffset") => words.due_wrong.to_owned(),
            Some("StaleAfter" | "DueNotice") => words.notice_wrong.to_owned(),
            _ if place.ends_with("/Signal/Source") || place.ends_with("/Signal/Key") => {
                words.signal_name_wrong.to_owned()
            }
            _ => field_sentence(app, &error),
        };
        (place, sentence)
    };
    errors.map(entry).collect()
}

fn place(draft: &Draft, pointer: &str) -> String {
    let mut parts = pointer.split('/').skip(1);
    let field = parts.next().unwrap_or_default();
    let row = parts
        .next()
        .and_then(|index| draft.rows.get(index.parse::<usize>().ok()?));
    match row.filter(|_| field == "Items") {
        // Of a text the language is chosen elsewhere; a signal and an answer have fields of their own.
        Some(row) => match (parts.next().unwrap_or("Key"), parts.next()) {
            (field @ ("Signal" | "AnswerFormat"), Some(part)) => {
                row_place(row.number, &[field, "/", part].concat())
            }
            (field, _) => row_place(row.number, field),
        },
        None => format!("/{field}"),
    }
}
