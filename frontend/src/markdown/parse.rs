//! Parses the Markdown subset into a small tree.
//!
//! Unsupported syntax remains text, so nothing that an author wrote is lost. Linear in
//! the length of the source, and nested no deeper than [`DEPTH`]. Works on bytes: every mark is
//! ASCII, and Unicode tables would increase the download.

/// The nesting limit of marks; deeper ones are shown as written.
const DEPTH: u8 = 4;

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block<'a> {
    /// Lines that belong together.
    Paragraph(Vec<Inline<'a>>),
    /// Items, numbered or not.
    List {
        /// Whether the items are numbered.
        ordered: bool,
        /// The text of each item.
        items: Vec<Vec<Inline<'a>>>,
    },
}

/// A piece of a line. Marks end on the line they begin on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline<'a> {
    /// As written; a backslash before a mark has gone.
    Text(&'a str),
    /// `**strong**`
    Strong(Vec<Inline<'a>>),
    /// `*emphasis*` or `_emphasis_`
    Emphasis(Vec<Inline<'a>>),
    /// `` `code` ``
    Code(&'a str),
    /// `[label](href)`; the address begins with http, https or mailto.
    Link {
        /// The target.
        href: &'a str,
        /// The text of the link.
        label: Vec<Inline<'a>>,
    },
    /// The end of a line inside a block.
    Break,
}

/// The blocks of a source.
#[must_use]
pub fn parse(source: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    // Whether the next line belongs to the last block.
    let mut goes_on = false;
    for line in source.split('\n') {
        let line = line.trim_ascii();
        if line.is_empty() {
            goes_on = false;
            continue;
        }
        let last = if goes_on { blocks.last_mut() } else { None };
        goes_on = true;
        match (list_item(line), last) {
            (
                Some((ordered, text)),
                Some(Block::List {
                    ordered: same,
                    items,
                }),
            ) if *same == ordered => {
                items.push(inline(text, DEPTH));
            }
            (Some((ordered, text)), _) => {
                let items = vec![inline(text, DEPTH)];
                blocks.push(Block::List { ordered, items });
            }
            (None, Some(Block::Paragraph(text))) => add_line(text, line),
            (None, Some(Block::List { items, .. })) => {
                if let Some(text) = items.last_mut() {
                    add_line(text, line);
                }
            }
            (None, None) => blocks.push(Block::Paragraph(inline(line, DEPTH))),
        }
    }
    blocks
}

fn add_line<'a>(text: &mut Vec<Inline<'a>>, line: &'a str) {
    text.push(Inline::Break);
    text.append(&mut inline(line, DEPTH));
}

/// Whether the line begins an item (and a numbered one), and the text behind the mark.
fn list_item(line: &str) -> Option<(bool, &str)> {
    let bytes = line.as_bytes();
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let mark = *bytes.get(digits)?;
    let ordered = match (digits, mark) {
        (0, b'-' | b'*' | b'+') => false,
        (1..=9, b'.' | b')') => true,
        _ => return None,
    };
    let text = part(line, digits + 1, line.len());
    text.starts_with(' ').then(|| (ordered, text.trim_ascii()))
}

/// The text between two positions that are next to ASCII characters.
fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

fn inline(text: &str, depth: u8) -> Vec<Inline<'_>> {
    let mut pieces = Vec::new();
    let mut line = InlineParser { text, hopeless: 0 };
    // The range from `shown` to `at` is text that is in no piece yet.
    let (mut shown, mut at) = (0, 0);
    while at < text.len() {
        if line.is_escape(at) {
            take_text(&mut pieces, part(text, shown, at));
            shown = at + 1;
            at += 2;
            continue;
        }
        let piece = if depth == 0 {
            None
        } else {
            line.piece(at, depth)
        };
        if let Some((piece, length)) = piece {
            take_text(&mut pieces, part(text, shown, at));
            pieces.push(piece);
            at += length;
            shown = at;
        } else {
            at += 1;
        }
    }
    take_text(&mut pieces, part(text, shown, text.len()));
    pieces
}

fn take_text<'a>(pieces: &mut Vec<Inline<'a>>, text: &'a str) {
    if !text.is_empty() {
        pieces.push(Inline::Text(text));
    }
}

/// How a mark is searched for: its character, and how often it is repeated.
type Delimiter = (u8, usize);

const CODE: Delimiter = (b'`', 1);
const STRONG: Delimiter = (b'*', 2);
const STAR: Delimiter = (b'*', 1);
const LOW: Delimiter = (b'_', 1);
/// `](`, between a label and its address.
const TURN: Delimiter = (b']', 1);

