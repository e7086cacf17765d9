//! The identity provider that the tests sign in with: npm's `oidc-provider`, installed under
//! `target/tools/oidc` as `tests/oidc` says, and a Node that it runs on. Where one of them cannot
//! be had the reason is told, and the tests that need it are left out and count as skipped.

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
