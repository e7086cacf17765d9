//! Named stages, one after the other or from several threads at once: each prints a heading, a result
//! and its duration, and all of them run even if one fails. `check` and `test` end with the table and
//! the summary line that this module prints, and with the exit code that follows from it.

use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::test::report::{Counts, MOST_FLAKY, Report};

/// How a stage ended when nothing went wrong on the way to its verdict.
pub enum Outcome {
    Passed,
    /// Tests ran; they passed only if none of them failed.
    Tests(Counts),
    /// Likewise, but some may have failed first and passed when they were run again.
    Retried(Report),
    /// It could not run here; the text says what is missing.
    Skipped(String),
}

enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

struct Stage {
    name: String,
    verdict: Verdict,
    counts: Counts,
    flaky: Vec<String>,
    took: Duration,
}

/// The stages that have run so far.
#[derive(Default)]
pub struct Stages {
    done: Mutex<Vec<Stage>>,
}

impl Stages {
    /// Runs one stage under its heading; answers whether it passed.
    pub fn run(&self, name: &str, work: impl FnOnce() -> Result<Outcome>) -> bool {
        println!("\n=== {name} ===");
        let start = Instant::now();
        let mut flaky = Vec::new();
        let outcome = work().map(|outcome| match outcome {
            Outcome::Retried(report) => {
                flaky = report.flaky;
                Outcome::Tests(report.counts)
            }
            other => other,
        });
        let (verdict, counts) = match outcome {
            Ok(Outcome::Passed | Outcome::Retried(_)) => (Verdict::Passed, Counts::default()),
            Ok(Outcome::Tests(counts)) if flaky.len() > MOST_FLAKY => (
                Verdict::Failed(format!("{} flaky tests are no accident", flaky.len())),
                counts,
            ),
            Ok(Outcome::Tests(counts)) if counts.failed == 0 => (Verdict::Passed, counts),
            Ok(Outcome::Tests(counts)) => (
                Verdict::Failed(format!("{} tests failed", counts.failed)),
                counts,
            ),
            Ok(Outcome::Skipped(reason)) => (Verdict::Skipped(reason), Counts::default()),
            Err(error) => (Verdict::Failed(format!("{error:#}")), Counts::default()),
        };
        let passed = matches!(verdict, Verdict::Passed);
        let took = start.elapsed();
        let seconds = took.as_secs_f64();
        match &verdict {
            Verdict::Passed => println!("--- {name}: {seconds:.1} s"),
            Verdict::Failed(reason) => println!("--- {name} FAILED: {reason}"),
            Verdict::Skipped(reason) => println!("--- {name} SKIPPED: {reason}"),
        }
        self.done().push(Stage {
            name: name.to_owned(),
            verdict,
            counts,
            flaky,
            took,
        });
        passed
    }

    /// Looks for something, in a stage that is skipped where it cannot be had.
    pub fn find<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Option<T> {
        let mut found = None;
        self.run(name, || {
            Ok(match work() {
                Ok(it) => {
                    found = Some(it);
                    Outcome::Passed
                }
                Err(error) => Outcome::Skipped(format!("{error:#}")),
            })
        });
        found
    }

    /// Makes something, in a stage that fails where it cannot be made.
    pub fn make<T>(&self, name: &str, work: impl FnOnce() -> Result<T>) -> Option<T> {
        let mut made = None;
        self.run(name, || {
            made = Some(work()?);
            Ok(Outcome::Passed)
        });
        made
    }

    /// The stages that have ended; a stage that broke down leaves the others as they are.
    fn done(&self) -> MutexGuard<'_, Vec<Stage>> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a stage that needs what an earlier one makes; without it, it is skipped.
    pub fn run_after(
        &self,
        needed: bool,
        missing: &str,
        name: &str,
        work: impl FnOnce() -> Result<Outcome>,
    ) -> bool {
        if needed {
            self.run(name, work)
        } else {
            self.run(name, || Ok(Outcome::Skipped(missing.to_owned())))
        }
    }

