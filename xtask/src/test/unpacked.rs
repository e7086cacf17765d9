//! Browsers and drivers from Debian's packages: installed if that is allowed, else unpacked,
//! with small scripts that start the programs with the unpacked libraries.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::files;
use crate::test::debian::{self, library_folders};

/// The programs of a set of packages.
pub struct Programs<'a> {
    /// The name in messages.
    pub title: &'a str,
    /// The packages that hold it.
    pub packages: &'a [&'a str],
    /// The names of the programs, and their paths in the packages.
    pub starters: &'a [(&'a str, &'a str)],
}

/// Where the programs are found after unpacking into `folder`.
pub fn programs(folder: &Path) -> PathBuf {
    folder.join("programs")
}

/// Installs the packages, or unpacks them into `folder`.
///
/// # Errors
/// When this system has no apt, or the packages cannot be had.
pub fn fetch(folder: &Path, wanted: &Programs<'_>) -> Result<()> {
    debian::need_apt(wanted.title)?;
    if let Some(prefix) = debian::rights() {
        match debian::install(&prefix, wanted.packages) {
            Ok(()) => return Ok(()),
            Err(error) => println!("not installed, so unpacking is tried: {error:#}"),
        }
    }
    let root = debian::unpack(folder, wanted.packages)?;
    write_starters(folder, &root, wanted.starters)
}

/// Debian's own start scripts look for the browsers in `/usr/lib`; these know where they lie.
fn write_starters(folder: &Path, root: &Path, wanted: &[(&str, &str)]) -> Result<()> {
    let starters = programs(folder);
    let libraries = library_folders(root)?;
    for (name, program) in wanted {
        let program = root.join(program);
        ensure!(
            program.is_file(),
            "the packages do not hold {}",
            program.display()
        );
        let script = format!(
            "#!/bin/sh\n\
             export LD_LIBRARY_PATH='{libraries}'\n\
             [ -d /etc/fonts ] || export FONTCONFIG_PATH='{fonts}'\n\
             exec '{program}' \"$@\"\n",
            fonts = root.join("etc/fonts").display(),
            program = program.display(),
        );
        let starter = starters.join(name);
        files::write(&starter, script)?;
        files::set_mode(&starter, 0o755)?;
    }
    Ok(())
}
