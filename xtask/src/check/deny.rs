//! Checks licences, bans and sources of all dependencies with cargo-deny and `deny.toml`.
//! Advisories are checked where somebody asks for it: their database does not come with the crates,
//! and a fault that becomes known must not turn a commit red that has not changed. An installed
//! cargo-deny that is new enough is used; otherwise it is built once into `target/tools`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::cargo_tool;
use crate::project::{Project, output_of, run};
use crate::stages::step;

const NAME: &str = "cargo-deny";
/// The version that is built when none is there.
const VERSION: &str = "0.20.2";
/// The oldest one that reads our `deny.toml`.
const OLDEST: (u32, u32) = (0, 19);

/// Runs `cargo deny check licenses bans sources`.
///
/// # Errors
/// When a rule is broken, or cargo-deny can neither be found nor built.
pub fn check(project: &Project) -> Result<()> {
    println!("Known faults are not looked for here: `cargo xtask check --advisories` does.");
    cargo_deny(project, &["licenses", "bans", "sources"])
}

/// Runs `cargo deny check advisories`, which gets the database of known faults from the network.
///
/// # Errors
/// When a dependency has a known fault, or the database cannot be reached.
pub fn advisories(project: &Project) -> Result<()> {
    cargo_deny(project, &["advisories"])
        .context("a known fault, or the database of RustSec cannot be reached from here")
}

fn cargo_deny(project: &Project, checks: &[&str]) -> Result<()> {
    let program = match find(project) {
        Some(program) => program,
        None => step("build cargo-deny (once)", || {
            cargo_tool::install(project, NAME, VERSION)
        })?,
    };
    let mut command = Command::new(program);
    command.current_dir(&project.root);
    if let Some(cargo) = std::env::var_os("CARGO") {
        command.env("CARGO", cargo);
    }
    command.args(["--locked", "--all-features", "check"]);
    run(command.arg("--hide-inclusion-graph").args(checks))
}

fn find(project: &Project) -> Option<PathBuf> {
    [PathBuf::from(NAME), cargo_tool::installed(project, NAME)]
        .into_iter()
        .find(|program| {
            output_of(Command::new(program).arg("--version"))
                .is_ok_and(|output| is_new_enough(&String::from_utf8_lossy(&output.stdout)))
        })
}

/// Compares the version in `cargo-deny 0.20.2`.
fn is_new_enough(said: &str) -> bool {
    let version = said.split_whitespace().next_back().unwrap_or_default();
    let mut numbers = version.split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= OLDEST,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_or_unreadable_version_is_not_taken() {
        assert!(is_new_enough("cargo-deny 0.20.2\n"));
        assert!(is_new_enough("cargo-deny 1.0.0"));
        assert!(!is_new_enough("cargo-deny 0.14.3"));
        assert!(!is_new_enough(""));
    }
}
