//! Pasted text as lines: bullets, numbers, checkboxes and indents as people copy them.

use checklist_shared::ItemId;

use crate::i18n::{Words, plural};

/// Lines that wait for the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pasted {
    /// The lines, with what each becomes.
    pub lines: Vec<PastedLine>,
    /// The section that they are for; `None`: the end of the list.
    pub section: Option<ItemId>,
    /// Why they cannot be added; empty where they can.
    pub problem: String,
}

/// A pasted line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedLine {
    /// Its text, without what makes it a line of a list.
    pub text: String,
    /// The kind of row that it becomes.
    pub place: LineKind,
}

/// What a pasted line becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// An item where the lines are for.
    Item,
    /// A new section.
    Section,
    /// An item in the section before.
    Inside,
}

/// The lines of a pasted text. With `sections`, a line with indented ones under it is a section.
#[must_use]
pub fn parse(text: &str, sections: bool) -> Vec<PastedLine> {
    let lines = text.lines().filter_map(|line| {
        let text = strip_bullet(line.trim());
        (!text.is_empty()).then(|| (indent(line), text.to_owned()))
    });
    let lines: Vec<(usize, String)> = lines.collect();
    let least = lines.iter().map(|(indent, _)| *indent).min().unwrap_or(0);
    let is_inside = |at: usize| lines.get(at).is_some_and(|(indent, _)| *indent > least);
    let mut has_section = false;
    let mut parsed = Vec::with_capacity(lines.len());
    for (at, (_, text)) in lines.iter().enumerate() {
        let place = match (is_inside(at), is_inside(at + 1)) {
            (false, true) if sections => LineKind::Section,
            (true, _) if has_section => LineKind::Inside,
            _ => LineKind::Item,
        };
        has_section = place != LineKind::Item;
        parsed.push(PastedLine {
            text: text.clone(),
            place,
        });
    }
    parsed
}

/// How far a line is indented; a tab is as much as two blanks at least.
fn indent(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| c.is_whitespace());
    let width: usize = blanks.map(|c| if c == '\t' { 4 } else { 1 }).sum();
    // One blank alone is a slip of who copied.
    if width < 2 { 0 } else { width }
}

/// A line without its bullet or number and without its box. An item is added open whatever its
/// box says: who checks it confirms its wording.
fn strip_bullet(line: &str) -> &str {
    let bullet = ["-", "*", "+", "•", "–", "—", "◦", "▪"].iter();
    let mut rest = bullet
        .filter_map(|mark| line.strip_prefix(mark))
        .chain(strip_number(line))
        .find(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        .unwrap_or(line)
        .trim_start();
    for mark in ["[ ]", "[x]", "[X]", "[]", "☐", "☑", "☒", "✓", "✔", "✅"] {
        let behind = rest.strip_prefix(mark);
        if let Some(behind) = behind.filter(|behind| behind.is_empty() || behind.starts_with(' ')) {
            rest = behind.trim_start();
            break;
        }
    }
    rest
}

/// The text after "12." or "12)".
fn strip_number(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - rest.len();
    let is_number = (1..=4).contains(&digits);
    rest.strip_prefix(['.', ')']).filter(|_| is_number)
}

/// The question in words.
#[must_use]
pub fn question(pasted: &Pasted, words: Words) -> String {
    let count = u32::try_from(pasted.lines.len()).unwrap_or(u32::MAX);
    plural(words, words.texts.paste_question(), count, &[])
}
