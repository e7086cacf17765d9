//! What is wrong with a draft, at the field where it can be corrected.
//!
//! A place is the JSON pointer into the template, with the number of a row instead of its index:
//! `/Name`, `/Items/7/Text`. Rows move, numbers stay.

use std::collections::BTreeMap;

use checklist_shared::problem::FieldError;
use checklist_shared::template::CountedIn;
use serde_json::Value;

use crate::draft::{ComparisonFault, Draft};
use crate::kit::*;

/// Sentences by place.
pub type Errors = BTreeMap<String, String>;

/// The place of a field of a row.
#[must_use]
pub fn row_place(number: u32, field: &str) -> String {
    format!("/Items/{number}/{field}")
}

/// The place of a part of a comparison: `Fact` or `Value`.
#[must_use]
pub fn comparison_place(number: u32, comparison: u32, part: &str) -> String {
    row_place(number, &format!("When/{comparison}/{part}"))
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
    let mut all = by_place(app, draft, errors);
    all.extend(unfinished(app, draft));
    all
}

/// What would be missing in the template: comparisons that make no condition, bounds of answers that
/// are no numbers, hours and holidays that cannot be read.
#[must_use]
pub fn unfinished(app: App, draft: &Draft) -> Errors {
    let words = app.language.templates();
    let mut errors = Errors::new();
    for field in draft.calendar.wrong_fields() {
        let sentence = if field == "Holidays" {
            words.holidays_wrong
        } else {
            words.work_wrong
        };
        errors.insert(["/Calendar/", field].concat(), sentence.to_owned());
    }
    for row in &draft.rows {
        for (comparison, fault) in row.when.faults() {
            let (part, sentence) = match fault {
                ComparisonFault::NoFact => ("Fact", words.fact_wrong),
                ComparisonFault::NoValue => ("Value", words.value_missing),
                ComparisonFault::NoNumber => ("Value", words.number_wrong),
            };
            let place = comparison_place(row.number, comparison, part);
            errors.insert(place, sentence.to_owned());
        }
        if row.has_signal {
            continue;
        }
        for bound in row.answer.wrong_bounds() {
            let place = row_place(row.number, &["AnswerFormat/", bound].concat());
            errors.insert(place, words.number_wrong.to_owned());
        }
    }
    errors
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
            Some("DueOffset") => due_sentence(app, draft, &place).to_owned(),
            Some("DueCountedIn") => words.counted_in_wrong.to_owned(),
            Some("TimeZone") => words.time_zone_wrong.to_owned(),
            Some("WorkingDays") => words.working_days_wrong.to_owned(),
            Some("WorkingHours") => words.work_wrong.to_owned(),
            Some("Holidays") => words.holidays_wrong.to_owned(),
            Some("StaleAfter" | "DueNotice") => words.notice_wrong.to_owned(),
            _ if place.ends_with("/Signal/Source") || place.ends_with("/Signal/Key") => {
                words.signal_name_wrong.to_owned()
            }
            Some("AssigneeRole") => words.role_wrong.to_owned(),
            Some("Fact" | "DueFrom") => words.fact_wrong.to_owned(),
            _ => field_sentence(app, &error),
        };
        (place, sentence)
    };
    errors.map(entry).collect()
}

/// What a due date has to be, by what it is counted in.
#[must_use]
pub fn due_sentence(app: App, draft: &Draft, place: &str) -> &'static str {
    let words = app.language.templates();
    let row = row_of(place).and_then(|number| draft.row(number));
    match row.map_or_else(CountedIn::default, |row| row.due_counted_in) {
        CountedIn::Time => words.due_wrong,
        CountedIn::Days => words.due_days_wrong,
        CountedIn::WorkingDays => words.due_working_days_wrong,
        CountedIn::WorkingTime => words.due_work_wrong,
    }
}

/// The field of a calendar that a pointer is about; one holiday has none of its own.
fn calendar_place(pointer: &str) -> Option<String> {
    let field = pointer.strip_prefix("/Calendar/")?.split('/').next()?;
    Some(["/Calendar/", field].concat())
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
            ("When", Some(first)) => {
                let tokens: Vec<&str> = std::iter::once(first).chain(parts).collect();
                let is_fact = tokens.last() == Some(&"Fact");
                let part = if is_fact { "Fact" } else { "Value" };
                match row.when.comparison_at(tokens.into_iter()) {
                    Some(comparison) => comparison_place(row.number, comparison, part),
                    None => row_place(row.number, "When"),
                }
            }
            (field, _) => row_place(row.number, field),
        },
        None => calendar_place(pointer).unwrap_or_else(|| format!("/{field}")),
    }
}
