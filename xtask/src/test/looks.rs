//! What the screenshot tests need: identical typefaces on every machine and a PDF
//! reader, both from npm (`tests/looks`), and baselines, which belong to a major
//! version of the browser. If one of them is missing, the stage prints the reason, and the tests that
//! need it are skipped.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use super::npm::{self, Package};
use crate::project::Project;

/// The modules of tests that need the typefaces and the reader.
pub const TESTS: [&str; 2] = ["screenshots::", PRINTED];

/// The module of tests that compares pictures, and the one that reads PDF.
pub const PICTURES: &str = "screenshots::";
const PRINTED: &str = "printed::";

const PACKAGE: Package<'_> = Package {
    title: "typefaces and a reader of PDF",
    source: "tests/looks",
    folder: "looks",
    files: &["package.json", "package-lock.json", "pdf-text.mjs"],
};

/// Where they are, and what the reader runs on.
#[derive(Debug)]
pub struct Looks {
    folder: PathBuf,
    node: PathBuf,
}

impl Looks {
    /// Tells the tests where they are.
    pub fn tell(&self, command: &mut Command) {
        command
            .env("CHECKLIST_LOOKS", &self.folder)
            .env("CHECKLIST_NODE", &self.node);
    }
}

/// Installs what is not there yet.
///
/// # Errors
/// npm is missing, or gives nothing.
pub fn find_or_fetch(project: &Project) -> Result<Looks> {
    Ok(Looks {
        folder: npm::install(project, &PACKAGE)?,
        node: npm::node(project)?,
    })
}

/// Whether pictures of this version of the browser are there, or are to be taken now.
pub fn has_baselines(project: &Project, major: u32) -> bool {
    let folder = format!("tests/baselines/chromium-{major}");
    project.root.join(folder).is_dir() || std::env::var_os("CHECKLIST_BASELINES").is_some()
}
