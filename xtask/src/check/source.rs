//! Rust source prepared for the rules: with comments and string contents blanked, so that a
//! sentence about a rule does not count as a violation.
//!
//! Lines and columns are preserved.

use std::path::{Path, PathBuf};

/// One source file.
pub struct Source {
    /// Relative to the project's root, with `/` between its parts.
    pub path: String,
    /// Comments and literals blanked.
    pub code: String,
}

impl Source {
    pub fn new(path: &Path, text: &str) -> Self {
        let path = path.to_string_lossy().replace('\\', "/");
        let code = blank_literals(text);
        Self { path, code }
    }
}

/// All `.rs` files under a folder, in a steady order.
pub fn rust_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        if !folder.exists() {
            continue;
        }
        for entry in folder.read_dir()? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn blank(character: char) -> char {
    if character == '\n' { '\n' } else { ' ' }
}

/// Blanks comments and the inside of string, byte and character literals.
fn blank_literals(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < characters.len() {
        let end = literal_end(&characters, at);
        if end == at {
            out.push(characters[at]);
            at += 1;
        } else {
            out.extend(characters[at..end].iter().copied().map(blank));
            at = end;
        }
    }
    out
}

/// The end of the comment or literal that begins at `at`, or `at` where none does.
fn literal_end(characters: &[char], at: usize) -> usize {
    let after = |offset: usize| characters.get(at + offset).copied();
    match characters[at] {
        '/' if after(1) == Some('/') => find(characters, at, |rest| rest[0] == '\n'),
        '/' if after(1) == Some('*') => block_comment_end(characters, at),
        '"' => string_end(characters, at),
        'r' | 'b' | 'c' if !follows_word(characters, at) => raw_string_end(characters, at),
        '\'' if after(1) == Some('\\') => find(characters, at + 3, |rest| rest[0] == '\'')
            .saturating_add(1)
            .min(characters.len()),
        // A lifetime has no closing quote behind its first letter.
        '\'' if after(2) == Some('\'') => at + 3,
        _ => at,
    }
}

fn find(characters: &[char], from: usize, found: impl Fn(&[char]) -> bool) -> usize {
    (from..characters.len())
        .find(|&at| found(&characters[at..]))
        .unwrap_or(characters.len())
}

fn follows_word(characters: &[char], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| characters.get(before))
        .is_some_and(|before| before.is_alphanumeric() || *before == '_')
}

fn block_comment_end(characters: &[char], start: usize) -> usize {
    let mut depth = 0_u32;
    let mut at = start;
    while at < characters.len() {
        if characters[at..].starts_with(&['/', '*']) {
            depth += 1;
            at += 2;
        } else if characters[at..].starts_with(&['*', '/']) {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    characters.len()
}

fn string_end(characters: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < characters.len() {
        match characters[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    characters.len()
}

/// The end of `r"…"`, `r#"…"#`, `br"…"`, `b"…"` or `c"…"`; `start` where it is only a name.
fn raw_string_end(characters: &[char], start: usize) -> usize {
    let mut at = start;
    while at < start + 2 && matches!(characters.get(at), Some('r' | 'b' | 'c')) {
        at += 1;
    }
    let raw = characters[start..at].contains(&'r');
    let marks = characters[at..]
        .iter()
        .take_while(|&&mark| mark == '#')
        .count();
    if characters.get(at + marks) != Some(&'"') || (marks > 0 && !raw) {
        return start;
    }
    if !raw {
        return string_end(characters, at);
    }
    let mut close = vec!['"'];
    close.extend(std::iter::repeat_n('#', marks));
    let end = find(characters, at + marks + 1, |rest| rest.starts_with(&close));
    (end + close.len()).min(characters.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        Source::new(Path::new("backend/src/a.rs"), text).code
    }

    #[test]
    fn comments_and_strings_are_blanked_and_lines_stay() {
        assert_eq!(
            code("a // axum\nb /* x /* y */ z */ c"),
            "a        \nb                   c"
        );
        assert_eq!(code(r#"f("ax\"um", 'x', '\'')"#), "f(        ,    ,     )");
        assert_eq!(
            code("r#\"a\"b\"# rb r\"x\" b\"y\" c"),
            "         rb           c"
        );
    }

    #[test]
    fn lifetimes_and_names_are_no_literals() {
        let text = "fn f<'a>(x: &'a str, bar: B) -> r#type { rbc }";
        assert_eq!(code(text), text);
    }
}
