//! Copies of a desk in which something was done before, once for all tests: what that has changed is
//! packed beside the installed root and unpacked into each copy. A pack is made from what its name tells,
//! so that another extension or another recipe gets another pack; it is never half of one.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{ServiceDesk, TAR_OPTIONS, installed_root};

impl ServiceDesk {
    /// A copy in which `prepare` was carried out, by this test or by another. `name`: of the desk;
    /// `recipe`: all that `prepare` depends on.
    ///
    /// # Panics
    /// When it fails.
    #[must_use]
    #[track_caller]
    pub fn prepared(name: &str, recipe: &impl Hash, prepare: impl FnOnce(&Self)) -> Self {
        let mut hasher = DefaultHasher::new();
        recipe.hash(&mut hasher);
        let folder = installed_root().with_file_name("prepared");
        let pack = folder.join(format!("{name}-{:016x}.tar", hasher.finish()));
        fs::create_dir_all(&folder).expect("a writable folder");
        let lock = File::create(folder.join(format!("{name}.lock"))).expect("a writable folder");
        lock.lock().expect("a file that can be locked");
        if !pack.is_file() {
            forget(&folder, &format!("{name}-"));
            let desk = Self::open();
            prepare(&desk);
            desk.pack(&pack);
        }
        drop(lock);
        Self::open_with(Some(&pack))
    }

    /// Packs what differs from the installed root.
    #[track_caller]
    fn pack(&self, pack: &Path) {
        let unfinished = pack.with_extension("unfinished");
        let mut tar = Command::new("nsenter");
        tar.args(["--target", &self.holder_id, "--mount", "--", "tar"])
            .args(["--create", "--file"])
            .arg(&unfinished)
            .arg("--directory")
            .arg(self.folder.path().join("upper"))
            .arg(".")
            .env(TAR_OPTIONS.0, TAR_OPTIONS.1);
        let tar = tar.output().expect("there is nsenter");
        assert!(tar.status.success(), "{tar:?}");
        fs::rename(&unfinished, pack).expect("its own file");
    }
}

/// Removes the packs of other recipes.
#[track_caller]
fn forget(folder: &Path, begin: &str) {
    let entries = fs::read_dir(folder).expect("a folder that can be read");
    for entry in entries.filter_map(Result::ok) {
        if entry.file_name().to_string_lossy().starts_with(begin) {
            fs::remove_file(entry.path()).expect("its own file");
        }
    }
}

/// The contents of all files below a folder, with their names, in order.
///
/// # Panics
/// When one cannot be read.
#[track_caller]
pub(super) fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder that can be read").path())
        .collect();
    paths.sort();
    let files = paths.into_iter().flat_map(|path| {
        if path.is_dir() {
            contents(&path)
        } else {
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            vec![(path, bytes)]
        }
    });
    files.collect()
}
