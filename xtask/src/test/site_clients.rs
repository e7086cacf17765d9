//! Third-party clients of site lists from npm, installed into `target/tools/site-clients`
//! from the lock file in `tests/site-clients`. If they are unavailable, the stage prints the reason,
//! and the tests that need them are skipped.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::npm::{self, Package};
use crate::project::Project;

/// The module of tests that needs them.
pub const TESTS: [&str; 1] = ["npm_clients::"];

const PACKAGE: Package<'_> = Package {
    title: "the clients of site lists",
    source: "tests/site-clients",
    folder: "site-clients",
    files: &[
        "package.json",
        "package-lock.json",
        "proof.js",
        "pnp.js",
        "measure.js",
        "graph.js",
    ],
};

/// Where the clients are, and what they run on.
#[derive(Debug)]
pub struct SiteClients {
    folder: PathBuf,
    node: PathBuf,
}

impl SiteClients {
    /// Tells the tests where they are.
    pub fn tell(&self, command: &mut Command) {
        command
            .env("CHECKLIST_SITE_CLIENTS", &self.folder)
            .env("CHECKLIST_NODE", &self.node);
    }
}

/// Installs what is not there yet.
///
/// # Errors
/// npm is missing, or gives nothing.
pub fn find_or_fetch(project: &Project) -> Result<SiteClients> {
    Ok(SiteClients {
        folder: npm::install(project, &PACKAGE)?,
        node: npm::node(project)?,
    })
}
