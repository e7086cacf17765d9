//! The content of a preview: a template in one language, as plain data.
//!
//! Built from a template on the server and from the answer of the web service in the browser, so
//! that the views depend on neither.

#[cfg(feature = "languages")]
use std::borrow::Cow;

use checklist_shared::answer::AnswerFormat;
use checklist_shared::item::Kind;
use checklist_shared::signal::SignalBinding;
use checklist_shared::template::CompletionRule;
use checklist_shared::wire::template::{LocalTemplate, LocalTemplateItem};
#[cfg(feature = "languages")]
use checklist_shared::{Facts, Template};

#[cfg(feature = "languages")]
use super::condition::condition_line;
use super::wording::due_phrase;
use crate::i18n::{Words, fill};
use crate::model::answer::asked_text;

/// A template in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The language that the reader asked for.
    pub language: String,
    /// The words around the texts.
    pub words: Words,
    /// The template's name.
    pub title: String,
    /// The description; may be empty.
    pub description: String,
    /// The rows in display order.
    pub rows: Vec<Row>,
}

/// One row of a template.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Stable name inside the template.
    pub key: String,
    /// Item, section or info row.
    pub kind: Kind,
    /// The key of the section that holds it; empty outside of any.
    pub parent: String,
    /// The text of the item.
    pub text: String,
    /// Markdown source; may be empty.
    pub help: String,
    /// Whether it has to be resolved; `None` where all items have to be, and of what is none.
    pub required: Option<bool>,
    /// The role that should do it; may be empty.
    pub assignee: String,
    /// When it is due, in words; may be empty.
    pub due: String,
    /// What it takes beyond a tick, in words: evidence, a person, a second one.
    pub needs: Vec<&'static str>,
    /// The system that sets its status, in words; may be empty.
    pub signal: String,
    /// The answer that it asks for, in words; may be empty.
    pub answer: String,
    /// To which lists it applies, in words; empty where it applies to all, or to the one that is shown.
    pub when: String,
}

/// What a row depends on, besides its item.
#[derive(Clone, Copy)]
struct RowContext<'a> {
    words: Words,
    rule: CompletionRule,
    /// The fact that due dates count from.
    due_from: Option<&'a str>,
}

impl RowContext<'_> {
    /// The row of an item in one language; the condition in words is its own.
    fn row(self, item: LocalTemplateItem) -> Row {
        let words = self.words;
        let texts = words.texts;
        let is_shown = item.kind == Kind::Item && self.rule == CompletionRule::Required;
        let needs = [
            (item.requires_evidence, texts.evidence()),
            (item.needs_person, texts.needs_person()),
            (item.second_person, texts.needs_second_person()),
        ];
        let needs = needs.into_iter().filter(|(is_needed, _)| *is_needed);
        Row {
            due: due_phrase(
                words,
                item.due_offset.as_deref(),
                item.due_counted_in,
                self.due_from,
            ),
            answer: (item.answer_format.as_ref())
                .map_or_else(String::new, |format| answer_text(format, words)),
            signal: (item.signal.as_ref())
                .map_or_else(String::new, |signal| signal_text(signal, words)),
            needs: needs.map(|(_, text)| text).collect(),
            required: is_shown.then_some(item.required),
            key: item.key,
            kind: item.kind,
            parent: item.parent_key.unwrap_or_default(),
            text: item.text,
            help: item.help.unwrap_or_default(),
            assignee: item.assignee_role.unwrap_or_default(),
            when: item.when_text.unwrap_or_default(),
        }
    }
}

/// What is asked for: bounds or choices, else that there is an answer.
fn answer_text(format: &AnswerFormat, words: Words) -> String {
    asked_text(format, words).unwrap_or_else(|| words.texts.answer().to_owned())
}

/// As in a list for which nothing was reported yet.
fn signal_text(signal: &SignalBinding, words: Words) -> String {
    fill(words.texts.signal_waits(), &[("source", &signal.source)])
}

/// A section with its rows, or rows outside of any section.
#[derive(Debug, PartialEq, Eq)]
pub struct Group<'a> {
    /// The section; `None` for rows outside of any.
    pub section: Option<&'a Row>,
    /// Its rows in display order.
    pub rows: Vec<&'a Row>,
}

impl Preview {
    /// The template as a reader of `language` sees it: what applies to a list with these facts, or
    /// every item, with its condition in words.
    #[cfg(feature = "languages")]
    #[must_use]
    pub fn of(template: &Template, language: &str, facts: Option<&Facts>) -> Self {
        let words = Words::of(language);
        let template = facts.map_or(Cow::Borrowed(template), |facts| template.applying_to(facts));
        let mut local = LocalTemplate::of(&template, &[language]);
        if facts.is_none() {
            for (item, row) in template.items.iter().zip(&mut local.items) {
                let when = item.when.as_ref();
                row.when_text = when.map(|when| condition_line(words.language, when));
            }
        }
        Self::read(local, language, words)
    }

    /// The template that the web service has answered with.
    #[must_use]
    pub fn read(template: LocalTemplate, language: &str, words: Words) -> Self {
        let context = RowContext {
            words,
            rule: template.completion_rule,
            due_from: template.due_from.as_deref(),
        };
        let rows = template.items.into_iter().map(|item| context.row(item));
        Self {
            language: language.to_owned(),
            words,
            rows: rows.collect(),
            title: template.name,
            description: template.description.unwrap_or_default(),
        }
    }

    /// How many rows are items, that is: can be resolved.
    #[must_use]
    pub fn items(&self) -> u32 {
        self.rows
            .iter()
            .map(|row| u32::from(row.kind == Kind::Item))
            .sum()
    }

    /// The rows by section, in display order. A row whose section is missing is at the top level.
    #[must_use]
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for row in &self.rows {
            if row.kind == Kind::Section {
                groups.push(Group {
                    section: Some(row),
                    rows: Vec::new(),
                });
                continue;
            }
            let own = groups.iter_mut().find(|group| {
                group
                    .section
                    .is_some_and(|section| section.key == row.parent)
            });
            match own {
                Some(group) => group.rows.push(row),
                None => match groups.last_mut() {
                    Some(group) if group.section.is_none() => group.rows.push(row),
                    _ => groups.push(Group {
                        section: None,
                        rows: vec![row],
                    }),
                },
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: &str, kind: Kind, parent: &str) -> Row {
        Row {
            key: key.into(),
            kind,
            parent: parent.into(),
            ..Row::default()
        }
    }

    fn keys<'a>(preview: &'a Preview) -> Vec<(Option<&'a str>, Vec<&'a str>)> {
        let of = |group: Group<'a>| {
            (
                group.section.map(|section| section.key.as_str()),
                group.rows.iter().map(|row| row.key.as_str()).collect(),
            )
        };
        preview.groups().into_iter().map(of).collect()
    }

    #[test]
    fn rows_stand_under_their_section_and_alone_without_one() {
        let preview = Preview {
            rows: vec![
                row("first", Kind::Item, ""),
                row("note", Kind::Info, ""),
                row("a", Kind::Section, ""),
                row("a1", Kind::Item, "a"),
                row("b", Kind::Section, ""),
                row("a2", Kind::Item, "a"),
                row("b1", Kind::Item, "b"),
                row("last", Kind::Item, "gone"),
            ],
            ..Preview::default()
        };
        assert_eq!(
            keys(&preview),
            [
                (None, vec!["first", "note"]),
                (Some("a"), vec!["a1", "a2"]),
                (Some("b"), vec!["b1"]),
                (None, vec!["last"]),
            ]
        );
        assert_eq!(preview.items(), 5);
    }
}
