//! schemathesis, which sends valid and invalid requests according to the OpenAPI document: from PyPI,
//! with the versions of `tests/conformance/requirements.txt`, in its own Python environment in
//! `target/tools`. If it is unavailable, the stage prints the reason, and its test is skipped.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::{Project, run};
use crate::stages::step;

/// The module of tests that needs it.
pub const TESTS: &str = "conformance::";

const REQUIREMENTS: &str = "tests/conformance/requirements.txt";

/// The path of the program.
#[derive(Debug)]
pub struct Schemathesis(PathBuf);

impl Schemathesis {
    /// Tells the test where it is.
    pub fn tell(&self, command: &mut Command) {
        command.env("CHECKLIST_SCHEMATHESIS", &self.0);
    }
}

/// Installs what is not there yet.
///
/// # Errors
/// There is no Python, or PyPI gives nothing.
pub fn find_or_fetch(project: &Project) -> Result<Schemathesis> {
    let folder = project.tools().join("schemathesis");
    let wanted = fs::read(project.root.join(REQUIREMENTS)).context("reading the requirements")?;
    // Written last, so that half of an installation is none.
    let done = folder.join("requirements.txt");
    if fs::read(&done).ok().as_ref() != Some(&wanted) {
        step("fetch schemathesis from PyPI", || {
            let python = ["-m", "venv", "--clear"];
            run(Command::new("python3").args(python).arg(&folder))?;
            run(Command::new(folder.join("bin/pip"))
                .args([
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--requirement",
                ])
                .arg(project.root.join(REQUIREMENTS)))?;
            fs::write(&done, &wanted).context("noting what was installed")
        })?;
    }
    Ok(Schemathesis(folder.join("bin/schemathesis")))
}
