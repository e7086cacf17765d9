//! Where the temporary files of tests lie: on a tmpfs, on a machine that has room for it.
//!
//! Tests make and remove thousands of small files (a copied database of PostgreSQL is several hundred),
//! and ext4 scans recently freed inodes for each new one. Without room in memory they use the system's
//! folder for temporary files, as they do where `TMPDIR` names one.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::{env, fs, process};

use anyhow::{Context, Result};
use rustix::fs::statvfs;
use tempfile::{Builder, TempDir};

use crate::files;

/// The tmpfs that Linux mounts for shared memory.
const TMPFS: &str = "/dev/shm";

/// The bytes that have to be free there: several times what all tests need at once.
const ROOM: u64 = 6 << 30;

/// How the names of folders begin; the number of their process follows. Short, because podman takes no
/// long path.
const PREFIX: &str = "checklist-";

/// An empty folder, removed with the value. Those of runs that were killed are removed first, because
/// they take memory.
///
/// # Errors
/// When it cannot be made.
pub fn folder() -> Result<TempDir> {
    let memory = Path::new(TMPFS);
    let has_room = || free(memory).is_some_and(|free| free >= ROOM);
    let place = if env::var_os("TMPDIR").is_none() && has_room() {
        remove_abandoned(memory)?;
        memory.to_path_buf()
    } else {
        env::temp_dir()
    };
    let prefix = format!("{PREFIX}{}-", process::id());
    let made = Builder::new()
        .prefix(&prefix)
        // PostgreSQL, which is never root, has its files below.
        .permissions(fs::Permissions::from_mode(0o711))
        .tempdir_in(&place);
    made.with_context(|| format!("making a folder in {}", place.display()))
}

/// How many bytes are free in a file system; `None` where there is none.
fn free(place: &Path) -> Option<u64> {
    let system = statvfs(place).ok()?;
    Some(system.f_bavail * system.f_frsize)
}

/// Removes the folders whose process is gone.
fn remove_abandoned(place: &Path) -> Result<()> {
    for path in files::list(place)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let process = name.strip_prefix(PREFIX).and_then(process_in);
        if process.is_some_and(|id| !Path::new("/proc").join(id.to_string()).is_dir()) {
            // Another run may do the same at this moment.
            let _ = fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

/// The process in a name without its beginning, such as `4711-Ab3dE6`.
fn process_in(name: &str) -> Option<u32> {
    let (process, _) = name.split_once('-')?;
    process.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_runs_that_were_killed_are_removed_and_no_others() {
        let place = tempfile::tempdir().expect("a folder");
        let of = |name: String| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).expect("its own folder");
            folder
        };
        // Larger than any process id of Linux.
        let abandoned = of(format!("{PREFIX}4194305-Ab3dE6"));
        let mine = of(format!("{PREFIX}{}-Ab3dE6", process::id()));
        let without_a_process = of(format!("{PREFIX}tests"));
        let of_others = of("somebody-4194305-Ab3dE6".to_owned());
        remove_abandoned(place.path()).expect("its own folder");
        let left = [abandoned, mine, without_a_process, of_others];
        assert_eq!(
            left.map(|folder| folder.is_dir()),
            [false, true, true, true]
        );
    }

    #[test]
    fn a_place_that_is_not_there_has_no_room() {
        assert_eq!(free(Path::new("/no/such/place")), None);
        assert!(free(Path::new("/")).is_some());
    }
}
