//! Compares `docs/ACCESSIBILITY.md` with the tests: every test that it names exists, and every
//! criterion that is said to be supported names one.

use std::path::Path;

use anyhow::Result;

use super::rules::Finding;
use crate::files::read_text;
use crate::project::Project;

const PAGE: &str = "docs/ACCESSIBILITY.md";

/// Results that have to be shown.
const SHOWN: [&str; 2] = ["Supports", "Partially supports"];

/// What the page says and the tests do not show.
///
/// # Errors
/// When the page cannot be read.
pub fn findings(project: &Project) -> Result<Vec<Finding>> {
    of_page(&project.root, &read_text(&project.root.join(PAGE))?)
}

fn of_page(root: &Path, page: &str) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for (line, number) in page.lines().zip(1..) {
        let mut finding = |sentence: String| {
            found.push(Finding {
                path: PAGE.to_owned(),
                line: number,
                sentence,
            });
        };
        let tests = named(line);
        let mut cells = line.split('|').map(str::trim);
        if line.starts_with('|') && tests.is_empty() && cells.any(|cell| SHOWN.contains(&cell)) {
            finding("is said to be supported, and no test shows it".to_owned());
        }
        for (module, test) in tests {
            let file = root.join(format!("tests/tests/browser/{module}.rs"));
            if !file.exists() {
                finding(format!("there are no tests {module}"));
            } else if test != "*" && !tests_in(&read_text(&file)?).contains(&test) {
                finding(format!("there is no test {module}::{test}"));
            }
        }
    }
    Ok(found)
}

/// The tests that a line names: the module with its file, and the last part of the name.
fn named(line: &str) -> Vec<(&str, &str)> {
    let names = names(line).filter_map(|name| {
        let (module, _) = name.split_once("::")?;
        Some((module, name.rsplit("::").next()?))
    });
    names.collect()
}

/// Names between backticks that look like those of tests.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    quoted.filter(|name| name.contains("::"))
}

/// The names of the tests in a source.
pub fn tests_in(source: &str) -> Vec<&str> {
    let lines = source.lines().map(str::trim);
    let signatures = lines.clone().skip(1);
    let tests = lines.zip(signatures).filter_map(|(line, signature)| {
        let name = signature.strip_prefix("fn ")?.split('(').next()?;
        (line == "#[test]").then_some(name)
    });
    tests.collect()
}

#[cfg(test)]
mod tests_of_the_page {
    use super::*;

    #[test]
    fn a_test_that_does_not_exist_and_a_claim_without_one_are_found() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let rows = "| 1 | A | 9.1 | Supports | `keyboard::tab_leaves_the_list_again`, `keyboard::*` | |\n\
                    | 2 | A | 9.2 | Supports | `keyboard::nobody_wrote_this` | |\n\
                    | 3 | A | 9.3 | Partially supports | – | |\n\
                    | 4 | A | 9.4 | Not applicable | – | |";
        let found = of_page(&root, rows).expect("the tests can be read");
        let lines: Vec<usize> = found.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [2, 3]);
    }
}
