//! Reads lists that are written line by line.
//!
//! Common to Markdown and HeroCoders' text: an entry begins with `-`, `*`, `+` or a number, then
//! `[ ]` or `[x]`; `?` marks an optional item. `# Name` begins a list, `---` with words a section,
//! `>>` the help of the item before. In Markdown further headings are sections too, an entry with
//! entries below it is one, and what is indented below an entry is its help.

use super::emphasis::without_emphasis;
use super::{Draft, List, Row};
use crate::phrase::{Phrase, PhraseCode};
use crate::text::is_blank;

/// The longest word in a box, in characters: HeroCoders' statuses have names.
const LONGEST_STATUS: usize = 20;

/// Reads the text; without Markdown a line without a marker is an item as well.
pub(super) fn read(text: &str, is_markdown: bool, draft: &mut Draft) {
    let mut reader = Reader {
        draft,
        is_markdown,
        line: 0,
        in_section: false,
        indents: Vec::new(),
        is_after_gap: false,
        fence: None,
    };
    let mut lines = text.lines().peekable();
    if is_markdown && lines.peek().is_some_and(|line| line.trim_end() == "---") {
        reader.front_matter(text);
        for _ in 0..reader.line {
            lines.next();
        }
    }
    for line in lines {
        reader.line += 1;
        reader.read(line);
    }
}

/// Columns before the text; a tab counts as four.
fn indent_of(line: &str) -> usize {
    let blank = line.chars().take_while(|letter| letter.is_whitespace());
    blank.map(|letter| if letter == '\t' { 4 } else { 1 }).sum()
}

/// What follows the marker of an entry.
fn entry(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '+']) {
        let is_marked = rest.starts_with(['[', '?']);
        let is_entry = is_marked || rest.is_empty() || rest.starts_with(char::is_whitespace);
        return is_entry.then(|| rest.trim_start());
    }
    if line.starts_with('[') {
        return box_of(line).map(|_| line);
    }
    let digits = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let rest = digits.strip_prefix(['.', ')'])?;
    (digits.len() < line.len() && rest.starts_with(' ')).then(|| rest.trim_start())
}

/// The word in the box before a text, and the text. A link is no box.
fn box_of(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_box = !rest.starts_with(['(', '[', ':']) && inside.chars().count() <= LONGEST_STATUS;
    is_box.then(|| (inside.trim(), rest))
}

/// A line of nothing but three or more of one of Markdown's signs for a line across the page.
fn is_rule(line: &str) -> bool {
    let mut signs = line.chars().filter(|letter| !letter.is_whitespace());
    let first = signs.next();
    matches!(first, Some('-' | '*' | '_'))
        && signs.clone().count() >= 2
        && signs.all(|sign| Some(sign) == first)
}

struct Reader<'a> {
    draft: &'a mut Draft,
    is_markdown: bool,
    /// The line that is read, from 1.
    line: u32,
    /// Whether the rows that follow are below a heading.
    in_section: bool,
    /// The indents of the entries that the next one may be below, outermost first.
    indents: Vec<usize>,
    /// Whether the line before was empty.
    is_after_gap: bool,
    /// What closes the code block that the line is in.
    fence: Option<&'static str>,
}

