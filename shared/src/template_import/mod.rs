//! Templates that were written elsewhere, read into ours: Markdown task lists, the text of
//! HeroCoders' checklists, and tables.
//!
//! Nothing is dropped in silence: what cannot be taken over is an error or a note, each with its
//! line. A template that comes out passes `Template::validate` with the same limits.

mod emphasis;
mod lines;
mod table;
mod text;

use std::collections::HashSet;

use crate::definition::DefinitionFields;
use crate::item::Kind;
use crate::limits::Limits;
use crate::phrase::{Phrase, PhraseCode};
use crate::problem::{FieldError, FieldErrorCode};
use crate::template::{
    CompletionRule, CountedIn, OnTextChange, RefreshPolicy, Template, TemplateItem, TemplateStatus,
};
use crate::text::{LanguageMap, is_blank};
use crate::time::Timestamp;
use crate::wire::admin::ImportNote;

/// The most errors that are named.
const MOST_ERRORS: usize = 100;
/// The longest key or id that is made of a text, in characters.
const LONGEST_KEY: usize = 60;

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// List entries are items, headings and entries with entries below them are sections.
    Markdown,
    /// Each line is an item, as in the editor of HeroCoders' checklists.
    Lines,
    /// A table, the first row of which names the columns.
    Table,
}

/// Templates, and what of the text is not in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    /// In the order of the text, each with an id of its own.
    pub templates: Vec<Template>,
    /// In the order of the lines.
    pub notes: Vec<ImportNote>,
}

/// Reads a text. Its templates are in one `language`; one that has no name of its own is called
/// `name`.
///
/// # Errors
/// Every line that cannot be taken over; a pointer is the line and the column of the table or the
/// field of an item: `/12/Text`.
pub fn read(
    format: Format,
    bytes: &[u8],
    name: &str,
    language: &str,
    limits: &Limits,
) -> Result<Import, Vec<FieldError>> {
    let (text, is_utf) = text::decode(bytes);
    let mut draft = Draft::default();
    if !is_utf {
        draft.note(1, Phrase::of(PhraseCode::ImportNotUtf8));
    }
    match format {
        Format::Markdown => lines::read(&text, true, &mut draft),
        Format::Lines => lines::read(&text, false, &mut draft),
        Format::Table => table::read(&text, &mut draft),
    }
    draft.finish(name, language, limits)
}

/// What a format has read.
#[derive(Debug, Default)]
struct Draft {
    lists: Vec<List>,
    errors: Vec<FieldError>,
    notes: Vec<ImportNote>,
}

/// One list of a text.
#[derive(Debug, Default)]
struct List {
    /// The line that it begins in.
    line: u32,
    name: Option<String>,
    description: String,
    rows: Vec<Row>,
}

/// A section or an item.
#[derive(Debug, Default)]
struct Row {
    line: u32,
    text: String,
    help: String,
    is_section: bool,
    /// Whether it stands below the section before it.
    in_section: bool,
    /// Nothing where the text does not say.
    required: Option<bool>,
    assignee: Option<String>,
    due: Option<String>,
}

impl Draft {
    fn note(&mut self, line: u32, phrase: Phrase) {
        let detail = phrase.sentence();
        self.notes.push(ImportNote {
            line,
            detail,
            phrase,
        });
    }

    fn error(&mut self, line: u32, field: &str, code: FieldErrorCode, phrase: Phrase) {
        if self.errors.len() < MOST_ERRORS {
            let separator = if field.is_empty() { "" } else { "/" };
            let pointer = format!("/{line}{separator}{field}");
            self.errors.push(FieldError::said(pointer, code, phrase));
        }
    }

    fn finish(
        mut self,
        name: &str,
        language: &str,
        limits: &Limits,
    ) -> Result<Import, Vec<FieldError>> {
        let mut lists = std::mem::take(&mut self.lists);
        lists.retain(|list| {
            let has_rows = !list.rows.is_empty();
            if !has_rows {
                self.note(list.line, Phrase::of(PhraseCode::ImportEmptyList));
            }
            has_rows
        });
        if lists.is_empty() && self.errors.is_empty() {
            let phrase = Phrase::of(PhraseCode::ImportNoItems);
            self.error(1, "", FieldErrorCode::Required, phrase);
        }
        for list in &lists {
            self.check(list, limits);
        }
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let mut ids = HashSet::new();
        let templates = lists.into_iter();
        let templates = templates.map(|list| template(list, name, language, &mut ids));
        self.notes.sort_by_key(|note| note.line);
        Ok(Import {
            templates: templates.collect(),
            notes: self.notes,
        })
    }

