//! The server of a release, built for a target. Neither the folders of this machine nor the time of the
//! build reach the compilers, so that the same commit can give the same bytes elsewhere; what they need
//! besides Rust is installed.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::build;
use crate::project::{Project, output_of, run};
use crate::test::debian;

const ARGUMENTS: [&str; 6] = [
    "build",
    "--release",
    "--package=checklist-program",
    "--bin=checklist-server",
    "--locked",
    "--target",
];

/// What a release is built for where nothing else is asked for: this system with its C library, and
/// with none at all for systems that have another.
///
/// # Errors
/// When the compiler does not say where it is.
pub fn default_targets() -> Result<Vec<String>> {
    let said = output_of(Command::new("rustc").arg("-vV"))?;
    let said = String::from_utf8_lossy(&said.stdout);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("`rustc -vV` names no host")?;
    let mut targets = vec![host.to_owned()];
    if let Some(machine) = host.strip_suffix("-linux-gnu") {
        targets.push(format!("{machine}-linux-musl"));
    }
    Ok(targets)
}

/// Builds the server for a target; the path of the program.
///
/// # Errors
/// When a compiler or linker cannot be had, or it does not build.
pub fn build(project: &Project, target: &str, time: u64) -> Result<PathBuf> {
    build::ensure_target(target)?;
    if target.ends_with("-musl") {
        // The C parts (SQLite, the allocator, signatures) need a compiler for it.
        debian::ensure_program("musl-gcc", "musl-tools")?;
    }
    let mut command = project.cargo(ARGUMENTS);
    command
        .arg(target)
        .env("SOURCE_DATE_EPOCH", time.to_string());
    // By variables for this target alone: what runs while compiling is none of the release's.
    let name = target.to_uppercase().replace('-', "_");
    let folders = [&project.root, &project.target];
    let mut flags = build::without_paths(&build::sysroot()?)?;
    for (folder, instead) in folders.iter().zip(["checklist", "target"]) {
        flags.push_str(&format!(
            " --remap-path-prefix={}={instead}",
            folder.display()
        ));
    }
    command.env(format!("CARGO_TARGET_{name}_RUSTFLAGS"), flags);
    let c = folders.map(|folder| format!("-ffile-prefix-map={}=checklist", folder.display()));
    command.env(format!("CFLAGS_{}", target.replace('-', "_")), c.join(" "));
    run(&mut command)?;
    let program = if target.contains("windows") {
        "checklist-server.exe"
    } else {
        "checklist-server"
    };
    Ok(project.target.join(target).join("release").join(program))
}
