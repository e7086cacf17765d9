//! Libraries in C that a process loads before its own, so that a test can stand between it and the
//! system. Compiled by the compiler that also builds SQLite.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles a library of the tests into that folder.
///
/// # Panics
/// When it cannot be compiled.
#[must_use]
#[track_caller]
pub fn compile(source: &str, folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let name = source.file_stem().unwrap_or_default();
    let library = folder.join(name).with_extension("so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .args(["-ldl", "-pthread"])
        .output()
        .expect("the compiler that also builds SQLite");
    assert!(compiled.status.success(), "{compiled:?}");
    library
}
