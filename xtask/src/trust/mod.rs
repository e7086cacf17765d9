//! `cargo xtask trust`: tests the product's guarantees in full, and writes the results to
//! `docs/TRUST.md`: guarantee, figure, commit and date. Each guarantee is a list of tests; they run
//! as in `cargo xtask test`, with more iterations. Guarantees that are not run keep their row; a
//! figure from before the last release is marked.

mod promises;
mod table;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::files;
use crate::project::{Project, output_of, watch};
use promises::{PROMISES, Promise};
use table::{Row, Table};

/// Where figures are written down; tests know it by the same name.
const FIGURES: &str = "CHECKLIST_TRUST_FIGURES";

/// Tries all promises in full and writes docs/TRUST.md.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask trust\n  \
    cargo xtask trust --only D1,W3")]
pub struct Options {
    /// Only these promises; the others keep their rows.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When a promise is not held, after the others were tried, or the table cannot be written.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let known = |id: &String| {
        PROMISES
            .iter()
            .any(|promise| promise.id.eq_ignore_ascii_case(id))
    };
    if let Some(unknown) = options.only.iter().find(|id| !known(id)) {
        let all: Vec<&str> = PROMISES.iter().map(|promise| promise.id).collect();
        bail!(
            "there is no promise {unknown}; there are {}",
            all.join(", ")
        );
    }
    let wanted = |promise: &&Promise| {
        let mut only = options.only.iter();
        options.only.is_empty() || only.any(|id| promise.id.eq_ignore_ascii_case(id))
    };
    let path = project.root.join("docs/TRUST.md");
    let mut table = Table::read(&fs::read_to_string(&path).unwrap_or_default());
    let (commit, date) = now(project)?;
    // Before a test compiles this very program anew: then the system no longer knows its path.
    let program = std::env::current_exe()?;
    let mut broken = Vec::new();
    for promise in PROMISES.iter().filter(wanted) {
        println!("\n=== {}: {} ===", promise.id, promise.says);
        match tried(project, &program, promise) {
            Ok(figure) => table.put(Row {
                id: promise.id.to_owned(),
                figure,
                commit: commit.clone(),
                date: date.clone(),
            }),
            Err(error) => {
                println!("{error:#}");
                broken.push(promise.id);
            }
        }
        // After each, so that nothing is lost when the next one is interrupted.
        let written = table.written(PROMISES, &|commit| is_stale(project, commit));
        files::write(&path, written)?;
    }
    ensure!(broken.is_empty(), "not held: {}", broken.join(", "));
    println!("\nWritten: {}", path.display());
    Ok(ExitCode::SUCCESS)
}

/// Runs the tests of a guarantee; returns their figures, or their number.
fn tried(project: &Project, program: &Path, promise: &Promise) -> Result<String> {
    let mut tests = 0;
    let mut all = "";
    let figures = project.target.join("trust").join(promise.id);
    files::make(&project.target.join("trust"))?;
    files::remove(&figures)?;
    for (part, filters) in promise.runs {
        for filter in *filters {
            let mut command = Command::new(program);
            if promises::COMMANDS.contains(part) {
                command.arg(part).args(filter.split(' '));
            } else {
                command.args(["test", "--only", part, "--", filter]);
            }
            command.env("CHECKLIST_TRUST", "full");
            command.env(FIGURES, &figures);
            // What cannot be tried is not held.
            command.env("CI", "true");
            let mut passed = 0;
            let status = watch(&mut command, |line| {
                passed = closing(line).unwrap_or(passed);
            })?;
            ensure!(
                status.success(),
                "{} is not held: {filter} in {part}",
                promise.id
            );
            // A filter that chooses nothing would hold anything.
            ensure!(
                passed > 0 || promises::COMMANDS.contains(part),
                "{}: no test of {part} is called {filter}",
                promise.id
            );
            tests += passed;
            if filter.is_empty() {
                all = "all ";
            }
        }
    }
    Ok(told(&figures, promise.id).unwrap_or_else(|| format!("held by {all}{tests} tests")))
}

/// The number of the closing line: `12 passed, 0 failed`.
fn closing(line: &str) -> Option<u64> {
    let (passed, rest) = line.split_once(" passed, ")?;
    rest.contains(" failed").then(|| passed.parse().ok())?
}

/// Writes a figure down, where a run of this command collects it.
///
/// # Errors
/// When it cannot be written.
pub fn tell(promise: &str, figure: &str) -> Result<()> {
    let Some(path) = std::env::var_os(FIGURES) else {
        return Ok(());
    };
    let mut file = fs::File::options().create(true).append(true).open(path)?;
    writeln!(file, "{promise}\t{figure}").context("writing a figure down")
}

/// The figures that the tests of a promise have written down.
fn told(file: &Path, id: &str) -> Option<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let figures: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter(|(promise, _)| *promise == id)
        .map(|(_, figure)| figure)
        .collect();
    (!figures.is_empty()).then(|| figures.join("; "))
}

/// The commit that is tried, and today.
fn now(project: &Project) -> Result<(String, String)> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output = output_of(
            Command::new("git")
                .current_dir(&project.root)
                .args(arguments),
        )?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&[
        "status",
        "--porcelain",
        "--untracked-files=no",
        "--",
        ":!docs/TRUST.md",
    ])?;
    let output = output_of(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    let date = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mark = if changed.is_empty() { "" } else { "+" };
    Ok((format!("{commit}{mark}"), date))
}

/// Whether a commit is older than the last release, as the tags say.
fn is_stale(project: &Project, commit: &str) -> bool {
    let git = |arguments: &[&str]| {
        output_of(
            Command::new("git")
                .current_dir(&project.root)
                .args(arguments),
        )
        .ok()
    };
    let Some(tag) = git(&["describe", "--tags", "--abbrev=0"]) else {
        return false; // nothing was released yet
    };
    let tag = String::from_utf8_lossy(&tag.stdout).trim().to_owned();
    let commit = commit.trim_end_matches('+');
    git(&["merge-base", "--is-ancestor", &tag, commit]).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_other_promises_are_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("D1");
        fs::write(
            &file,
            "D1\t0 lost of 10\nD6\t0 doubled\nD1\tPostgreSQL: 0 lost\n",
        )
        .expect("a file");
        let told_of = told(&file, "D1").expect("figures");
        assert_eq!(told_of, "0 lost of 10; PostgreSQL: 0 lost");
        assert_eq!(told(&folder.path().join("W1"), "W1"), None);
    }

    #[test]
    fn the_closing_line_says_how_many_tests_there_were() {
        assert_eq!(closing("12 passed, 0 failed"), Some(12));
        assert_eq!(closing("12 passed, 0 failed, 3 skipped"), Some(12));
        assert_eq!(closing("test result: ok. 12 passed; 0 failed"), None);
    }

    #[test]
    fn every_filter_of_a_promise_chooses_a_test_that_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut sources = String::new();
        for folder in ["tests/tests", "backend"] {
            for path in files::below(&root.join(folder)).expect("the sources") {
                if path.extension().is_some_and(|end| end == "rs") {
                    sources.push_str(&files::read_text(&path).expect("a source"));
                }
            }
        }
        for promise in PROMISES {
            let tests = promise
                .runs
                .iter()
                .filter(|(part, _)| !promises::COMMANDS.contains(part));
            for filter in tests.flat_map(|(_, filters)| *filters) {
                let is_there = match filter.strip_suffix("::") {
                    Some(module) => sources.contains(&format!("mod {module};")),
                    None => sources.contains(filter),
                };
                assert!(is_there, "{}: {filter}", promise.id);
            }
        }
    }
}
