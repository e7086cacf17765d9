//! Programs of Debian's packages that `cargo xtask test` has unpacked, with their libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder that `variable` names, in which the packages are unpacked as below `/`.
#[must_use]
pub fn root(variable: &str, folder: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(
        || {
            let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools");
            tools.join(folder).join("root")
        },
        PathBuf::from,
    )
}

/// The program at `path` in the packages below the folder that `variable` names.
///
/// # Panics
/// When it was not unpacked; the message says how.
#[must_use]
#[track_caller]
pub fn program(variable: &str, folder: &str, path: &str) -> Command {
    let root = root(variable, folder);
    let program = root.join(path);
    assert!(
        program.is_file(),
        "there is no {}; `cargo xtask test` unpacks it, or name the folder in {variable}",
        program.display()
    );
    let libraries = root.join("usr/lib");
    let entries = fs::read_dir(&libraries).into_iter().flatten();
    let folders: Vec<String> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().contains("-linux-gnu"))
        .chain([libraries])
        .map(|path| path.display().to_string())
        .collect();
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", folders.join(":"));
    command
}
