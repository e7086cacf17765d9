//! Reads the Markdown subset into a small tree.
//!
//! Whatever is not understood stays text, so nothing that an author wrote is ever lost. Linear
//! in the length of the source, and nested no deeper than [`DEPTH`]. Called by `markdown`.

/// Marks nest this deep; what lies deeper is shown as written.
const DEPTH: u8 = 4;

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Lines that belong together.
    Paragraph(Vec<Inline>),
    /// Items, numbered or not.
    List {
        /// Whether the items are numbered.
        ordered: bool,
        /// The text of each item.
        items: Vec<Vec<Inline>>,
    },
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// As written.
    Text(String),
    /// `**strong**`
    Strong(Vec<Inline>),
    /// `*emphasis*` or `_emphasis_`
    Emphasis(Vec<Inline>),
    /// `` `code` ``
    Code(String),
    /// `[label](href)`; the address begins with http, https or mailto.
    Link {
        /// Where it leads.
        href: String,
        /// What it says.
        label: Vec<Inline>,
    },
    /// The end of a line inside a block.
    Break,
}

/// The blocks of a source.
#[must_use]
pub fn parse(source: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Open> = None;
    for line in source.lines() {
        let line = line.trim();
        if line.is_empty() {
            close(&mut open, &mut blocks);
        } else if let Some((ordered, text)) = list_item(line) {
            match &mut open {
                Some(Open::List {
                    ordered: same,
                    items,
                }) if *same == ordered => items.push(text.to_owned()),
                _ => {
                    close(&mut open, &mut blocks);
                    open = Some(Open::List {
                        ordered,
                        items: vec![text.to_owned()],
                    });
                }
            }
        } else {
            let text = match &mut open {
                Some(Open::Paragraph(text)) => Some(text),
                Some(Open::List { items, .. }) => items.last_mut(),
                None => None,
            };
            match text {
                Some(text) => {
                    text.push('\n');
                    text.push_str(line);
                }
                None => open = Some(Open::Paragraph(line.to_owned())),
            }
        }
    }
    close(&mut open, &mut blocks);
    blocks
}

/// The block that is being read, its text still unread.
enum Open {
    Paragraph(String),
    List { ordered: bool, items: Vec<String> },
}

fn close(open: &mut Option<Open>, blocks: &mut Vec<Block>) {
    match open.take() {
        Some(Open::Paragraph(text)) => blocks.push(Block::Paragraph(inline(&text, DEPTH))),
        Some(Open::List { ordered, items }) => {
            let items = items.iter().map(|text| inline(text, DEPTH)).collect();
            blocks.push(Block::List { ordered, items });
        }
        None => {}
    }
}

/// Whether the line begins an item (and a numbered one), and the text behind the mark.
fn list_item(line: &str) -> Option<(bool, &str)> {
    if let Some(text) = line.strip_prefix(['-', '*', '+']) {
        return text.starts_with(' ').then(|| (false, text.trim_start()));
    }
    let rest = line.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = line.len() - rest.len();
    let text = rest.strip_prefix(['.', ')'])?;
    (1..=9).contains(&digits).then_some(())?;
    text.starts_with(' ').then(|| (true, text.trim_start()))
}

fn inline(text: &str, depth: u8) -> Vec<Inline> {
    let mut line = Line {
        text,
        plain: String::new(),
        pieces: Vec::new(),
        hopeless: Vec::new(),
    };
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let piece = if depth == 0 {
            None
        } else {
            line.piece(at, depth)
        };
        at += match piece {
            Some((piece, length)) => {
                line.flush();
                line.pieces.push(piece);
                length
            }
            None => {
                let escaped = text[at + next.len_utf8()..]
                    .chars()
                    .next()
                    .filter(char::is_ascii_punctuation);
                let shown = if next == '\\' { escaped } else { None };
                line.plain.push(shown.unwrap_or(next));
                next.len_utf8() + shown.map_or(0, char::len_utf8)
            }
        };
    }
    line.flush();
    line.pieces
}

