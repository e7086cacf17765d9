//! Compares `docs/LIMITS.md` with the code. A row names its source as `` `path`: `NAME = value` `` for
//! a constant, or `` `path`: `field: value` `` for a field of a struct; the file has to say the same.

use anyhow::Result;

use super::rules::Finding;
use crate::files::read_text;
use crate::project::Project;

const PAGE: &str = "docs/LIMITS.md";

/// Every limit on the page that the code does not have.
///
/// # Errors
/// When the page, or a file that it names, cannot be read.
pub fn findings(project: &Project) -> Result<Vec<Finding>> {
    let page = read_text(&project.root.join(PAGE))?;
    let mut found = Vec::new();
    for (line, number) in page.lines().zip(1..) {
        for (path, limit) in sources(line) {
            if !holds(&read_text(&project.root.join(path))?, limit) {
                found.push(Finding {
                    path: PAGE.to_owned(),
                    line: number,
                    sentence: format!("{path} does not say `{limit}`"),
                });
            }
        }
    }
    Ok(found)
}

/// The sources that a line names, each with the limit there.
fn sources(line: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = line.split('`').collect();
    let sources = parts.windows(3).filter_map(|window| match window {
        [path, ": ", limit] if path.ends_with(".rs") => Some((*path, *limit)),
        _ => None,
    });
    sources.collect()
}

/// Whether a file defines a constant (`NAME = value`) or sets a field (`field: value`) like that.
fn holds(source: &str, limit: &str) -> bool {
    let lines = source.lines().map(str::trim);
    match limit.split_once(" = ") {
        Some((name, value)) => lines
            .filter_map(|line| line.split_once("const ")?.1.strip_prefix(name))
            .filter_map(|rest| rest.strip_prefix(": ")?.split_once(" = "))
            .any(|(_, after)| after == format!("{value};")),
        None => lines.into_iter().any(|line| line == format!("{limit},")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_compared_with_its_constant_or_field() {
        let source = "    items: 200,\npub const MOST: usize = 10_000;\nconst LONG: u8 = 2 * 3;";
        for limit in ["items: 200", "MOST = 10_000", "LONG = 2 * 3"] {
            assert!(holds(source, limit), "{limit}");
        }
        for limit in ["items: 20", "MOST = 10", "OST = 10_000", "LONG = 2"] {
            assert!(!holds(source, limit), "{limit}");
        }
        let line = "| Items | 200 | – | `a/b.rs`: `items: 200` |";
        assert_eq!(sources(line), [("a/b.rs", "items: 200")]);
    }
}
