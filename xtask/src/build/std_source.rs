//! Finds the source of the standard library, which is built with the control: for size, and so that
//! a panic is one instruction instead of a message that nobody reads. Without the source, the
//! control uses the precompiled library. See `docs/adr/0004-small-control.md`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::project::{output_of, run};
use crate::stages::step;

/// The folder of the compiler and its libraries.
///
/// # Errors
/// When the compiler cannot be asked.
pub fn sysroot() -> Result<PathBuf> {
    let output = output_of(Command::new("rustc").args(["--print", "sysroot"]))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    Ok(PathBuf::from(folder.trim()))
}

/// Whether the source is there; it is fetched where rustup can do that. Says so when not.
pub fn ensure_installed(sysroot: &Path) -> bool {
    if is_there(sysroot) {
        return true;
    }
    let added = step("add the standard library's source", || {
        run(Command::new("rustup").args(["component", "add", "rust-src"]))
    });
    if added.is_ok() && is_there(sysroot) {
        return true;
    }
    println!(
        "   The control is built with the standard library as it comes and weighs about a tenth \
         more; `rustup component add rust-src` makes it smaller."
    );
    false
}

/// The lock file is what cargo looks for; distributions leave it out where they ship a part only.
fn is_there(sysroot: &Path) -> bool {
    sysroot
        .join("lib/rustlib/src/rust/library/Cargo.lock")
        .exists()
}

/// Makes the compiler accept unstable options. Macros read this variable and are recompiled
/// when it changes, so everything that is compiled with the control has to set the same.
pub fn overlook(command: &mut Command) -> &mut Command {
    command.env("RUSTC_BOOTSTRAP", "1")
}

/// Makes cargo build the library too, and returns the compiler flags that belong to it.
pub fn build_along(command: &mut Command) -> &'static str {
    overlook(command).args([
        "-Zbuild-std=std,panic_abort",
        "-Zbuild-std-features=optimize_for_size",
    ]);
    "-Zunstable-options -Cpanic=immediate-abort"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_without_the_source_is_told_from_one_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!is_there(folder.path()));
        let library = folder.path().join("lib/rustlib/src/rust/library");
        std::fs::create_dir_all(&library).expect("a writable folder");
        assert!(!is_there(folder.path()));
        std::fs::write(library.join("Cargo.lock"), "").expect("a writable folder");
        assert!(is_there(folder.path()));
    }
}
