//! What is wrong with a draft, at the place where it can be mended.
//!
//! The rules and the server name places by JSON pointers into the template; rows have numbers.

use std::collections::BTreeMap;

use checklist_shared::problem::FieldError;
use serde_json::Value;

use crate::api::{self, ApiError};
use crate::app::App;
use crate::draft::Draft;
use crate::phrase;
use crate::wording::Wording;

/// Where something is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A field of the template: `Id`, `Name`, `Items`.
    Template(String),
    /// A field of the row with that number.
    Row(u32, String),
}

impl Place {
    /// A field of a row.
    #[must_use]
    pub fn row(number: u32, field: &str) -> Self {
        Self::Row(number, field.to_owned())
    }

    /// A field of the template.
    #[must_use]
    pub fn template(field: &str) -> Self {
        Self::Template(field.to_owned())
    }
}

/// What the rules have found.
#[must_use]
pub fn of_rules(app: App, draft: &Draft, errors: Vec<FieldError>) -> BTreeMap<Place, String> {
    let code = |error: &FieldError| match serde_json::to_value(error.code) {
        Ok(Value::String(code)) => code,
        _ => String::new(),
    };
    let faults = errors.into_iter().map(|error| api::FieldError {
        code: code(&error),
        pointer: error.pointer,
        detail: error.detail,
        phrase: error.phrase.map(|phrase| *phrase),
    });
    placed(app, draft, faults)
}

/// What the server has found.
#[must_use]
pub fn of_failure(app: App, draft: &Draft, failure: &ApiError) -> BTreeMap<Place, String> {
    placed(app, draft, failure.errors.iter().cloned())
}

fn placed(
    app: App,
    draft: &Draft,
    faults: impl Iterator<Item = api::FieldError>,
) -> BTreeMap<Place, String> {
    faults
        .map(|fault| {
            let mut parts = fault.pointer.split('/').skip(1);
            let first = parts.next().unwrap_or("");
            let row = parts
                .next()
                .and_then(|index| index.parse::<usize>().ok())
                .and_then(|index| draft.rows.get(index));
            let place = match row {
                Some(row) if first == "Items" => {
                    Place::row(row.number, parts.next().unwrap_or("Key"))
                }
                _ => Place::template(first),
            };
            (place, said(app, &fault))
        })
        .collect()
}

/// What is wrong, in the reader's language where it is one of the usual faults.
#[must_use]
pub fn said(app: App, fault: &api::FieldError) -> String {
    if let Some(phrase) = &fault.phrase {
        return phrase::said(app, phrase);
    }
    let words = app.language.frame();
    let field = fault.pointer.rsplit('/').next().unwrap_or("");
    match (fault.code.as_str(), field) {
        (_, "DueOffset") => app.language.templates().due_wrong.to_owned(),
        ("Required", _) => words.fault_required.to_owned(),
        ("Duplicate", _) => words.fault_duplicate.to_owned(),
        ("LimitExceeded", _) => words.fault_limit.to_owned(),
        _ => fault.detail.clone(),
    }
}
