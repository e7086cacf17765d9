//! The identity provider of the tests: npm's `oidc-provider`, installed into
//! `target/tools/oidc` from the lock file in `tests/oidc`, and a Node to run it. If one of them is
//! unavailable, the stage prints the reason, and the tests that need it are skipped.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::npm::{self, Package};
use crate::project::Project;

/// The modules of tests that need it.
pub const TESTS: [&str; 5] = [
    "oidc::",
    "consent::",
    "downgrade::",
    "sign_in_page::",
    "with_tokens::",
];

/// Those that need it on PostgreSQL only, where no session can be begun in a demo.
pub const TESTS_ON_POSTGRES: &str = "sessions::";

const PACKAGE: Package<'_> = Package {
    title: "the identity provider",
    source: "tests/oidc",
    folder: "oidc",
    files: &["package.json", "package-lock.json", "provider.js"],
};

/// Where the provider is, and what it runs on.
#[derive(Debug)]
pub struct IdentityProvider {
    folder: PathBuf,
    node: PathBuf,
}

impl IdentityProvider {
    /// Tells the tests where it is.
    pub fn tell(&self, command: &mut Command) {
        command
            .env("CHECKLIST_OIDC", &self.folder)
            .env("CHECKLIST_NODE", &self.node);
    }
}

/// Installs what is not there yet.
///
/// # Errors
/// npm is missing, or gives nothing.
pub fn find_or_fetch(project: &Project) -> Result<IdentityProvider> {
    Ok(IdentityProvider {
        folder: npm::install(project, &PACKAGE)?,
        node: npm::node(project)?,
    })
}