impl Reader<'_> {
    fn read(&mut self, whole: &str) {
        let line = whole.trim();
        let indent = indent_of(whole);
        if let Some(fence) = self.fence {
            if line.starts_with(fence) {
                self.fence = None;
            }
            self.prose(whole.trim_end(), indent);
        } else if line.is_empty() {
            self.is_after_gap = true;
            return;
        } else if let Some(help) = line.strip_prefix(">>") {
            self.help(help.trim());
        } else if let Some(title) = line.strip_prefix("# ") {
            self.begin_list(title.trim().trim_end_matches('#').trim_end());
        } else if self.is_markdown && line.starts_with("##") {
            self.begin_section(line.trim_matches('#').trim());
        } else if self.is_markdown && is_rule(line) {
            self.indents.clear();
        } else if line.starts_with("---") {
            self.begin_section(line.trim_matches('-').trim());
        } else if let Some(entry) = entry(line) {
            self.item(entry, indent);
        } else if !self.is_markdown {
            self.item(line, 0);
        } else {
            self.fence = ["```", "~~~"]
                .into_iter()
                .find(|fence| line.starts_with(fence));
            self.prose(line, indent);
        }
        self.is_after_gap = false;
    }

    /// Passes the settings that some programs write before Markdown, between lines of `---`.
    fn front_matter(&mut self, text: &str) {
        let end = text
            .lines()
            .skip(1)
            .position(|line| line.trim_end() == "---");
        if let Some(end) = end {
            self.line = 1;
            self.ignored();
            self.line = u32::try_from(end).unwrap_or(u32::MAX).saturating_add(2);
        }
    }

    fn list(&mut self) -> &mut List {
        if self.draft.lists.is_empty() {
            self.draft.lists.push(List {
                line: self.line,
                ..List::default()
            });
        }
        let last = self.draft.lists.len() - 1;
        &mut self.draft.lists[last]
    }

    fn begin_list(&mut self, name: &str) {
        self.in_section = false;
        self.indents.clear();
        let name = Some(without_emphasis(name)).filter(|name| !is_blank(name));
        let line = self.line;
        let list = self.list();
        if list.rows.is_empty() && list.name.is_none() {
            list.name = name;
        } else {
            self.draft.lists.push(List {
                line,
                name,
                ..List::default()
            });
        }
    }

    /// Without a title, a line across the page ends the section before it.
    fn begin_section(&mut self, title: &str) {
        self.indents.clear();
        self.in_section = !is_blank(title);
        if self.in_section {
            let row = Row {
                line: self.line,
                text: without_emphasis(title),
                is_section: true,
                ..Row::default()
            };
            self.list().rows.push(row);
        }
    }

    /// A paragraph: the description of a list before its first row; help of a row when it is
    /// indented below it, or follows it at once.
    fn prose(&mut self, text: &str, indent: usize) {
        let is_after_gap = self.is_after_gap;
        let is_first = self.list().rows.is_empty();
        let is_of_section = self.list().rows.last().is_some_and(|row| row.is_section);
        if is_first || is_of_section || indent > 0 || !is_after_gap {
            self.help(text);
        } else {
            // A paragraph between lists is prose about them, not a step.
            self.ignored();
        }
    }

    fn help(&mut self, text: &str) {
        let is_after_gap = self.is_after_gap;
        let list = self.list();
        let help = match list.rows.last_mut() {
            Some(row) => &mut row.help,
            None => &mut list.description,
        };
        if !help.is_empty() {
            help.push_str(if is_after_gap { "\n\n" } else { "\n" });
        }
        help.push_str(text);
    }

    fn item(&mut self, entry: &str, indent: usize) {
        let mut text = entry;
        let status = box_of(text);
        if let Some((_, rest)) = status {
            text = rest.trim_start();
        }
        let mut required = None;
        if let Some(rest) = text.strip_prefix('?') {
            required = Some(false);
            text = rest.trim_start();
        }
        if is_blank(text) {
            return self.ignored();
        }
        let is_checked = |word: &str| ["x", "done", "skipped"].contains(&word);
        if status.is_some_and(|(word, _)| is_checked(&word.to_lowercase())) {
            self.draft
                .note(self.line, Phrase::of(PhraseCode::ImportChecked));
        }
        while self.indents.last().is_some_and(|last| *last >= indent) {
            self.indents.pop();
        }
        let depth = self.indents.len();
        self.indents.push(indent);
        if depth > 0 {
            self.make_section(depth);
        }
        let row = Row {
            line: self.line,
            text: without_emphasis(text),
            required,
            in_section: self.in_section || depth > 0,
            ..Row::default()
        };
        self.list().rows.push(row);
    }

    /// The entry before, if it stands on its own, becomes the section of what is below it. Sections
    /// hold no sections: what is deeper stands in the same one.
    fn make_section(&mut self, depth: usize) {
        let in_section = self.in_section;
        let parent = self.list().rows.last_mut();
        match parent {
            Some(parent) if depth == 1 && !in_section && !parent.in_section => {
                parent.is_section = true;
                parent.required = None;
            }
            _ if depth > 1 || in_section => {
                self.draft
                    .note(self.line, Phrase::of(PhraseCode::ImportNested));
            }
            _ => {}
        }
    }

    fn ignored(&mut self) {
        self.draft
            .note(self.line, Phrase::of(PhraseCode::ImportIgnored));
    }
}
