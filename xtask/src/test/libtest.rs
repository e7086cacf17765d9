//! Parses the numbers of passed and failed tests from the output of test programs, while it is shown
//! on the terminal. Rust's test harness and the WASM runner both end with a line `test result: …`.
//!
//! Tests in a browser depend on a driver that loses its session now and then. In CI a few that
//! failed are run once more; one that passes then is flaky, which the summary says and never hides.

use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::ops::AddAssign;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};

use crate::project::shown;

/// The number of tests by result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, more: Self) {
        self.passed += more.passed;
        self.failed += more.failed;
        self.skipped += more.skipped;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(out, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// The most failed tests that are worth a second run: more of them are no accident.
const MOST_RUN_AGAIN: usize = 3;

/// The result of tests that may have been run twice.
#[derive(Debug, PartialEq)]
pub struct Rerun {
    pub counts: Counts,
    /// The tests that failed, and passed in the second run.
    pub flaky: Vec<String>,
}

/// Runs tests and, where `rerun` and only a few failed, those once more. `command` gets what
/// follows the `--`: the filter, or the names of the failed tests.
///
/// # Errors
/// As [`run`].
pub fn run_twice(
    rerun: bool,
    filter: &[String],
    mut command: impl FnMut(&[String]) -> Command,
) -> Result<Rerun> {
    let (mut counts, failed) = watch(&mut command(filter))?;
    if !rerun || failed.is_empty() || failed.len() > MOST_RUN_AGAIN {
        let flaky = Vec::new();
        return Ok(Rerun { counts, flaky });
    }
    println!(
        "Once more, to learn which of them are flaky: {}",
        failed.join(", ")
    );
    let mut exactly = failed.clone();
    exactly.push("--exact".to_owned());
    let (_, still) = watch(&mut command(&exactly))?;
    let flaky: Vec<String> = failed
        .into_iter()
        .filter(|name| !still.contains(name))
        .collect();
    let mended = u64::try_from(flaky.len()).unwrap_or(u64::MAX);
    counts.passed = counts.passed.saturating_add(mended);
    counts.failed = counts.failed.saturating_sub(mended);
    Ok(Rerun { counts, flaky })
}

/// Runs a command that runs tests, shows what it prints and adds up its results.
///
/// # Errors
/// When it cannot be started, or fails without a failed test telling why (it did not compile, or
/// it crashed).
pub fn run(command: &mut Command) -> Result<Counts> {
    Ok(watch(command)?.0)
}

/// The counts, and the names of the tests that failed.
fn watch(command: &mut Command) -> Result<(Counts, Vec<String>)> {
    let line = shown(command);
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting `{line}`"))?;
    let output = child
        .stdout
        .take()
        .ok_or_else(|| anyhow!("`{line}` has no output"))?;
    let mut counts = Counts::default();
    let mut failed = Vec::new();
    for printed in BufReader::new(output).split(b'\n') {
        let printed = printed.with_context(|| format!("reading what `{line}` prints"))?;
        let printed = String::from_utf8_lossy(&printed);
        println!("{printed}");
        counts += result_in(&printed).unwrap_or_default();
        failed.extend(failed_in(&printed).map(str::to_owned));
    }
    let status = child
        .wait()
        .with_context(|| format!("waiting for `{line}`"))?;
    if !status.success() && counts.failed == 0 {
        bail!("`{line}` failed ({status}) without a failed test");
    }
    Ok((counts, failed))
}

/// The name in a line like `test forms::a_label_focuses_it ... FAILED`.
fn failed_in(line: &str) -> Option<&str> {
    line.strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// The numbers of a line like `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
fn result_in(line: &str) -> Option<Counts> {
    let (_, result) = line.split_once("test result: ")?;
    let (_, numbers) = result.split_once(". ")?;
    let mut counts = Counts::default();
    for part in numbers.split(';') {
        let Some((number, what)) = part.trim().split_once(' ') else {
            continue;
        };
        let Ok(number) = number.parse() else {
            continue;
        };
        match what {
            "passed" => counts.passed = number,
            "failed" => counts.failed = number,
            "ignored" => counts.skipped = number,
            _ => {}
        }
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts {
            passed,
            failed,
            skipped,
        }
    }

    #[test]
    fn the_result_line_of_a_test_program_is_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; \
                    7 filtered out; finished in 0.05s";
        assert_eq!(result_in(line), Some(counts(12, 3, 1)));
        let wasm =
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.1s";
        assert_eq!(result_in(wasm), Some(counts(5, 0, 0)));
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(result_in("test refresh::keeps_order ... ok"), None);
        assert_eq!(result_in("running 12 tests"), None);
    }

    #[test]
    fn results_of_several_programs_add_up() {
        let script = "echo 'test result: ok. 2 passed; 0 failed; 0 ignored'; \
                      echo 'test result: FAILED. 1 passed; 1 failed; 0 ignored'; exit 101";
        let counted = run(Command::new("sh").args(["-c", script])).expect("failed tests tell why");
        assert_eq!(counted, counts(3, 1, 0));
    }

    /// A test program whose tests `bad` fails always and `lazy` the first time.
    fn program(arguments: &[String]) -> Command {
        let script = r#"
            case "$*" in
                *--exact*) echo 'test bad ... FAILED'; echo 'test lazy ... ok'
                    echo 'test result: FAILED. 1 passed; 1 failed; 0 ignored';;
                *) echo 'test good ... ok'; echo 'test bad ... FAILED'; echo 'test lazy ... FAILED'
                    echo 'test result: FAILED. 1 passed; 2 failed; 0 ignored';;
            esac
            exit 101"#;
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).args(arguments);
        command
    }

    #[test]
    fn a_test_that_passes_when_run_again_is_named_as_flaky_and_one_that_does_not_has_failed() {
        let told = run_twice(true, &[], program).expect("failed tests tell why");
        assert_eq!(told.counts, counts(2, 1, 0));
        assert_eq!(told.flaky, ["lazy"]);
    }

    #[test]
    fn without_a_second_run_every_failure_counts() {
        let told = run_twice(false, &[], program).expect("failed tests tell why");
        assert_eq!(told.counts, counts(1, 2, 0));
        assert!(told.flaky.is_empty());
    }

    #[test]
    fn many_failures_are_no_accident_and_are_not_run_again() {
        let script = "for name in a b c d; do echo \"test $name ... FAILED\"; done; \
                      echo 'test result: FAILED. 0 passed; 4 failed; 0 ignored'; exit 101";
        let mut runs = 0;
        let told = run_twice(true, &[], |_| {
            runs += 1;
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        })
        .expect("failed tests tell why");
        assert_eq!((told.counts, runs), (counts(0, 4, 0), 1));
    }

    #[test]
    fn a_failure_without_a_failed_test_is_an_error() {
        let error = run(Command::new("sh").args(["-c", "exit 3"])).expect_err("it failed");
        assert!(
            error.to_string().contains("without a failed test"),
            "{error}"
        );
    }

    #[test]
    fn the_closing_line_names_skips_only_where_there_are_any() {
        assert_eq!(counts(7, 0, 0).to_string(), "7 passed, 0 failed");
        assert_eq!(counts(7, 1, 2).to_string(), "7 passed, 1 failed, 2 skipped");
    }
}
