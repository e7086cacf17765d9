//! Reads the rows of a table as spreadsheets write it: CSV with commas, semicolons or tabs.
//!
//! Whatever the text, each row comes with the line of the file that it begins in.

use csv::{Position, ReaderBuilder, StringRecord};

/// A sentinel row, appended to the text. It is parsed as a row of its own unless a quotation mark
/// before it is never closed. No cell may contain this character.
const END: &str = "\u{1}";

/// A quotation mark that is never closed, or stands inside a cell that is not quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenQuote {
    /// The line that the row begins in, from 1.
    pub line: u32,
}

/// The rows that are not empty, each with the line that it begins in, from 1.
///
/// # Errors
/// The row with a quotation mark that is never closed.
pub fn rows(text: &str) -> Result<Vec<(u32, StringRecord)>, OpenQuote> {
    let mut whole = String::with_capacity(text.len() + 4);
    whole.push_str(text);
    whole.push('\n');
    whole.push_str(END);
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter(text))
        .flexible(true)
        .has_headers(false)
        .from_reader(whole.as_bytes());
    let mut lines = Lines::of(&whole);
    let mut rows = Vec::new();
    let mut last_line = 1;
    // The text is UTF-8 and rows may differ in length: nothing else can be wrong with a row.
    for record in reader.records().map_while(Result::ok) {
        if record.len() == 1 && record.get(0) == Some(END) {
            return Ok(rows);
        }
        last_line = lines.at(record.position().map_or(0, Position::byte));
        if record.iter().any(|cell| !cell.trim().is_empty()) {
            rows.push((last_line, record));
        }
    }
    Err(OpenQuote { line: last_line })
}

/// Detects the delimiter of the header row. No heading contains one.
fn delimiter(text: &str) -> u8 {
    let head = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    let count = |wanted: u8| head.bytes().filter(|byte| *byte == wanted).count();
    [b',', b';', b'\t']
        .into_iter()
        .rev()
        .max_by_key(|byte| count(*byte))
        .unwrap_or(b',')
}

/// Maps byte offsets to line numbers. Offsets must be ascending.
struct Lines<'a> {
    bytes: &'a [u8],
    seen: usize,
    line: u32,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            seen: 0,
            line: 1,
        }
    }

    /// The line of the first letter at or after an offset: the offset of a row may be that of the
    /// empty lines before it.
    fn at(&mut self, byte: u64) -> u32 {
        let mut to = usize::try_from(byte).unwrap_or(usize::MAX).max(self.seen);
        while matches!(self.bytes.get(to), Some(b'\n' | b'\r')) {
            to += 1;
        }
        let passed = self.bytes.get(self.seen..to).unwrap_or_default();
        let breaks = passed.iter().filter(|byte| **byte == b'\n').count();
        self.line = self
            .line
            .saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
        self.seen = to;
        self.line
    }
}
