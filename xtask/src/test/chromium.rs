//! Finds Chromium and its driver for the tests, or gets Debian's packages: installed
//! if that needs no password, otherwise unpacked into `target/tools`.
//! If neither works, the stage prints the reason and is skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::project::{Environment, Project, output_of};
use crate::stages::step;
use crate::test::unpacked::{self, Programs};

const PROGRAMS: Programs<'_> = Programs {
    title: "Chromium and its driver",
    packages: &["chromium", "chromium-driver"],
    starters: &[
        ("chromium", "usr/lib/chromium/chromium"),
        ("chromedriver", "usr/bin/chromedriver"),
    ],
};

/// Flags for a browser that runs without a screen, as root too, and calls nobody.
pub const FLAGS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

const CHROMIUM_NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const DRIVER_NAMES: [&str; 1] = ["chromedriver"];

/// Folders outside PATH where distributions put the driver.
const DRIVER_FOLDERS: [&str; 2] = ["/usr/lib/chromium", "/usr/lib/chromium-browser"];

/// A browser and the driver of the same version.
#[derive(Clone, Debug, PartialEq)]
pub struct Browser {
    pub chromium: PathBuf,
    pub driver: PathBuf,
}

impl Browser {
    /// Tells the tests where they are.
    pub fn environment(&self) -> Environment {
        vec![
            ("CHECKLIST_CHROMIUM", self.chromium.clone().into()),
            ("CHECKLIST_CHROMEDRIVER", self.driver.clone().into()),
        ]
    }

    /// Its major version.
    pub fn major(&self) -> Option<u32> {
        version(&self.chromium)
    }
}

/// Looks on PATH and among the fetched tools, then fetches.
///
/// # Errors
/// It is not there, and cannot be fetched.
pub fn find_or_fetch(project: &Project) -> Result<Browser> {
    let folder = project.tools().join("chromium");
    let fetched = [unpacked::programs(&folder)];
    let browser = find(&[])
        .or_else(|missing| find(&fetched).map_err(|_| missing))
        .or_else(|missing| {
            println!("{missing}");
            let why = format!("{missing}; fetching it failed");
            step("fetch Chromium from Debian's packages", || {
                unpacked::fetch(&folder, &PROGRAMS)
            })
            .context(why)?;
            find(&fetched)
        })?;
    println!("Chromium: {}", browser.chromium.display());
    println!("Driver:   {}", browser.driver.display());
    Ok(browser)
}

/// Looks in the given folders, then on PATH.
fn find(first: &[PathBuf]) -> Result<Browser> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = first.to_vec();
    folders.extend(std::env::split_paths(&path));
    let chromium = program_in(&folders, &CHROMIUM_NAMES);
    let chromium = chromium.context("there is no Chromium on PATH")?;
    folders.extend(DRIVER_FOLDERS.iter().map(PathBuf::from));
    let driver = program_in(&folders, &DRIVER_NAMES);
    fit(
        chromium,
        driver.context("there is no chromedriver on PATH")?,
    )
}

/// A program that starts and says its version; a placeholder that only points at a store does not.
fn program_in(folders: &[PathBuf], names: &[&str]) -> Option<PathBuf> {
    folders
        .iter()
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|program| program.is_file() && version(program).is_some())
}

/// The driver refuses to drive a browser of another major version.
fn fit(chromium: PathBuf, driver: PathBuf) -> Result<Browser> {
    let versions = [&chromium, &driver].map(|program| version(program));
    if versions[0] == versions[1] {
        return Ok(Browser { chromium, driver });
    }
    let said = versions.map(|version| version.map_or("unknown".to_owned(), |it| it.to_string()));
    bail!(
        "Chromium ({}) and chromedriver ({}) are of different versions",
        said[0],
        said[1]
    )
}

fn version(program: &Path) -> Option<u32> {
    let output = output_of(Command::new(program).arg("--version")).ok()?;
    major_version(&String::from_utf8_lossy(&output.stdout))
}

/// Reads `Chromium 156.0.8078.79 built on …` and `ChromeDriver 156.0.8078.79 (…)`.
fn major_version(said: &str) -> Option<u32> {
    said.split_whitespace()
        .find_map(|word| word.split_once('.')?.0.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn program(folder: &Path, name: &str, says: &str) -> PathBuf {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{says}\n")).expect("a writable folder");
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, executable).expect("its own file");
        path
    }

    #[test]
    fn versions_are_read_from_what_the_programs_say() {
        assert_eq!(
            major_version("Chromium 156.0.8078.79 built on Debian"),
            Some(156)
        );
        assert_eq!(major_version("ChromeDriver 99.1 (abc)"), Some(99));
        assert_eq!(
            major_version("requires the chromium snap to be installed"),
            None
        );
    }

    #[test]
    fn a_placeholder_that_does_not_start_is_passed_over() {
        let folder = tempfile::tempdir().expect("a folder");
        program(folder.path(), "chromium", "echo install the snap; exit 1");
        let real = program(folder.path(), "google-chrome", "echo Google Chrome 156.0.1");
        let folders = [folder.path().to_path_buf()];
        assert_eq!(program_in(&folders, &CHROMIUM_NAMES), Some(real));
    }

    #[test]
    fn a_driver_of_another_version_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let chromium = program(folder.path(), "chromium", "echo Chromium 156.0.1");
        let driver = program(folder.path(), "chromedriver", "echo ChromeDriver 150.0.1");
        let error = fit(chromium, driver).expect_err("different versions");
        assert_eq!(
            error.to_string(),
            "Chromium (156) and chromedriver (150) are of different versions"
        );
    }
}
