//! Places in an imported file, for people: lines of a text, or template, item and field of a bundle.

use serde_json::Value;

use crate::api::FieldError;
use crate::kit::*;

/// Where in the file an error is. What the server says of a text points at its lines: `/12/Due`.
#[must_use]
pub fn place(app: App, templates: &[Value], error: &FieldError) -> String {
    let parts: Vec<&str> = error.pointer.split('/').skip(1).collect();
    let index = |at: usize| parts.get(at).and_then(|part| part.parse::<usize>().ok());
    if let Some(line) = index(0) {
        let mut place = spans(app, &[u32::try_from(line).unwrap_or(u32::MAX)]);
        if let Some(column) = parts.get(1) {
            place.push_str(" › ");
            place.push_str(column_name(app, column));
        }
        return place;
    }
    let Some((at, template)) = index(1).and_then(|at| Some((at, templates.get(at)?))) else {
        return app.language.templates().file.to_owned();
    };
    let name = |value: &Value, at: usize| match value.as_str() {
        Some(name) => name.to_owned(),
        None => format!("#{}", at + 1),
    };
    let mut place = vec![name(&template["Id"], at)];
    let mut rest = 2;
    if let (Some(&"Items"), Some(at)) = (parts.get(2), index(3)) {
        place.push(name(&template["Items"][at]["Key"], at));
        rest = 4;
    }
    place.extend(parts.iter().skip(rest).map(|part| (*part).to_owned()));
    place.join(" › ")
}

/// The name of a column in the reader's language, as tables may name it, too.
fn column_name(app: App, column: &str) -> &str {
    let words = app.language.templates();
    match column {
        "Text" => words.text,
        "Help" => words.column_help,
        "Required" => words.required,
        "Assignee" => words.column_assignee,
        "Due" => words.column_due,
        "Name" => words.name,
        "Description" => words.description,
        _ => column,
    }
}

/// Lines in ascending order: `Lines 3–5, 9`.
#[must_use]
pub fn spans(app: App, lines: &[u32]) -> String {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for line in lines {
        match spans.last_mut() {
            Some((_, last)) if *line <= last.saturating_add(1) => *last = *line,
            _ => spans.push((*line, *line)),
        }
    }
    let words = app.language.templates();
    let form = match spans.as_slice() {
        [(first, last)] if first == last => words.line,
        _ => words.lines_of_file,
    };
    let spans = spans.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    });
    fill(form, &[("n", &spans.collect::<Vec<_>>().join(", "))])
}
