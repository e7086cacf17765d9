//! What is wrong with a draft, at the field where it can be corrected.
//!
//! Validation and the server name fields by JSON pointers into the template; rows have numbers.

use std::collections::BTreeMap;

use checklist_shared::problem::FieldError;
use serde_json::Value;

use crate::draft::Draft;
use crate::kit::*;

/// A field of a template that is being edited.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A field of the template: `Id`, `Name`, `Items`.
    Template(&'static str),
    /// A field of the row with that number.
    Row(u32, &'static str),
    /// A field that the page does not have.
    Other(String),
}

/// Sentences by place.
pub type Errors = BTreeMap<Place, String>;

/// The fields of rows that the editor has.
const ROW_FIELDS: [&str; 10] = [
    "Text",
    "Help",
    "Key",
    "ParentKey",
    "Required",
    "AllowNotApplicable",
    "NotApplicableNeedsReason",
    "OnTextChange",
    "AssigneeRole",
    "DueOffset",
];
/// The fields of templates that the editor has.
const TEMPLATE_FIELDS: [&str; 6] = [
    "Id",
    "Name",
    "Description",
    "CompletionRule",
    "RefreshPolicy",
    "Items",
];

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
    errors
        .map(|error| {
            let place = place(draft, &error.pointer);
            let sentence = if matches!(place, Place::Row(_, "DueOffset")) {
                app.language.templates().due_wrong.to_owned()
            } else {
                field_sentence(app, &error)
            };
            (place, sentence)
        })
        .collect()
}

fn place(draft: &Draft, pointer: &str) -> Place {
    let mut parts = pointer.split('/').skip(1);
    let field = parts.next().unwrap_or_default();
    let row = parts
        .next()
        .and_then(|index| draft.rows.get(index.parse::<usize>().ok()?));
    let known =
        |fields: &[&'static str], name: &str| fields.iter().copied().find(|field| *field == name);
    match (field, row) {
        ("Items", Some(row)) => {
            let field = known(&ROW_FIELDS, parts.next().unwrap_or("Key"));
            Place::Row(row.number, field.unwrap_or("Key"))
        }
        _ => match known(&TEMPLATE_FIELDS, field) {
            Some(field) => Place::Template(field),
            None => Place::Other(pointer.to_owned()),
        },
    }
}
