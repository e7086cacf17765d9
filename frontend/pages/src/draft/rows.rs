//! Adding, removing and moving rows of a draft.
//!
//! A section comes before its rows, and moves with them. Up and down lead through
//! every place that there is, one after the other, so that buttons and keys reach all of them.

use checklist_shared::item::Kind;
use checklist_shared::template::{CountedIn, OnTextChange};

use super::answer::AnswerDraft;
use super::document::{Draft, Row};
use super::when::When;

/// Where a row is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the beginning.
    Up,
    /// Towards the end.
    Down,
}

impl Draft {
    /// Adds a row at the end of a section, or of the whole; gives its number.
    pub fn add(&mut self, kind: Kind, parent: Option<u32>) -> u32 {
        let parent = parent.filter(|number| {
            kind != Kind::Section
                && self
                    .row(*number)
                    .is_some_and(|row| row.kind == Kind::Section)
        });
        let number = self.next;
        self.next += 1;
        let at = parent.map_or(self.rows.len(), |parent| self.end_of(parent));
        let row = Row {
            number,
            key: String::new(),
            fixed: false,
            kind,
            parent,
            text: Vec::new(),
            help: Vec::new(),
            required: false,
            allow_not_applicable: false,
            not_applicable_needs_reason: false,
            needs_person: false,
            second_person: false,
            requires_evidence: false,
            answer: AnswerDraft::default(),
            has_signal: false,
            signal_source: String::new(),
            signal_key: String::new(),
            stale_after: String::new(),
            when: When::default(),
            on_text_change: OnTextChange::default(),
            assignee_role: String::new(),
            due_offset: String::new(),
            due_counted_in: CountedIn::default(),
        };
        self.rows.insert(at, row);
        number
    }

    /// Adds an item with a text and a key of its own at the end; gives its number. The text is in that
    /// language if the draft has it, else in the first one.
    pub fn add_text(&mut self, text: &str, language: &str) -> u32 {
        let mut languages = self.languages.iter();
        let own = languages.find(|tag| *tag == language);
        let language = own.or(self.languages.first()).cloned();
        let number = self.add(Kind::Item, None);
        let key = self.key_for(number, text);
        if let Some(row) = self.row_mut(number) {
            row.text = language
                .into_iter()
                .map(|tag| (tag, text.to_owned()))
                .collect();
            row.key = key;
        }
        number
    }

    /// Removes a row; the rows of a removed section are in none from then on.
    pub fn remove(&mut self, number: u32) {
        for row in &mut self.rows {
            if row.parent == Some(number) {
                row.parent = None;
            }
        }
        self.rows.retain(|row| row.number != number);
        self.gather();
    }

    /// Moves a row by one place; answers whether there was one.
    pub fn shift(&mut self, number: u32, direction: Direction) -> bool {
        let Some(at) = self.rows.iter().position(|row| row.number == number) else {
            return false;
        };
        if self.rows[at].kind == Kind::Section {
            return self.shift_section(number, at, direction);
        }
        let parent = self.rows[at].parent;
        match direction {
            Direction::Up => {
                let Some(above) = at.checked_sub(1) else {
                    return false;
                };
                if Some(self.rows[above].number) == parent {
                    // Out of the section, to stand before it.
                    self.rows[at].parent = None;
                    self.rows.swap(at, above);
                } else if parent.is_none() && self.holder(above).is_some() {
                    // Into the section that ends here, as its last row.
                    self.rows[at].parent = self.holder(above);
                } else {
                    self.rows.swap(at, above);
                }
            }
            Direction::Down => {
                let below = at + 1;
                match self.rows.get(below) {
                    Some(next) if next.parent == parent && next.kind != Kind::Section => {
                        self.rows.swap(at, below)
                    }
                    _ if parent.is_some() => self.rows[at].parent = None,
                    Some(next) => {
                        // Into the section that begins here, as its first row.
                        self.rows[at].parent = Some(next.number);
                        self.rows.swap(at, below);
                    }
                    None => return false,
                }
            }
        }
        true
    }

    /// Puts a row into a section, or outside of any, at the end.
    pub fn put_into(&mut self, number: u32, section: Option<u32>) {
        let Some(at) = self.rows.iter().position(|row| row.number == number) else {
            return;
        };
        let section = section.filter(|section| {
            self.row(*section)
                .is_some_and(|row| row.kind == Kind::Section)
        });
        if self.rows[at].kind == Kind::Section || self.rows[at].parent == section {
            return;
        }
        let mut row = self.rows.remove(at);
        row.parent = section;
        let to = section.map_or(self.rows.len(), |section| self.end_of(section));
        self.rows.insert(to, row);
    }

    /// Whether a row can be moved there.
    #[must_use]
    pub fn can_shift(&self, number: u32, direction: Direction) -> bool {
        self.clone().shift(number, direction)
    }

    /// A key for a row, made of its text and used by no other row.
    #[must_use]
    pub fn key_for(&self, number: u32, text: &str) -> String {
        let taken = |key: &str| {
            self.rows
                .iter()
                .any(|row| row.number != number && row.key == key)
        };
        untaken(&key_from(text, "item"), taken)
    }

    /// The place behind the last row of a section.
    fn end_of(&self, section: u32) -> usize {
        let last = self
            .rows
            .iter()
            .rposition(|row| row.number == section || row.parent == Some(section));
        last.map_or(self.rows.len(), |at| at + 1)
    }

    /// The section that a place belongs to: its own number at its head.
    fn holder(&self, at: usize) -> Option<u32> {
        let row = &self.rows[at];
        if row.kind == Kind::Section {
            Some(row.number)
        } else {
            row.parent
        }
    }

    fn shift_section(&mut self, number: u32, at: usize, direction: Direction) -> bool {
        let end = self.end_of(number);
        match direction {
            Direction::Up => {
                let Some(above) = at.checked_sub(1) else {
                    return false;
                };
                let to = self.holder(above).map_or(above, |section| {
                    self.rows
                        .iter()
                        .position(|row| row.number == section)
                        .unwrap_or(above)
                });
                self.rows[to..end].rotate_left(at - to);
            }
            Direction::Down => {
                let Some(next) = self.rows.get(end) else {
                    return false;
                };
                let to = if next.kind == Kind::Section {
                    self.end_of(next.number)
                } else {
                    end + 1
                };
                self.rows[at..to].rotate_left(end - at);
            }
        }
        true
    }
}

/// A key that reads like the text; `otherwise` where it has no letters.
pub(super) fn key_from(text: &str, otherwise: &str) -> String {
    let mut key = String::new();
    for character in text.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            key.push(character);
        } else if !key.is_empty() && !key.ends_with('-') {
            key.push('-');
        }
        if key.chars().count() >= 40 {
            break;
        }
    }
    let key = key.trim_matches('-');
    if key.is_empty() { otherwise } else { key }.to_owned()
}

/// The key, with a number where it is taken.
pub(super) fn untaken(key: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(key) {
        return key.to_owned();
    }
    let numbered = (2..)
        .map(|count: u32| format!("{key}-{count}"))
        .find(|key| !is_taken(key));
    numbered.unwrap_or_default()
}
