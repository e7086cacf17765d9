//! `cargo xtask mutants`: whether tests detect changes of the code. cargo-mutants changes one place
//! after the other in the code that `.cargo/mutants.toml` names, and runs the tests of its package;
//! it reports changes that no test detects. A full run takes hours, so it can be split into parts,
//! which are deterministic. Also a part of `trust`.

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::cargo_tool;
use crate::files;
use crate::project::{Project, output_of, shown};
use crate::trust;

const VERSION: &str = "27.1.0";
/// How many of a hundred have to be noticed.
const ENOUGH: u64 = 90;

/// The tests that a package's code is held by, where those are not all that there are: they are built
/// and run once for each change.
const TESTS: [(&str, &[&str]); 1] = [
    // All but the examples in the documentation.
    ("site-lists", &["--cargo-arg=--lib", "--cargo-arg=--tests"]),
];

/// Changes the code and looks whether a test notices.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask mutants\n  \
    cargo xtask mutants --package checklist-shared --part 0/8\n  \
    cargo xtask mutants --package site-lists")]
pub struct Options {
    /// The package whose code is changed.
    #[arg(long, value_name = "NAME", default_value = "checklist-shared")]
    package: String,
    /// Only one of so many parts of the changes, taken evenly from all of them: 0/8 to 7/8.
    #[arg(long, value_name = "NUMBER/COUNT")]
    part: Option<String>,
    /// Only files whose path this pattern meets.
    #[arg(long, value_name = "PATTERN")]
    file: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When it cannot be run, or too many changes went unnoticed.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let out = project.target.join("mutants");
    files::make(&out)?;
    let all = output_of(cargo_mutants(project, options)?.arg("--list"))?;
    let all = String::from_utf8_lossy(&all.stdout).lines().count();
    let mut command = cargo_mutants(project, options)?;
    command
        .args(["--colors", "never", "--output"])
        .arg(&out)
        // These tests take seconds, those of site-lists a minute at most. The time is not taken from
        // their first run: other work may have kept the machine busy.
        .args(["--timeout", "180"])
        // Nobody debugs them, and half of the time would go into it.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        // What is not of the project is built once, and not for each run.
        .env("CARGO_TARGET_DIR", project.target.join("mutants/build"));
    if let Some(part) = &options.part {
        command.args(["--shard", part, "--sharding", "round-robin"]);
    }
    for (package, arguments) in TESTS {
        if package == options.package {
            command.args(arguments);
        }
    }
    // What it ends with says only that some went unnoticed; the report says how many.
    command
        .status()
        .with_context(|| format!("starting `{}`", shown(&command)))?;
    let tally = Tally::read(&out.join("mutants.out/outcomes.json"))?;
    let part = options.part.as_deref();
    let figure = format!(
        "{}: {} of {all} mutants tried{}: {} noticed, {} not ({} %)",
        options.package,
        tally.all,
        part.map(|part| format!(" (part {part})"))
            .unwrap_or_default(),
        tally.noticed,
        tally.unnoticed,
        tally.percent()
    );
    println!(
        "\n{figure}; the others: {}",
        out.join("mutants.out/missed.txt").display()
    );
    ensure!(
        tally.percent() >= ENOUGH,
        "fewer than {ENOUGH} of 100 changes were noticed"
    );
    trust::tell("S9", &figure)?;
    Ok(ExitCode::SUCCESS)
}

/// cargo-mutants for what is to be changed.
fn cargo_mutants(project: &Project, options: &Options) -> Result<Command> {
    let mut command = Command::new(cargo_tool::ensure(project, "cargo-mutants", VERSION)?);
    command
        .current_dir(&project.root)
        .args(["mutants", "--package", &options.package]);
    if let Some(file) = &options.file {
        command.args(["--file", file]);
    }
    Ok(command)
}

/// How the changes ended; those that do not compile are neither noticed nor unnoticed.
#[derive(Debug, PartialEq)]
struct Tally {
    all: u64,
    /// A test failed, or did not come to an end.
    noticed: u64,
    unnoticed: u64,
}

impl Tally {
    fn read(path: &Path) -> Result<Self> {
        let text = files::read_text(path)?;
        let report: Value = serde_json::from_str(&text).context("reading the report")?;
        let number = |name: &str| {
            let number = report[name].as_u64();
            number.with_context(|| format!("the report says nothing of {name}"))
        };
        let tally = Self {
            all: number("total_mutants")?,
            noticed: number("caught")? + number("timeout")?,
            unnoticed: number("missed")?,
        };
        ensure!(tally.tried() > 0, "nothing was changed");
        Ok(tally)
    }

    const fn tried(&self) -> u64 {
        self.noticed + self.unnoticed
    }

    const fn percent(&self) -> u64 {
        self.noticed * 100 / self.tried()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_come_to_an_end_was_noticed_and_what_does_not_compile_was_not_tried() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("outcomes.json");
        let report =
            r#"{"total_mutants": 13, "caught": 8, "missed": 1, "timeout": 1, "unviable": 3}"#;
        files::write(&file, report).expect("a file");
        let tally = Tally::read(&file).expect("a report");
        assert_eq!((tally.noticed, tally.tried(), tally.percent()), (9, 10, 90));
        assert_eq!(tally.all, 13);
    }

    #[test]
    fn every_file_that_the_settings_name_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let settings = files::read_text(&root.join(".cargo/mutants.toml")).expect("settings");
        let patterns: Vec<&str> = settings
            .lines()
            .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix(".rs\","))
            .collect();
        assert!(patterns.len() > 3, "{patterns:?}");
        for pattern in patterns {
            let place = match pattern.split_once('*') {
                Some((folder, _)) => folder.to_owned(),
                None => format!("{pattern}.rs"),
            };
            assert!(root.join(&place).exists(), "there is no {place}");
        }
    }

    #[test]
    fn a_run_that_changed_nothing_is_no_proof() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("outcomes.json");
        let report = r#"{"total_mutants": 0, "caught": 0, "missed": 0, "timeout": 0}"#;
        files::write(&file, report).expect("a file");
        assert!(Tally::read(&file).is_err());
    }
}
