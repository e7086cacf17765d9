//! A service desk that somebody else wrote, installed from Debian's packages: one copy of the installed
//! root for each test, in namespaces that end with it. What a test changes in there lies in memory and
//! is gone afterwards; the installed root is never written to.
//!
//! The network is the machine's, so that servers, browsers and the desk reach each other at 127.0.0.1.

pub mod checklists;
mod prepared;
pub mod redmine;
pub mod request_tracker;

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::process::Process;

/// Has tar keep what the overlay has noted about files.
const TAR_OPTIONS: (&str, &str) = ("TAR_OPTIONS", "--xattrs --xattrs-include=* --numeric-owner");

/// Mounts the copy, with what a pack has changed in it, says which process holds it, and waits until its input ends.
const HOLDER: &str = r#"set -e
read -r id _ < /proc/self/stat
mount -t tmpfs tmpfs "$2"
mkdir "$2/upper" "$2/work" "$2/root"
[ -z "$3" ] || tar --extract --file "$3" --directory "$2/upper"
mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" overlay "$2/root"
mount -t proc proc "$2/root/proc"
mount --rbind /dev "$2/root/dev"
echo 127.0.0.1 localhost > "$2/root/etc/hosts"
exec chroot "$2/root" sh -c 'echo "held by $0"; read -r _' "$id""#;

/// Starts what follows, waits until its input ends, and ends what it has started.
const KEEPER: &str = r#""$@" & server=$!; read -r _; kill -TERM $server; wait $server"#;

/// A copy of the installed root, gone with all of its processes when it is dropped.
pub struct ServiceDesk {
    /// As the system outside counts.
    holder_id: String,
    // Before the folder that it mounts at.
    _holder: Process,
    folder: TempDir,
}

impl ServiceDesk {
    /// A fresh copy, in which nothing runs yet.
    ///
    /// # Panics
    /// When the desks are not installed, or this is not root.
    #[must_use]
    #[track_caller]
    pub fn open() -> Self {
        Self::open_with(None)
    }

    #[track_caller]
    fn open_with(pack: Option<&Path>) -> Self {
        let installed = installed_root();
        let folder = TempDir::with_prefix("checklist-desk-").expect("a temporary directory");
        let mut unshare = Command::new("unshare");
        unshare
            .args(["--mount", "--pid", "--fork", "--kill-child"])
            .args(["sh", "-c", HOLDER, "holder"])
            .args([&installed, folder.path(), pack.unwrap_or(Path::new(""))])
            .env(TAR_OPTIONS.0, TAR_OPTIONS.1);
        let mut holder = Process::start_with_input(&mut unshare);
        let holder_id = holder.says("held by ");
        Self {
            holder_id,
            _holder: holder,
            folder,
        }
    }

    /// A file of the desk, as this process opens it.
    #[must_use]
    pub fn path(&self, inside: &str) -> PathBuf {
        let root = PathBuf::from(format!("/proc/{}/root", self.holder_id));
        root.join(inside.trim_start_matches('/'))
    }

    /// Writes a file of the desk that everybody may read.
    ///
    /// # Panics
    /// When its folder is not there.
    #[track_caller]
    pub fn write(&self, inside: &str, text: &str) {
        std::fs::write(self.path(inside), text).unwrap_or_else(|error| panic!("{inside}: {error}"));
    }

    /// Copies a folder of the project into the desk, as an administrator copies an extension.
    ///
    /// # Panics
    /// When that fails.
    #[track_caller]
    pub fn copy_in(&self, folder: &Path, inside: &str) {
        let output = Command::new("cp")
            .args(["--recursive", "--no-target-directory"])
            .args([folder, &self.path(inside)])
            .output()
            .expect("there is cp");
        assert!(output.status.success(), "{inside}: {output:?}");
    }

    /// Runs a program of the desk as root and waits; what it says on stdout.
    ///
    /// # Panics
    /// When it fails.
    #[track_caller]
    pub fn run(&self, program: &str, arguments: &[&str]) -> String {
        let output = self.enter(&[program]).args(arguments).output();
        let output = output.expect("there is nsenter");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{program} {arguments:?}: {}\n{said}{errors}",
            output.status
        );
        said
    }

    /// Runs commands of a guide as root. There is no systemd to restart anything by.
    ///
    /// # Panics
    /// When one fails.
    #[track_caller]
    pub fn follow(&self, commands: &str) {
        let ours: Vec<&str> = commands
            .lines()
            .filter(|line| !line.starts_with("systemctl "))
            .collect();
        let script = format!("cd /root\n{}", ours.join("\n"));
        self.run("sh", &["-euc", &script]);
    }

    /// Starts a program of the desk as one of its users, in that folder, with that environment.
    /// It is sent a TERM when the value is dropped, and waited for.
    #[must_use]
    #[track_caller]
    pub fn start(
        &self,
        user: &str,
        folder: &str,
        environment: &[(&str, &str)],
        command: &[&str],
    ) -> Process {
        let mut enter = self.enter(&["env", "--chdir", folder]);
        for (name, value) in environment {
            enter.arg(format!("{name}={value}"));
        }
        enter.args([
            "setpriv",
            "--reuid",
            user,
            "--regid",
            user,
            "--init-groups",
            "sh",
            "-c",
            KEEPER,
            "keeper",
        ]);
        Process::start_with_input(enter.args(command))
    }

    /// A command in the desk's namespaces, without the tests' environment.
    fn enter(&self, command: &[&str]) -> Command {
        let mut enter = Command::new("nsenter");
        enter
            .args(["--target", &self.holder_id])
            .args(["--mount", "--pid", "--root", "--wd", "--"])
            .args(command)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("LANG", "C.UTF-8");
        enter
    }
}

#[track_caller]
fn installed_root() -> PathBuf {
    let root = std::env::var_os("CHECKLIST_SERVICE_DESKS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/service-desks/root"),
        PathBuf::from,
    );
    let found = root.join("usr/share/redmine").is_dir();
    assert!(
        found && root.join("usr/share/request-tracker5").is_dir(),
        "there are no service desks in {}; `cargo xtask test --only desks` installs them, as root",
        root.display()
    );
    root.canonicalize().expect("a folder that is there")
}