/// A text that is being read from its start to its end.
struct InlineParser<'a> {
    text: &'a str,
    /// Marks that have no end in the rest of the text, as bits, so that nobody looks again.
    hopeless: u8,
}

impl<'a> InlineParser<'a> {
    /// The byte at a position; 0 outside of the text.
    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Whether there is a backslash here that escapes the next character.
    fn is_escape(&self, at: usize) -> bool {
        self.byte(at) == b'\\' && self.byte(at + 1).is_ascii_punctuation()
    }

    /// Whether there is a letter or digit of any alphabet here.
    fn is_word(&self, at: usize) -> bool {
        let byte = self.byte(at);
        byte.is_ascii_alphanumeric() || byte >= 0x80
    }

    /// The marked piece that starts at `at`, with its length in the source.
    fn piece(&mut self, at: usize, depth: u8) -> Option<(Inline<'a>, usize)> {
        match self.byte(at) {
            b'`' => {
                let (inner, length) = self.between(at, CODE)?;
                Some((Inline::Code(inner), length))
            }
            b'*' if self.byte(at + 1) == b'*' => {
                let (inner, length) = self.between(at, STRONG)?;
                Some((Inline::Strong(inline(inner, depth - 1)), length))
            }
            b'*' => {
                let (inner, length) = self.between(at, STAR)?;
                Some((Inline::Emphasis(inline(inner, depth - 1)), length))
            }
            // Inside a word an underscore is part of a name, such as `max_open_files`.
            b'_' if at == 0 || !self.is_word(at - 1) => {
                let (inner, length) = self.between(at, LOW)?;
                Some((Inline::Emphasis(inline(inner, depth - 1)), length))
            }
            b'[' => self.link(at, depth),
            _ => None,
        }
    }

    /// The text between the mark at `at` and the next one that can end it, and the length of all.
    fn between(&mut self, at: usize, mark: Delimiter) -> Option<(&'a str, usize)> {
        let start = at + mark.1;
        if mark != CODE && self.byte(start).is_ascii_whitespace() {
            return None;
        }
        let end = self.next(start + 1, mark)?;
        Some((part(self.text, start, end), end + mark.1 - at))
    }

    /// The next position of the mark at which it can be a closing one.
    fn next(&mut self, from: usize, mark: Delimiter) -> Option<usize> {
        let bit = match mark {
            CODE => 1,
            STRONG => 2,
            STAR => 4,
            LOW => 8,
            _ => 16,
        };
        if self.hopeless & bit != 0 {
            return None;
        }
        let found = (from..self.text.len()).find(|at| self.ends(*at, mark));
        if found.is_none() {
            self.hopeless |= bit;
        }
        found
    }

    fn ends(&self, at: usize, mark: Delimiter) -> bool {
        if self.byte(at) != mark.0 {
            return false;
        }
        let (before, after) = (self.byte(at.wrapping_sub(1)), self.byte(at + 1));
        match mark {
            CODE => true,
            TURN => after == b'(',
            _ if before.is_ascii_whitespace() || before == b'\\' => false,
            STRONG => after == b'*',
            STAR => before != b'*' && after != b'*',
            _ => !self.is_word(at + 1),
        }
    }

    fn link(&mut self, at: usize, depth: u8) -> Option<(Inline<'a>, usize)> {
        let turn = self.next(at + 2, TURN)?;
        let label = part(self.text, at + 1, turn);
        let rest = part(self.text, turn + 2, self.text.len());
        let href = part(rest, 0, rest.bytes().position(|byte| byte == b')')?);
        // A label ends where another one begins: `[a [b](c)` is the link "b".
        if label.bytes().any(|byte| byte == b'[') || !leads_somewhere_safe(href) {
            return None;
        }
        let length = turn + 2 + href.len() + 1 - at;
        let label = inline(label, depth - 1);
        Some((Inline::Link { href, label }, length))
    }
}

/// Only web and mail addresses become links; a script or a file address stays text.
fn leads_somewhere_safe(href: &str) -> bool {
    let known = ["http://", "https://", "mailto:"].iter().any(|scheme| {
        let start = href.as_bytes().get(..scheme.len()).unwrap_or_default();
        href.len() > scheme.len() && start.eq_ignore_ascii_case(scheme.as_bytes())
    });
    known && !href.bytes().any(|byte| byte <= b' ' || byte == 0x7f)
}
