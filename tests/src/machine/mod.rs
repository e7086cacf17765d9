//! The machine under a process, as a test wants it: a disk that is slow or full, a clock that is
//! wrong. It can be changed at any time while the process runs.
//!
//! A library that is loaded before the process's own (`machine.c`) looks at a shared page at each
//! call: it waits before data is handed to the disk, refuses what would make a file longer, and
//! shifts the time of day. Timers go on as they were, as they do when somebody sets a clock.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;

use crate::preloaded;

/// A machine that is sound until a test says otherwise.
pub struct Machine {
    state: File,
    path: PathBuf,
    library: PathBuf,
    _folder: TempDir,
}

impl Machine {
    /// A sound machine.
    ///
    /// # Panics
    /// When its library cannot be compiled.
    #[must_use]
    #[track_caller]
    pub fn sound() -> Self {
        let folder = TempDir::with_prefix("checklist-machine-").expect("a temporary directory");
        // PostgreSQL runs as somebody else, who has to read both.
        let open = Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), open).expect("the test's own directory");
        let library = preloaded::compile("src/machine/machine.c", folder.path());
        let path = folder.path().join("state");
        fs::write(&path, [0; 24]).expect("the test's own directory");
        let state = File::options().write(true).open(&path);
        Self {
            state: state.expect("a file that is there"),
            path,
            library,
            _folder: folder,
        }
    }

    /// What a process that is to run on it has in its environment.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, String); 2] {
        [
            ("LD_PRELOAD", self.library.display().to_string()),
            ("MACHINE_STATE", self.path.display().to_string()),
        ]
    }

    /// From now on it takes that long to hand anything to the disk.
    pub fn syncs_take(&self, wait: Duration) {
        self.set(0, i64::try_from(wait.as_micros()).unwrap_or(i64::MAX));
    }

    /// From now on no file can become longer, or can again.
    pub fn disk_is_full(&self, is_full: bool) {
        self.set(1, i64::from(is_full));
    }

    /// From now on its clock is off by so many seconds.
    pub fn clock_is_off_by(&self, seconds: i64) {
        self.set(2, seconds);
    }

    fn set(&self, index: u64, value: i64) {
        self.state
            .write_all_at(&value.to_ne_bytes(), index * 8)
            .expect("the test's own file");
    }
}
