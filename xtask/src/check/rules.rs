//! The project's own rules that neither the compiler nor a lint covers: which package may depend on
//! which, names, attributes, and the length of the README. Each finding has a path and a line.

use std::fmt;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::packages;
use super::source::{Source, rust_files};
use crate::project::Project;

const FORBIDDEN_NAMES: [&str; 10] = [
    "util", "utils", "helper", "helpers", "common", "manager", "managers", "types", "misc", "stuff",
];
const README_LINES: usize = 150;

/// A breach of a rule.
#[derive(Debug, PartialEq)]
pub struct Finding {
    path: String,
    /// Counted from 1.
    line: usize,
    sentence: String,
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
    for (path, sentence) in packages::breaches(project) {
        found.push(Finding {
            path,
            line: 1,
            sentence,
        });
    }
    for source in sources(project)? {
        found.extend(of_source(&source));
    }
    let readme = project.root.join("README.md");
    if readme.exists() {
        found.extend(of_readme(&read(&readme)?));
    }
    Ok(found)
}

fn sources(project: &Project) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for package in &project.packages {
        let mut files = Vec::new();
        for folder in ["src", "tests", "benches", "examples"] {
            let folder = package.folder.join(folder);
            files.extend(
                rust_files(&folder).with_context(|| format!("listing {}", folder.display()))?,
            );
        }
        let build_script = package.folder.join("build.rs");
        files.extend(build_script.exists().then_some(build_script));
        for file in files {
            let relative = file.strip_prefix(&project.root).unwrap_or(&file);
            sources.push(Source::new(relative, &read(&file)?));
        }
    }
    Ok(sources)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

fn of_source(source: &Source) -> Vec<Finding> {
    let mut told = Vec::from_iter(name_breach(&source.path));
    told.extend(inner_name_breaches(source));
    told.extend(allow_breaches(source));
    told.into_iter()
        .map(|(line, sentence)| Finding {
            path: source.path.clone(),
            line,
            sentence,
        })
        .collect()
}

fn name_breach(path: &str) -> Option<(usize, String)> {
    let name = path
        .trim_end_matches(".rs")
        .split('/')
        .find(|part| FORBIDDEN_NAMES.contains(part))?;
    Some((
        1,
        format!("`{name}` says nothing about the job; name the file after it"),
    ))
}

fn inner_name_breaches(source: &Source) -> Vec<(usize, String)> {
    numbered(&source.code)
        .filter_map(|(number, line)| {
            let (_, after) = line.split_once("mod ")?;
            let name = after.trim().trim_end_matches(['{', ';', ' ']);
            FORBIDDEN_NAMES
                .contains(&name)
                .then(|| (number, format!("`mod {name}` says nothing about its job")))
        })
        .collect()
}

fn allow_breaches(source: &Source) -> Vec<(usize, String)> {
    numbered(&source.code)
        .filter(|(_, line)| {
            let compact: String = line.split_whitespace().collect();
            compact.contains("#[allow(")
                || compact.contains("#![allow(")
                || (compact.contains("cfg_attr(") && compact.contains(",allow("))
        })
        .map(|(number, _)| {
            let sentence =
                "use #[expect(…, reason = \"…\")], which tells when it is not needed any more";
            (number, sentence.to_owned())
        })
        .collect()
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

fn of_readme(text: &str) -> Option<Finding> {
    let lines = text.lines().count();
    (lines > README_LINES).then(|| Finding {
        path: "README.md".to_owned(),
        line: README_LINES + 1,
        sentence: format!("{lines} lines; {README_LINES} are enough, the rest belongs in docs/"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str, text: &str) -> Vec<String> {
        of_source(&Source::new(Path::new(path), text))
            .iter()
            .map(Finding::to_string)
            .collect()
    }

    const HEAD: &str = "//! Keeps order.\n";

    #[test]
    fn names_that_say_nothing_are_refused() {
        for path in [
            "backend/src/utils.rs",
            "backend/src/common/mod.rs",
            "frontend/src/types.rs",
        ] {
            assert_eq!(told(path, HEAD).len(), 1, "{path}");
        }
        assert_eq!(
            told("shared/src/a.rs", &format!("{HEAD}mod helpers {{\n}}")).len(),
            1
        );
        assert!(told("shared/src/archetypes.rs", HEAD).is_empty());
    }

    #[test]
    fn lints_are_expected_and_never_allowed() {
        let line = |attribute: &str| {
            told(
                "shared/src/a.rs",
                &format!("{HEAD}{attribute}\nfn f() {{}}"),
            )
        };
        assert!(line("#[allow(dead_code)]")[0].starts_with("shared/src/a.rs:2: use #[expect("));
        assert_eq!(line("#![ allow(dead_code)]").len(), 1);
        assert_eq!(line("#[cfg_attr(test, allow(dead_code))]").len(), 1);
        assert!(line("#[expect(dead_code, reason = \"later\")]").is_empty());
        assert!(line("// #[allow(dead_code)] is not used here").is_empty());
    }

    #[test]
    fn the_readme_stays_short() {
        assert_eq!(of_readme(&"line\n".repeat(150)), None);
        assert!(of_readme(&"line\n".repeat(151)).is_some());
    }
}
