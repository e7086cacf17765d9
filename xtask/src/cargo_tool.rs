//! Cargo's own tools that this project needs: built once, unoptimised, into `target/tools`, because
//! each runs for a moment and every second of compiling would be lost. Called by `check` for
//! cargo-deny and by `dist` for cargo-sbom.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::project::{Project, run};

/// Where it lies once it is built.
pub fn place(project: &Project, name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    project.tools().join("bin").join(file)
}

/// Builds it.
///
/// # Errors
/// When it does not build.
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
    Ok(place(project, name))
}