    /// One line a stage: verdict, seconds, name, and the reason where it did not pass.
    pub fn table(&self) -> String {
        let mut table = String::from("\n=== summary ===\n");
        for stage in self.done().iter() {
            let (word, reason) = match &stage.verdict {
                Verdict::Passed => ("PASSED", ""),
                Verdict::Failed(reason) => ("FAILED", reason.as_str()),
                Verdict::Skipped(reason) => ("SKIPPED", reason.as_str()),
            };
            let seconds = stage.took.as_secs_f64();
            let reason = shortened(reason);
            let line = format!("{word:<7} {seconds:>7.1} s  {:<22} {reason}", stage.name);
            table.push_str(line.trim_end());
            table.push('\n');
            for name in &stage.flaky {
                table.push_str("FLAKY             failed, then passed: ");
                table.push_str(name);
                table.push('\n');
            }
        }
        table
    }

    /// What the summary line counts: every test, and every stage that failed or was skipped
    /// without a test that shows it (a failed format check must not end in `0 failed`).
    pub fn totals(&self) -> Counts {
        let mut totals = Counts::default();
        for stage in self.done().iter() {
            totals += stage.counts;
            match stage.verdict {
                Verdict::Failed(_) if stage.counts.failed == 0 => totals.failed += 1,
                Verdict::Skipped(_) => totals.skipped += 1,
                Verdict::Passed | Verdict::Failed(_) => {}
            }
        }
        totals
    }

    /// Success, unless something failed or, where `skips_fail`, was skipped.
    pub fn exit_code(&self, skips_fail: bool) -> ExitCode {
        let totals = self.totals();
        if totals.failed > 0 || (skips_fail && totals.skipped > 0) {
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }
}

/// The beginning of a reason: the whole of it stands under the heading of its stage.
fn shortened(reason: &str) -> String {
    const LONGEST: usize = 100;
    let line = reason.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(LONGEST).collect();
    if short.len() < reason.len() {
        short.push('…');
    }
    short
}

/// Says what begins, does it, and says how long it took.
///
/// # Errors
/// The error of `work`, as it is.
pub fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("-> {what}");
    let start = Instant::now();
    let made = work()?;
    println!("   {what}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
        Counts {
            passed,
            failed,
            skipped,
        }
    }

    #[test]
    fn a_stage_that_fails_without_tests_counts_as_one_failure() {
        let stages = Stages::default();
        assert!(!stages.run("format", || bail!("two files")));
        assert!(stages.run("unit", || Ok(Outcome::Tests(counts(7, 0, 0)))));
        assert_eq!(stages.totals(), counts(7, 1, 0));
        assert_eq!(stages.exit_code(false), ExitCode::FAILURE);
    }

    #[test]
    fn failed_tests_are_not_counted_twice() {
        let stages = Stages::default();
        assert!(!stages.run("unit", || Ok(Outcome::Tests(counts(7, 2, 1)))));
        assert_eq!(stages.totals(), counts(7, 2, 1));
    }

    #[test]
    fn a_skip_fails_only_where_skips_are_not_accepted() {
        let stages = Stages::default();
        stages.run("browser", || Ok(Outcome::Skipped("no browser".to_owned())));
        assert_eq!(stages.totals(), counts(0, 0, 1));
        assert_eq!(stages.exit_code(false), ExitCode::SUCCESS);
        assert_eq!(stages.exit_code(true), ExitCode::FAILURE);
    }

    #[test]
    fn a_flaky_test_fails_no_stage_but_stands_in_the_summary() {
        let stages = Stages::default();
        let report = |count| Report {
            counts: counts(7, 0, 0),
            flaky: vec!["forms::a_label_focuses_it".to_owned(); count],
        };
        assert!(stages.run("browser", || Ok(Outcome::Retried(report(1)))));
        assert_eq!(stages.exit_code(true), ExitCode::SUCCESS);
        let table = stages.table();
        assert!(table.contains("FLAKY"), "{table}");
        assert!(table.contains("forms::a_label_focuses_it"), "{table}");
        let many = report(MOST_FLAKY + 1);
        assert!(!stages.run("browser", || Ok(Outcome::Retried(many))));
        assert_eq!(stages.exit_code(true), ExitCode::FAILURE);
    }

    #[test]
    fn what_needs_a_failed_stage_is_told_as_skipped_with_the_reason() {
        let stages = Stages::default();
        let built = stages.run("control", || bail!("does not compile"));
        stages.run_after(built, "the control was not built", "unit", || {
            unreachable!("must not run")
        });
        let table = stages.table();
        assert!(table.contains("FAILED "), "{table}");
        assert!(
            table.contains("unit                   the control was not built"),
            "{table}"
        );
    }
}
