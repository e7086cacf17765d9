//! Runs tests that nextest cannot run and counts their results: examples in the
//! documentation and tests in WASM end with a line `test result: …`, which is read here.

use std::process::Command;

use anyhow::{Result, bail};

use super::report::Counts;
use crate::project::{shown, watch};

/// Runs a command that runs tests, shows what it prints and adds up its results.
///
/// # Errors
/// When it cannot be started, or fails without a failed test telling why (it did not compile, or
/// it crashed).
pub fn run(command: &mut Command) -> Result<Counts> {
    let mut counts = Counts::default();
    let status = watch(command, |line| {
        counts += result_in(line).unwrap_or_default();
    })?;
    if !status.success() && counts.failed == 0 {
        bail!(
            "`{}` failed ({status}) without a failed test",
            shown(command)
        );
    }
    Ok(counts)
}

/// The numbers of a line like `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
fn result_in(line: &str) -> Option<Counts> {
    let (_, result) = line.split_once("test result: ")?;
    let (_, numbers) = result.split_once(". ")?;
    let number = |what: &str| {
        let mut parts = numbers.split(';').map(str::trim);
        parts
            .find_map(|part| part.strip_suffix(what)?.trim().parse().ok())
            .unwrap_or(0)
    };
    Some(Counts {
        passed: number("passed"),
        failed: number("failed"),
        skipped: number("ignored"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn counts(passed: u64, failed: u64, skipped: u64) -> Counts {
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
        assert_eq!(result_in("test refresh::keeps_order ... ok"), None);
    }

    #[test]
    fn results_of_several_programs_add_up() {
        let script = "echo 'test result: ok. 2 passed; 0 failed; 0 ignored'; \
                      echo 'test result: FAILED. 1 passed; 1 failed; 0 ignored'; exit 101";
        let counted = run(Command::new("sh").args(["-c", script])).expect("failed tests tell why");
        assert_eq!(counted, counts(3, 1, 0));
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
