//! Reads a table: a first row that names its columns, then a row for each item.
//!
//! Columns are found by name, in English or German, in any order: `Text`, and if wanted `Template`,
//! `Section`, `Help`, `Required`, `Assignee`, `Due`.

use csv::StringRecord;

use super::{Draft, List, Row, shorten};
use crate::phrase::{Phrase, PhraseCode};
use crate::problem::FieldErrorCode;
use crate::table::{OpenQuote, rows};
use crate::text::is_blank;

#[derive(Clone, Copy, PartialEq)]
enum Column {
    Template,
    Section,
    Text,
    Help,
    Required,
    Assignee,
    Due,
}

impl Column {
    fn named(name: &str) -> Option<Self> {
        Some(match name.trim().to_lowercase().as_str() {
            "template" | "checklist" | "vorlage" | "checkliste" => Self::Template,
            "section" | "heading" | "abschnitt" => Self::Section,
            "text" | "item" | "title" | "task" | "aufgabe" | "eintrag" | "titel" => Self::Text,
            "help" | "description" | "hilfe" | "beschreibung" => Self::Help,
            "required" | "mandatory" | "pflicht" => Self::Required,
            "assignee" | "role" | "zuständig" | "rolle" => Self::Assignee,
            "due" | "fällig" => Self::Due,
            _ => return None,
        })
    }
}

/// Reads the table.
pub(super) fn read(text: &str, draft: &mut Draft) {
    let rows = match rows(text) {
        Ok(rows) => rows,
        Err(OpenQuote { line }) => {
            let phrase = Phrase::of(PhraseCode::ImportOpenQuote);
            return draft.error(line, "", FieldErrorCode::Invalid, phrase);
        }
    };
    let mut rows = rows.into_iter();
    let Some((line, head)) = rows.next() else {
        return;
    };
    let columns = columns(line, &head, draft);
    if !draft.errors.is_empty() {
        return;
    }
    let mut reader = Reader {
        draft,
        columns,
        section: String::new(),
    };
    for (line, cells) in rows {
        reader.row(line, &cells);
    }
}

/// The column of each heading; none for one that is not known.
fn columns(line: u32, head: &StringRecord, draft: &mut Draft) -> Vec<Option<Column>> {
    let mut columns = Vec::with_capacity(head.len());
    for name in head {
        let column = Column::named(name);
        let about = |code| Phrase::of(code).with("name", shorten(name.trim()));
        if column.is_some() && columns.contains(&column) {
            let phrase = about(PhraseCode::ImportColumnTwice);
            draft.error(line, "", FieldErrorCode::Duplicate, phrase);
        } else if column.is_none() && !name.trim().is_empty() {
            draft.note(line, about(PhraseCode::ImportUnknownColumn));
        }
        columns.push(column);
    }
    if !columns.contains(&Some(Column::Text)) {
        let phrase = Phrase::of(PhraseCode::ImportNoTextColumn);
        draft.error(line, "Text", FieldErrorCode::Required, phrase);
    }
    columns
}

struct Reader<'a> {
    draft: &'a mut Draft,
    columns: Vec<Option<Column>>,
    /// The section of the row before.
    section: String,
}

impl Reader<'_> {
    fn row(&mut self, line: u32, cells: &StringRecord) {
        let columns = &self.columns;
        let value = |column: Column| {
            let at = columns.iter().position(|one| *one == Some(column));
            let cell = at.and_then(|at| cells.get(at));
            cell.map(str::trim).unwrap_or_default()
        };
        let optional = |column| Some(value(column).to_owned()).filter(|text| !is_blank(text));
        let mut beyond = cells.iter().skip(columns.len());
        if beyond.any(|cell| !cell.trim().is_empty()) {
            let phrase = Phrase::of(PhraseCode::ImportTooManyCells)
                .with("cells", cells.len())
                .with("columns", columns.len());
            return self.draft.error(line, "", FieldErrorCode::Invalid, phrase);
        }
        let Some(text) = optional(Column::Text) else {
            let phrase = Phrase::of(PhraseCode::ImportNoText);
            return self
                .draft
                .error(line, "Text", FieldErrorCode::Required, phrase);
        };
        let Ok(required) = yes_or_no(value(Column::Required)) else {
            let cited = shorten(value(Column::Required));
            let phrase = Phrase::of(PhraseCode::ImportNotYesOrNo).with("value", cited);
            return self
                .draft
                .error(line, "Required", FieldErrorCode::Invalid, phrase);
        };
        let section = optional(Column::Section).unwrap_or_default();
        let item = Row {
            line,
            text,
            help: value(Column::Help).to_owned(),
            in_section: !section.is_empty(),
            required,
            assignee: optional(Column::Assignee),
            due: optional(Column::Due),
            ..Row::default()
        };
        let lists = &mut self.draft.lists;
        let name = optional(Column::Template);
        // Rows of a template need not stand together, and a row without a name belongs to the one before.
        let at = match &name {
            None => lists.len().checked_sub(1),
            Some(_) => lists.iter().position(|list| list.name == name),
        };
        if at.is_none() || at.is_some_and(|at| at + 1 < lists.len()) {
            self.section.clear();
        }
        let at = at.unwrap_or_else(|| {
            lists.push(List {
                line,
                name,
                ..List::default()
            });
            lists.len() - 1
        });
        let rows = &mut lists[at].rows;
        if !section.is_empty() && section != self.section {
            rows.push(Row {
                line,
                text: section.clone(),
                is_section: true,
                ..Row::default()
            });
        }
        self.section = section;
        rows.push(item);
    }
}

fn yes_or_no(text: &str) -> Result<Option<bool>, ()> {
    match text.to_lowercase().as_str() {
        "" => Ok(None),
        "yes" | "y" | "true" | "wahr" | "1" | "x" | "ja" => Ok(Some(true)),
        "no" | "n" | "false" | "falsch" | "0" | "nein" => Ok(Some(false)),
        _ => Err(()),
    }
}
