//! Programs of Debian's packages that `cargo xtask test` has unpacked, with their libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program at `path` in the packages below the folder that `variable` names.
///
/// # Panics
/// When it was not unpacked; the message says how.
#[must_use]
#[track_caller]
pub fn program(variable: &str, folder: &str, path: &str) -> Command {
    let root = std::env::var_os(variable).map_or_else(
        || {
            let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools");
            tools.join(folder).join("root")
        },
        PathBuf::from,
    );
    let program = root.join(path);
    assert!(
        program.is_file(),
        "there is no {}; `cargo xtask test` unpacks it, or name the folder in {variable}",
        program.display()
    );
    let entries = fs::read_dir(root.join("usr/lib")).into_iter().flatten();
    let libraries: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().contains("-linux-gnu"))
        .map(|entry| entry.path().display().to_string())
        .collect();
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", libraries.join(":"));
    command
}
