//! Installs programs from crates.io once, into `target/tools`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::project::{Project, run};

/// The path of an installed program.
pub fn installed(project: &Project, name: &str) -> PathBuf {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    project.tools().join("bin").join(name)
}

/// Builds it unoptimised: it runs for seconds, so every second of compiling would be lost.
///
/// # Errors
/// When it cannot be had, or does not build.
pub fn install(project: &Project, name: &str, version: &str) -> Result<PathBuf> {
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
    fs::remove_dir_all(&build).with_context(|| format!("removing {}", build.display()))?;
    Ok(installed(project, name))
}
