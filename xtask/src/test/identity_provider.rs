//! The identity provider that the tests sign in with: npm's `oidc-provider`, installed under
//! `target/tools/oidc` as `tests/oidc` says, and a Node that it runs on. Where one of them cannot
//! be had the reason is told, and the tests that need it are left out and count as skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::project::{Project, output_of, run};
use crate::stages::step;

/// The modules of tests that need it.
pub const TESTS: [&str; 3] = ["oidc::", "downgrade::", "sign_in_page::"];

/// Those that need it on PostgreSQL only, where no session can be begun in a demo.
pub const TESTS_ON_POSTGRES: &str = "sessions::";

const FILES: [&str; 3] = ["package.json", "package-lock.json", "provider.js"];
/// The oldest Node that the provider runs on, and the one that is fetched.
const OLDEST_NODE: u32 = 20;
const FETCHED_NODE: &str = "node@22";

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
    let folder = project.tools().join("oidc");
    let source = project.root.join("tests/oidc");
    if !is_installed(&source, &folder) {
        step("fetch the identity provider from npm", || {
            install(&source, &folder)
        })?;
    }
    Ok(IdentityProvider {
        folder,
        node: node(project)?,
    })
}

/// Whether the folder holds what was asked for; the lock is copied last.
fn is_installed(source: &Path, folder: &Path) -> bool {
    let same = |name: &str| match (fs::read(source.join(name)), fs::read(folder.join(name))) {
        (Ok(wanted), Ok(there)) => wanted == there,
        _ => false,
    };
    FILES.iter().all(|name| same(name)) && folder.join("node_modules/oidc-provider").is_dir()
}

fn install(source: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    for name in FILES {
        fs::copy(source.join(name), folder.join(name))
            .with_context(|| format!("copying {name}"))?;
    }
    let quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
    run(Command::new("npm")
        .arg("ci")
        .args(quiet)
        .current_dir(folder))
}

/// The system's Node where it is new enough, npm's otherwise.
fn node(project: &Project) -> Result<PathBuf> {
    let system = PathBuf::from("node");
    if major(&system).is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(system);
    }
    let folder = project.tools().join("node");
    let fetched = folder.join("node_modules/node/bin/node");
    if major(&fetched).is_none() {
        step("fetch Node from npm", || {
            fs::create_dir_all(&folder)?;
            let quiet = ["--no-audit", "--no-fund", "--no-save"];
            run(Command::new("npm")
                .args(["install", FETCHED_NODE])
                .args(quiet)
                .current_dir(&folder))
        })?;
    }
    match major(&fetched) {
        Some(_) => Ok(fetched),
        None => bail!("there is no Node {OLDEST_NODE} or newer, and npm gave none"),
    }
}

fn major(node: &Path) -> Option<u32> {
    let output = output_of(Command::new(node).arg("--version")).ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.trim()
        .trim_start_matches('v')
        .split('.')
        .next()?
        .parse()
        .ok()
}
