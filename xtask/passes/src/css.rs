//! Concatenates the style sheets that `style/order.txt` lists, in that order, without comments and
//! redundant whitespace. Brotli does the rest, so the minifier is simple: strings and unquoted URLs
//! are copied unchanged.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Reads `order.txt` in `folder` (one sheet a line; `#` begins a note) and joins the sheets.
///
/// # Errors
/// When the list or a listed sheet is missing, or the list is empty.
pub fn control_styles(folder: &Path) -> Result<String> {
    let list = folder.join("order.txt");
    let order = fs::read_to_string(&list).with_context(|| format!("reading {}", list.display()))?;
    let mut styles = String::new();
    for name in sheet_names(&order) {
        let sheet = folder.join(name);
        let text = fs::read_to_string(&sheet)
            .with_context(|| format!("reading {}, listed in order.txt", sheet.display()))?;
        styles.push_str(&minify(&text));
    }
    ensure!(!styles.is_empty(), "{} lists no styles", list.display());
    Ok(styles)
}

fn sheet_names(order: &str) -> impl Iterator<Item = &str> {
    order
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|name| !name.is_empty())
}

/// The same styles in fewer bytes.
fn minify(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    // Whitespace is held back until it is known what follows it.
    let mut space = false;
    while let Some(next) = rest.chars().next() {
        if rest.starts_with("/*") {
            let end = rest[2..].find("*/").map_or(rest.len(), |at| at + 4);
            // A comment that alone separates two words has to go on separating them.
            let separates = !space
                && out.chars().next_back().is_some_and(is_word)
                && rest[end..].chars().next().is_some_and(is_word);
            if separates {
                out.push_str("/**/");
            }
            rest = &rest[end..];
        } else if next.is_ascii_whitespace() {
            space = true;
            rest = &rest[1..];
        } else {
            if space && needs_space(&out, next) {
                out.push(' ');
            }
            space = false;
            let length = verbatim_length(rest, &out).unwrap_or(next.len_utf8());
            if next == '}' && out.ends_with(';') && !out.ends_with(":;") {
                out.pop();
            }
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    out
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || "-_%#.".contains(character)
}

/// Whether whitespace between what is written and `next` means anything. Around `:` before a name
/// it does (`a :hover`), around operators too (`calc(1px + 2px)`).
fn needs_space(out: &str, next: char) -> bool {
    let Some(last) = out.chars().next_back() else {
        return false;
    };
    if last == ':' {
        // `--empty: ;` is a value, `--empty:;` was once none.
        return next == ';' || next == '}';
    }
    !"{};,".contains(last) && !"{};,".contains(next)
}

/// The length of a string or an unquoted `url(…)` at the start of `rest`: both are copied whole.
fn verbatim_length(rest: &str, out: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    if first == '"' || first == '\'' {
        return Some(string_length(rest, first));
    }
    let whole_word = !out.chars().next_back().is_some_and(is_word);
    let head = rest.get(..4)?;
    if whole_word && head.eq_ignore_ascii_case("url(") {
        let content = rest[4..].trim_start();
        if !content.starts_with(['"', '\'']) {
            return Some(rest.find(')').map_or(rest.len(), |at| at + 1));
        }
    }
    None
}

fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            return at + character.len_utf8();
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_needless_whitespace_go() {
        let css = "/* head */\n.row ,\n.note {\n  color : red;\n  margin: 0 1px; /* why */\n}\n";
        assert_eq!(minify(css), ".row,.note{color :red;margin:0 1px}");
    }

    #[test]
    fn whitespace_that_means_something_stays() {
        assert_eq!(
            minify("a :hover { width: calc(1px + 2px) }"),
            "a :hover{width:calc(1px + 2px)}"
        );
        assert_eq!(
            minify("@media (width > 30em) and (hover)  { }"),
            "@media (width > 30em) and (hover){}"
        );
        assert_eq!(minify("ul > li + li{}"), "ul > li + li{}");
    }

    #[test]
    fn strings_and_addresses_are_copied_as_they_are() {
        let css = r#"a::before{content:"  /* no comment */ \" ;  }"}"#;
        assert_eq!(minify(css), css);
        let address = "a{background:url(data:image/svg+xml;x  /*y*/)}";
        assert_eq!(minify(address), address);
    }

    #[test]
    fn a_comment_between_two_words_goes_on_separating_them() {
        assert_eq!(minify("a{margin:1px/* x */2px}"), "a{margin:1px/**/2px}");
        assert_eq!(minify("a{margin:1px /* x */ 2px}"), "a{margin:1px 2px}");
    }

    #[test]
    fn an_empty_custom_property_keeps_its_value() {
        assert_eq!(minify("a{--on: ;--off: }"), "a{--on: ;--off: }");
    }

    #[test]
    fn letters_of_every_alphabet_survive() {
        assert_eq!(
            minify("a::before { content: '✓ é' }"),
            "a::before{content:'✓ é'}"
        );
    }

    #[test]
    fn sheets_come_in_the_listed_order() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join(name), text).expect("a writable folder");
        };
        write("order.txt", "b.css  # first\n\n# a note\na.css\n");
        write("a.css", "a { }");
        write("b.css", "b { }");
        assert_eq!(
            control_styles(folder.path()).expect("both sheets"),
            "b{}a{}"
        );
        write("order.txt", "c.css");
        let error = control_styles(folder.path()).expect_err("no such sheet");
        assert!(
            error.to_string().contains("c.css, listed in order.txt"),
            "{error}"
        );
    }
}
