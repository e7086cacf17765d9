//! Programs from npm that tests use, installed into `target/tools` from a lock file in the
//! repository, and the Node that runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::files;
use crate::project::{Environment, Project, output_of, run};
use crate::stages::step;

/// The oldest Node that they run on, and the one that is fetched.
const OLDEST_NODE: u32 = 20;
const FETCHED_NODE: &str = "node@22";

/// A set of npm packages to install.
pub struct Package<'a> {
    /// The name in messages.
    pub title: &'a str,
    /// Its folder below the root of the project, and below the tools.
    pub source: &'a str,
    pub folder: &'a str,
    /// The files that are copied from there; the lock among them.
    pub files: &'a [&'a str],
}

/// Installs what is not there yet; the folder where it is.
///
/// # Errors
/// npm is missing, or gives nothing.
pub fn install(project: &Project, package: &Package<'_>) -> Result<PathBuf> {
    let folder = project.tools().join(package.folder);
    let source = project.root.join(package.source);
    if !is_installed(&source, &folder, package.files) {
        step(&format!("fetch {} from npm", package.title), || {
            fetch(&source, &folder, package.files)
        })?;
    }
    Ok(folder)
}

/// Installs what is not there yet, and tells where it is, and the Node that runs it.
///
/// # Errors
/// npm is missing, or gives nothing.
pub fn environment(
    project: &Project,
    package: &Package<'_>,
    variable: &'static str,
) -> Result<Environment> {
    let folder = install(project, package)?;
    let node = node(project)?;
    Ok(vec![
        (variable, folder.into()),
        ("CHECKLIST_NODE", node.into()),
    ])
}

/// Whether the folder holds what was asked for; npm's own note is written last.
fn is_installed(source: &Path, folder: &Path, files: &[&str]) -> bool {
    let same = |name: &&str| match (fs::read(source.join(name)), fs::read(folder.join(name))) {
        (Ok(wanted), Ok(there)) => wanted == there,
        _ => false,
    };
    files.iter().all(same) && folder.join("node_modules/.package-lock.json").is_file()
}

fn fetch(source: &Path, folder: &Path, names: &[&str]) -> Result<()> {
    for name in names {
        files::copy(&source.join(name), &folder.join(name))?;
    }
    let quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
    run(Command::new("npm")
        .arg("ci")
        .args(quiet)
        .current_dir(folder))
}

/// The system's Node where it is new enough, npm's otherwise.
///
/// # Errors
/// There is neither.
pub fn node(project: &Project) -> Result<PathBuf> {
    let system = PathBuf::from("node");
    if major(&system).is_some_and(|version| version >= OLDEST_NODE) {
        return Ok(system);
    }
    let folder = project.tools().join("node");
    let fetched = folder.join("node_modules/node/bin/node");
    if major(&fetched).is_none() {
        step("fetch Node from npm", || {
            files::make(&folder)?;
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