    /// Names the lines that are beyond a limit.
    fn check(&mut self, list: &List, limits: &Limits) {
        let name = list.name.as_deref().unwrap_or_default();
        let identifier = Limits::IDENTIFIER;
        self.check_length(list.line, "Name", name, limits.text);
        self.check_length(list.line, "Description", &list.description, limits.help);
        if let Some(row) = list.rows.get(limits.items) {
            let phrase = Phrase::of(PhraseCode::ImportTooManyItems).with("most", limits.items);
            self.error(row.line, "", FieldErrorCode::LimitExceeded, phrase);
        }
        for row in &list.rows {
            self.check_length(row.line, "Text", &row.text, limits.text);
            self.check_length(row.line, "Help", &row.help, limits.help);
            let assignee = row.assignee.as_deref().unwrap_or_default();
            self.check_length(row.line, "Assignee", assignee, identifier);
            if let Some(due) = &row.due
                && Timestamp::from_millis(0).plus_iso(due).is_err()
            {
                let phrase = Phrase::of(PhraseCode::ImportNotDuration);
                let phrase = phrase.with("value", shorten(due));
                self.error(row.line, "Due", FieldErrorCode::Invalid, phrase);
            }
        }
    }

    fn check_length(&mut self, line: u32, field: &str, text: &str, most: usize) {
        if text.chars().count() > most {
            let phrase = Phrase::of(PhraseCode::ImportTooLong).with("most", most);
            self.error(line, field, FieldErrorCode::LimitExceeded, phrase);
        }
    }
}

fn template(list: List, name: &str, language: &str, ids: &mut HashSet<String>) -> Template {
    let map = |text: &str| LanguageMap::new([(language.to_owned(), text.to_owned())]);
    let name = list.name.as_deref().unwrap_or(name).to_owned();
    let id = unique(&name, "template", ids);
    // Where some are optional the others are required; a text that says nothing wants everything.
    let rule = match list.rows.iter().any(|row| row.required == Some(false)) {
        true => CompletionRule::Required,
        false => CompletionRule::All,
    };
    let mut keys = HashSet::new();
    let mut section = None;
    let items = list.rows.into_iter().map(|row| {
        let key = unique(&row.text, "item", &mut keys);
        let parent_key = section.clone().filter(|_| row.in_section);
        if row.is_section {
            section = Some(key.clone());
        }
        TemplateItem {
            key,
            kind: match row.is_section {
                true => Kind::Section,
                false => Kind::Item,
            },
            parent_key,
            text: map(&row.text),
            help: optional(&row.help).map(map),
            required: !row.is_section && row.required.unwrap_or(rule == CompletionRule::Required),
            allow_not_applicable: false,
            not_applicable_needs_reason: false,
            needs_person: false,
            second_person: false,
            requires_evidence: false,
            answer_format: None,
            signal: None,
            when: None,
            on_text_change: OnTextChange::default(),
            assignee_role: row.assignee,
            due_offset: row.due,
            due_counted_in: CountedIn::default(),
        }
    });
    let items = items.collect();
    Template {
        key: id.clone(),
        id,
        name: map(&name),
        description: optional(&list.description).map(map),
        status: TemplateStatus::Draft,
        version: 0,
        completion_rule: rule,
        changeable: DefinitionFields::default(),
        refresh_policy: RefreshPolicy::default(),
        due_notice: None,
        calendar: None,
        due_from: None,
        items,
    }
}

fn optional(text: &str) -> Option<&str> {
    Some(text.trim()).filter(|text| !is_blank(text))
}

/// A key or an id: letters, digits and hyphens, and no other one's.
fn unique(text: &str, otherwise: &str, taken: &mut HashSet<String>) -> String {
    let mut name = String::new();
    for letter in text.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            name.push(letter);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let mut base: String = name.chars().take(LONGEST_KEY).collect();
    base.truncate(base.trim_end_matches('-').len());
    if base.is_empty() {
        otherwise.clone_into(&mut base);
    }
    let mut name = base.clone();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{base}-{number}");
        number += 1;
    }
    name
}

/// A value as an error message cites it.
fn shorten(text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    if start.len() < text.len() {
        format!("{start}…")
    } else {
        start
    }
}
