//! Makes sure that the compiler has a target: WASM, or another system that a release is for.
//! `rust-toolchain.toml` is not enough: where rustup does not install automatically, it only reports
//! a target that is named there as missing.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::{output_of, run};
use crate::stages::step;

/// Adds a target unless the compiler already has its standard library.
///
/// # Errors
/// When it is missing and there is no rustup, or rustup cannot fetch it.
pub fn ensure_installed(target: &str) -> Result<()> {
    if has_standard_library(target)? {
        return Ok(());
    }
    step(&format!("add the compiler's target {target}"), || {
        run(Command::new("rustup").args(["target", "add", target])).with_context(|| {
            format!(
                "this Rust compiler has no standard library for {target}; \
                 install rustup (https://rustup.rs) and run `rustup target add {target}`, \
                 or install your distribution's package with it"
            )
        })
    })
}

/// Asks the compiler itself, because not every compiler comes from rustup.
fn has_standard_library(target: &str) -> Result<bool> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output =
        output_of(Command::new(rustc).args(["--print", "target-libdir", "--target", target]))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    Ok(holds_core(Path::new(folder.trim())))
}

fn holds_core(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|entries| {
        entries
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_or_empty_folder_is_no_standard_library() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(!holds_core(&folder.path().join("absent")));
        assert!(!holds_core(folder.path()));
        std::fs::write(folder.path().join("libcore-1a.rlib"), "").expect("a file");
        assert!(holds_core(folder.path()));
    }
}