/// A text that is being read from its start to its end.
struct Line<'a> {
    text: &'a str,
    /// Read, but not yet part of `pieces`.
    plain: String,
    pieces: Vec<Inline>,
    /// Marks that have no end in the rest of the text, so that nobody looks for it again.
    hopeless: Vec<&'static str>,
}

impl<'a> Line<'a> {
    fn flush(&mut self) {
        if !self.plain.is_empty() {
            self.pieces
                .push(Inline::Text(std::mem::take(&mut self.plain)));
        }
    }

    /// The marked piece that starts at `at`, with its length in the source.
    fn piece(&mut self, at: usize, depth: u8) -> Option<(Inline, usize)> {
        let rest = &self.text[at..];
        match rest.as_bytes().first()? {
            b'\n' => Some((Inline::Break, 1)),
            b'`' => {
                let (inner, length) = self.between(at, "`")?;
                Some((Inline::Code(inner.to_owned()), length))
            }
            b'*' if rest.starts_with("**") => {
                let (inner, length) = self.between(at, "**")?;
                Some((Inline::Strong(inline(inner, depth - 1)), length))
            }
            b'*' => {
                let (inner, length) = self.between(at, "*")?;
                Some((Inline::Emphasis(inline(inner, depth - 1)), length))
            }
            // Inside a word an underscore is part of a name, such as `max_open_files`.
            b'_' if !self.text[..at].ends_with(char::is_alphanumeric) => {
                let (inner, length) = self.between(at, "_")?;
                Some((Inline::Emphasis(inline(inner, depth - 1)), length))
            }
            b'[' => self.link(at, depth),
            _ => None,
        }
    }

    /// The text between the mark at `at` and the next one that can end it, and the length of all.
    fn between(&mut self, at: usize, mark: &'static str) -> Option<(&'a str, usize)> {
        if self.hopeless.contains(&mark) {
            return None;
        }
        let text = self.text;
        let start = at + mark.len();
        if mark != "`" && text[start..].starts_with(char::is_whitespace) {
            return None;
        }
        let Some(end) = ends(text, start, mark).find(|end| *end > start) else {
            self.hopeless.push(mark);
            return None;
        };
        Some((&text[start..end], end + mark.len() - at))
    }

    fn link(&mut self, at: usize, depth: u8) -> Option<(Inline, usize)> {
        const TURN: &str = "](";
        if self.hopeless.contains(&TURN) {
            return None;
        }
        let rest = &self.text[at + 1..];
        let Some(turn) = rest.find(TURN) else {
            self.hopeless.push(TURN);
            return None;
        };
        let (label, tail) = (&rest[..turn], &rest[turn + TURN.len()..]);
        let href = &tail[..tail.find(')')?];
        // A label ends where another one begins: `[a [b](c)` is the link "b".
        if label.is_empty() || label.contains('[') || !leads_somewhere_safe(href) {
            return None;
        }
        let length = 1 + turn + TURN.len() + href.len() + 1;
        Some((
            Inline::Link {
                href: href.to_owned(),
                label: inline(label, depth - 1),
            },
            length,
        ))
    }
}

/// Where `mark` stands in a way that can end what it began, from `start` on.
fn ends<'a>(text: &'a str, start: usize, mark: &'static str) -> impl Iterator<Item = usize> + 'a {
    text[start..]
        .match_indices(mark)
        .map(move |(offset, _)| start + offset)
        .filter(move |&at| {
            let (before, after) = (&text[..at], &text[at + mark.len()..]);
            match mark {
                "`" => true,
                _ if before.ends_with(char::is_whitespace) || before.ends_with('\\') => false,
                "*" => !before.ends_with('*') && !after.starts_with('*'),
                "_" => !after.starts_with(char::is_alphanumeric),
                _ => true,
            }
        })
}

/// Only web and mail addresses become links; a script or a file address stays text.
fn leads_somewhere_safe(href: &str) -> bool {
    let known = ["http://", "https://", "mailto:"].iter().any(|scheme| {
        href.len() > scheme.len()
            && href.as_bytes()[..scheme.len()].eq_ignore_ascii_case(scheme.as_bytes())
    });
    known && !href.contains(|other: char| other.is_whitespace() || other.is_control())
}
