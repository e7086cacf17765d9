//! The unpacked packages: where they lie, and their programs, started so that they end with this
//! process.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::Process;

/// Starts what follows, waits until its input ends, ends what it has started and removes its files.
const KEEPER: &str = r#"folder=$1; shift; "$@" & server=$!; read -r _; kill -TERM $server 2>/dev/null; wait $server; rm -rf "$folder""#;

/// Where the packages are unpacked.
pub(super) struct Unpacked {
    root: PathBuf,
    /// The folders of their libraries, as the loader wants them.
    libraries: Vec<PathBuf>,
}

impl Unpacked {
    /// # Panics
    /// When nothing was unpacked; the message says how.
    #[track_caller]
    pub(super) fn find() -> Self {
        let root = std::env::var_os("CHECKLIST_AUTHENTICATION_SERVERS").map_or_else(
            || {
                PathBuf::from(env!("CARGO_MANIFEST_DIR"))
                    .join("../target/tools/authentication-servers/root")
            },
            PathBuf::from,
        );
        let root = root.canonicalize().unwrap_or(root);
        let libraries = folders_of_libraries(&root.join("usr/lib"));
        assert!(
            !libraries.is_empty(),
            "there is no Apache at {}; `cargo xtask test` fetches it, or name the folder in CHECKLIST_AUTHENTICATION_SERVERS",
            root.display()
        );
        Self { root, libraries }
    }

    /// A file or folder of the packages.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// A file or folder among the libraries, whose folder is named after the machine.
    #[track_caller]
    pub(super) fn library(&self, path: &str) -> PathBuf {
        let found = self
            .libraries
            .iter()
            .map(|folder| folder.join(path))
            .find(|place| place.exists());
        found.unwrap_or_else(|| panic!("the packages hold no library {path}"))
    }

    pub(super) fn libraries(&self) -> String {
        let folders: Vec<_> = self
            .libraries
            .iter()
            .map(|folder| folder.display().to_string())
            .collect();
        folders.join(":")
    }

    /// A program of the packages, with its libraries.
    pub(super) fn program(&self, path: &str) -> Command {
        let mut command = Command::new(self.path(path));
        command.env("LD_LIBRARY_PATH", self.libraries());
        command
    }

    /// Starts a server that stays in the foreground; it ends with this process, and so does its
    /// folder: what is shared by a whole program is never dropped.
    #[track_caller]
    pub(super) fn start(&self, folder: &Path, command: &Command) -> Process {
        let mut keeper = Command::new("sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(folder)
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                keeper.env(name, value);
            }
        }
        Process::start_with_input(&mut keeper)
    }
}

fn folders_of_libraries(base: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(base).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().contains("-linux-gnu"))
        .map(|entry| entry.path())
        .collect()
}

/// Runs a program to its end.
///
/// # Panics
/// When it fails; the message has all that it said.
#[track_caller]
pub(super) fn run(command: &mut Command) -> String {
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => panic!("{command:?} cannot be started: {error}"),
    };
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(output.status.success(), "{command:?} failed: {said}");
    said
}
