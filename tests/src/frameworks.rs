//! The pages built with each framework, and the tools from npm that look at the package.
//!
//! `cargo xtask test` puts all of it into one folder and names that in `CHECKLIST_FRAMEWORKS`: the
//! sources of `tests/frameworks`, what they need from npm with the packed elements among it, and
//! the built pages in `dist`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder with all of it.
///
/// # Panics
/// When it was not made; the message says how to make it.
#[must_use]
#[track_caller]
pub fn folder() -> PathBuf {
    let folder = std::env::var_os("CHECKLIST_FRAMEWORKS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/tools/frameworks"),
        PathBuf::from,
    );
    assert!(
        folder.join("dist").is_dir(),
        "there are no pages at {}; `cargo xtask test --only frameworks` builds them, or name their folder in CHECKLIST_FRAMEWORKS",
        folder.display()
    );
    folder
}

/// The unpacked package, as it lies beside what else comes from npm.
#[must_use]
#[track_caller]
pub fn package() -> PathBuf {
    folder().join("node_modules/@checklist-control/element")
}

/// Runs a program from npm in that folder; what it says when it ends well.
///
/// # Panics
/// When it does not; the message is what it said.
#[track_caller]
pub fn tool(script: &str, arguments: &[&str]) -> String {
    let script = folder().join("node_modules").join(script);
    let mut all = vec![script.to_str().expect("a path in Unicode")];
    all.extend(arguments);
    node(&folder(), &all)
}

/// Runs Node in a folder; what it says when it ends well.
///
/// # Panics
/// When it does not; the message is what it said.
#[track_caller]
pub fn node(folder: &Path, arguments: &[&str]) -> String {
    let node = std::env::var_os("CHECKLIST_NODE").unwrap_or_else(|| "node".into());
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(node)
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("Node runs");
    let said = String::from_utf8_lossy(&stdout).into_owned();
    let wrong = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{arguments:?}: {said}\n{wrong}");
    said
}
