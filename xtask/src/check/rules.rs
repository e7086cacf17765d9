//! The project's own rules that neither the compiler nor a lint covers: names, that nothing depends on
//! the tests, the length of the README, and where its figures come from. Each finding has a path
//! and a line.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::files::{self, read_text};
use crate::project::{Package, Project};

const FORBIDDEN_NAMES: [&str; 10] = [
    "util", "utils", "helper", "helpers", "common", "manager", "managers", "types", "misc", "stuff",
];
const README_LINES: usize = 150;
/// The only library that nothing may depend on.
const TESTS: &str = "checklist-tests";

/// A breach of a rule.
#[derive(Debug, PartialEq)]
pub struct Finding {
    pub(super) path: String,
    /// Counted from 1.
    pub(super) line: usize,
    pub(super) sentence: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.sentence)
    }
}

/// Every breach in the project.
///
/// # Errors
/// When a file cannot be read.
pub fn findings(project: &Project) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for package in &project.packages {
        found.extend(of_package(package));
        for file in rust_files(&package.folder)? {
            let relative = file.strip_prefix(&project.root).unwrap_or(&file);
            found.extend(of_source(&relative.to_string_lossy(), &read_text(&file)?));
        }
    }
    let readme = project.root.join("README.md");
    if readme.exists() {
        let text = read_text(&readme)?;
        found.extend(of_readme(&text));
        found.extend(figures(&text, |page| read_text(&project.root.join(page)))?);
    }
    Ok(found)
}

/// cargo-deny holds who may use a package (`deny.toml`), unless it is nobody.
fn of_package(package: &Package) -> Option<Finding> {
    let uses_tests = package.dependencies.iter().any(|name| name == TESTS);
    uses_tests.then(|| Finding {
        path: package.folder.join("Cargo.toml").display().to_string(),
        line: 1,
        sentence: format!("nothing may depend on {TESTS}"),
    })
}

/// The sources of a package, in a steady order.
fn rust_files(package: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::from_iter(Some(package.join("build.rs")).filter(|file| file.exists()));
    let folders = ["src", "tests", "benches", "examples"].map(|name| package.join(name));
    for folder in folders.iter().filter(|folder| folder.exists()) {
        let sources = files::below(folder)?.into_iter();
        found.extend(sources.filter(|path| path.extension().is_some_and(|end| end == "rs")));
    }
    found.sort();
    Ok(found)
}

fn of_source(path: &str, text: &str) -> Vec<Finding> {
    let finding = |line, sentence| Finding {
        path: path.to_owned(),
        line,
        sentence,
    };
    let mut parts = path.trim_end_matches(".rs").split('/');
    let name = parts.find(|part| FORBIDDEN_NAMES.contains(part));
    let of_path = name.map(|name| {
        let sentence = format!("`{name}` says nothing about the job; name the file after it");
        finding(1, sentence)
    });
    let of_lines = text.lines().zip(1..).filter_map(|(line, number)| {
        let line = line.trim_start();
        // Clippy sees the others: `allow_attributes`.
        if line.starts_with("#![allow(") {
            let sentence = "use #![expect(…, reason = \"…\")], which tells when it is not needed";
            return Some(finding(number, sentence.to_owned()));
        }
        let name = line
            .strip_prefix("mod ")
            .or(line.strip_prefix("pub mod "))?;
        let name = name.trim_end_matches(['{', ';', ' ']);
        let sentence = format!("`mod {name}` says nothing about its job");
        FORBIDDEN_NAMES
            .contains(&name)
            .then(|| finding(number, sentence))
    });
    of_path.into_iter().chain(of_lines).collect()
}

fn of_readme(text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    (lines > README_LINES).then(|| Finding {
        path: "README.md".to_owned(),
        line: README_LINES + 1,
        sentence: format!("{lines} lines; {README_LINES} are enough, the rest belongs in docs/"),
    })
}

/// Figures and commits in tables of the README that the measurement they link to does not have.
fn figures(readme: &str, page: impl Fn(&str) -> Result<String>) -> Result<Vec<Finding>> {
    let mut found = Vec::new();
    for (line, number) in readme.lines().zip(1..) {
        let target = line.rsplit_once("](docs/").and_then(|(_, rest)| {
            let (target, _) = rest.split_once(')')?;
            (line.starts_with('|') && target.ends_with(".md")).then_some(target)
        });
        let Some(target) = target else { continue };
        let target = format!("docs/{target}");
        let text = page(&target)?;
        let words = line.split_whitespace();
        let words = words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
        let is_figure = |word: &&str| word.chars().filter(char::is_ascii_digit).count() >= 4;
        found.extend(
            words
                .filter(is_figure)
                .filter(|word| !text.contains(word))
                .map(|word| Finding {
                    path: "README.md".to_owned(),
                    line: number,
                    sentence: format!("{word} does not stand in {target}"),
                }),
        );
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_the_readme_stand_in_the_page_that_they_link_to() {
        let page = |_: &str| Ok("11,346 ticks at `8dd99e1`".to_owned());
        let row = "| Fast | 11,346 ticks | `8dd99e1`, [Growth](docs/SCALE.md) |";
        assert_eq!(figures(row, page).unwrap(), []);
        let row = row.replace("11,346", "12,346");
        let found = figures(&row, page).unwrap();
        assert_eq!(found[0].sentence, "12,346 does not stand in docs/SCALE.md");
        assert_eq!(figures("12,346 elsewhere", page).unwrap(), []);
    }

    #[test]
    fn nothing_depends_on_the_tests() {
        let package = |dependency: &str| Package {
            name: "checklist-new".to_owned(),
            folder: PathBuf::from("/p"),
            dependencies: vec![dependency.to_owned()],
            features: Vec::new(),
        };
        assert!(of_package(&package("checklist-tests")).is_some());
        assert_eq!(of_package(&package("checklist-shared")), None);
    }

    #[test]
    fn names_that_say_nothing_are_refused() {
        for path in [
            "backend/src/utils.rs",
            "backend/src/common/mod.rs",
            "frontend/src/types.rs",
        ] {
            assert_eq!(of_source(path, "").len(), 1, "{path}");
        }
        for line in ["mod helpers {", "    pub mod helpers;"] {
            assert_eq!(of_source("shared/src/a.rs", line).len(), 1, "{line}");
        }
        assert!(of_source("shared/src/archetypes.rs", "// mod helpers").is_empty());
    }

    #[test]
    fn lints_of_a_whole_file_are_expected_and_never_allowed() {
        let found = of_source(
            "shared/src/a.rs",
            "//! Keeps order.\n#![allow(dead_code)]\n",
        );
        let found = found.first().expect("a finding").to_string();
        assert!(
            found.starts_with("shared/src/a.rs:2: use #![expect("),
            "{found}"
        );
    }

    #[test]
    fn the_readme_stays_short() {
        assert_eq!(of_readme(&"line\n".repeat(150)), None);
        assert!(of_readme(&"line\n".repeat(151)).is_some());
    }
}
