//! Archives of a release: the same files are the same bytes, whoever packs them, where and when.
//! Order, owner, permissions and times are fixed here.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::files;

/// 2020-01-01, for what no release gives a time.
pub const LONG_AGO: u64 = 1_577_836_800;

/// A file on its way into an archive.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Its path there.
    pub name: String,
    pub bytes: Vec<u8>,
    pub mode: u32,
}

impl File {
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            bytes: bytes.into(),
            mode: 0o644,
        }
    }

    /// One that may be run.
    pub fn program(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            mode: 0o755,
            ..Self::new(name, bytes)
        }
    }
}

/// The files below a folder, by their paths in it, in a steady order.
///
/// # Errors
/// When something cannot be read.
pub fn content(folder: &Path) -> Result<Vec<File>> {
    let mut found = Vec::new();
    for path in files::below(folder)? {
        let name = path.strip_prefix(folder).unwrap_or(&path);
        found.push(File::new(name.to_string_lossy(), files::read(&path)?));
    }
    found.sort();
    Ok(found)
}

/// A tar archive of files below `root`, where that is not empty.
///
/// # Errors
/// When it cannot be packed.
pub fn tar<W: std::io::Write>(root: &str, files: &[File], time: u64, into: W) -> Result<W> {
    let mut archive = tar::Builder::new(into);
    for file in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(file.bytes.len() as u64);
        header.set_mode(file.mode);
        header.set_mtime(time);
        let path = Path::new(root).join(&file.name);
        archive.append_data(&mut header, path, &file.bytes[..])?;
    }
    archive.into_inner().context("packing an archive")
}

/// The same, packed with gzip into a file.
///
/// # Errors
/// When it cannot be written.
pub fn tar_gz(root: &str, files: &[File], time: u64, path: &Path, size: Size) -> Result<()> {
    let packed = GzEncoder::new(Vec::new(), size.gzip());
    let mut packed = tar(root, files, time, packed)?;
    packed.flush()?;
    files::write(path, packed.finish()?)
}

/// How hard to pack: for people who download, or for a test that unpacks it at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Small,
    Quick,
}

impl Size {
    fn gzip(self) -> Compression {
        match self {
            Self::Small => Compression::best(),
            Self::Quick => Compression::fast(),
        }
    }
}

/// Lays files below a folder, with their permissions.
///
/// # Errors
/// When they cannot be written.
pub fn lay(folder: &Path, files: &[File]) -> Result<()> {
    for file in files {
        let path = folder.join(&file.name);
        files::write(&path, &file.bytes)?;
        files::set_mode(&path, file.mode)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_are_the_same_archive_and_a_program_may_be_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("source");
        let laid = [
            File::new("b.md", "b"),
            File::program("a", "program"),
            File::new("c/d.md", "d"),
        ];
        lay(&source, &laid).expect("files");
        let [first, second] = ["1", "2"].map(|name| folder.path().join(name));
        for archive in [&first, &second] {
            let files = [content(&source).expect("files"), vec![laid[1].clone()]].concat();
            tar_gz("root", &files, LONG_AGO, archive, Size::Small).expect("an archive");
        }
        let packed = files::read(&first).expect("an archive");
        assert_eq!(packed, files::read(&second).expect("an archive"));
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&packed[..]));
        let entries: Vec<(String, u32)> = archive
            .entries()
            .expect("entries")
            .map(|entry| {
                let entry = entry.expect("an entry");
                let path = entry.path().expect("a path").display().to_string();
                (path, entry.header().mode().expect("a mode"))
            })
            .collect();
        let expected = [
            ("a", 0o644),
            ("b.md", 0o644),
            ("c/d.md", 0o644),
            ("a", 0o755),
        ];
        assert_eq!(
            entries,
            expected.map(|(name, mode)| (format!("root/{name}"), mode))
        );
    }
}
