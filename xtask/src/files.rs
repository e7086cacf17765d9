//! Files and folders: where the system refuses one, the error names it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("reading {}", path.display()))
}

pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

/// Writes a file with the folders above it.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    make(path.parent().unwrap_or(path))?;
    fs::write(path, bytes).with_context(|| format!("writing {}", path.display()))
}

/// Copies a file, with its permissions and the folders above it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    make(to.parent().unwrap_or(to))?;
    fs::copy(from, to).with_context(|| format!("copying {}", from.display()))?;
    Ok(())
}

/// Makes a folder, and those above it.
pub fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))
}

/// Removes a file or a folder, where there is one.
pub fn remove(path: &Path) -> Result<()> {
    let removed = match path {
        folder if folder.is_dir() => fs::remove_dir_all(folder),
        file if file.exists() => fs::remove_file(file),
        _ => return Ok(()),
    };
    removed.with_context(|| format!("removing {}", path.display()))
}

/// A new and empty folder.
pub fn empty(folder: &Path) -> Result<()> {
    remove(folder)?;
    make(folder)
}

/// What is in a folder, by name.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).and_then(|entries| {
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        paths.collect::<Result<Vec<_>, _>>()
    });
    let mut paths = entries.with_context(|| format!("listing {}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

/// The files in a folder and in those below it.
pub fn below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in list(folder)? {
        if path.is_dir() {
            files.extend(below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// The name of a file or folder.
pub fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Whatever the user's mask is, which differs from machine to machine.
pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
        .with_context(|| format!("changing the permissions of {}", path.display()))
}
