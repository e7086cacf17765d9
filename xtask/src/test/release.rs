//! The tests that install a release (`tests/tests/http/release`): what they need besides it, and the run
//! of them alone, for `cargo xtask dist --check`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::nextest::Tests;
use super::tool::Tool;
use super::{debian, npm};
use crate::build;
use crate::project::{Environment, Project};
use crate::stages::{Outcome, Stages};

const PACKAGES: [&str; 4] = ["buildah", "crun", "minisign", "podman"];

/// These tests, as nextest selects them.
pub const SELECTION: &str = "package(checklist-tests) & test(/^release::/)";

/// What a release is made and installed with: images, containers, signatures. As root, which alone may
/// install packages in a root of its own.
pub const TOOLS: Tool = Tool {
    title: "programs that install a release",
    tests: &["release::"],
    find,
};

fn find(project: &Project) -> Result<Environment> {
    debian::need_apt("buildah, crun, minisign and podman")?;
    if !debian::is_root()? {
        bail!("only root can install a package in a root of its own");
    }
    let is_missing = |name: &&str| !Path::new("/usr/bin").join(name).exists();
    let missing: Vec<&str> = PACKAGES.into_iter().filter(is_missing).collect();
    if !missing.is_empty() {
        debian::install(&[], &missing)?;
    }
    Ok(vec![("CHECKLIST_NODE", npm::node(project)?.into())])
}

/// Installs a release and tries what was installed.
///
/// # Errors
/// When what the tests need cannot be had, or they do not build.
pub fn only(project: &Project, release: Environment) -> Result<ExitCode> {
    build::tests(project)?;
    let stages = Stages::default();
    let mut tests = Tests::that(project, SELECTION);
    TOOLS.give(project, &stages, &mut tests);
    tests.tell(release);
    stages.run("install the release", || {
        Ok(Outcome::Retried(tests.run(&[])?))
    });
    println!("{}", stages.totals());
    // Asked for, so that what cannot be tried is a failure.
    Ok(stages.exit_code(true))
}
