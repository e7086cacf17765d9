//! A PostgreSQL of a test's own: to be killed, started again, or made to speak TLS, which nobody
//! may do to the one that all tests share.
//!
//! Its programs are the ones that `cargo xtask test` has found, and names in
//! `CHECKLIST_POSTGRES_PROGRAMS`. A small shell script keeps the server: when this process is
//! gone, however it went, the script's input ends, and with it the server. Handed to `setup`.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Pid, Signal, getuid, kill_process};
use tempfile::TempDir;

use crate::machine::Machine;
use crate::process::Process;
use crate::setup::free_address;
use crate::wait::until;

/// Starts what follows, waits until its input ends, and ends what it has started.
const KEEPER: &str = r#""$@" & server=$!; read -r _; kill -INT $server; wait $server"#;

/// A user that exists everywhere and owns nothing: PostgreSQL refuses to run as root.
const NOBODY: [&str; 4] = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
];

/// A running PostgreSQL, gone when it is dropped.
pub struct OwnPostgres {
    // Before its folder: it has files in there until it has ended.
    keeper: Option<Process>,
    folder: TempDir,
    port: u16,
    settings: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

impl OwnPostgres {
    /// One with these settings beside the usual ones; `prepare` may put files into its folder.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    #[track_caller]
    pub fn start(settings: &[&str], prepare: impl FnOnce(&Path)) -> Self {
        Self::start_in(Vec::new(), settings, prepare)
    }

    /// The same on that machine.
    #[must_use]
    #[track_caller]
    pub fn start_on(machine: &Machine, settings: &[&str]) -> Self {
        Self::start_in(machine.environment().to_vec(), settings, |_| ())
    }

    #[track_caller]
    fn start_in(
        environment: Vec<(&'static str, String)>,
        settings: &[&str],
        prepare: impl FnOnce(&Path),
    ) -> Self {
        let folder = TempDir::with_prefix("checklist-own-").expect("a temporary directory");
        prepare(folder.path());
        if getuid().is_root() {
            let nobody = ["-R", "65534:65534"];
            run(Command::new("chown").args(nobody).arg(folder.path()));
        }
        let data = folder.path().join("data");
        run(command("initdb").arg("--pgdata").arg(&data).args([
            "--username=admin",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        ]));
        let address = free_address();
        let port = address
            .rsplit(':')
            .next()
            .and_then(|port| port.parse().ok());
        let mut own = Self {
            keeper: None,
            folder,
            port: port.expect("an address ends with a port"),
            settings: settings.iter().map(|&setting| setting.to_owned()).collect(),
            environment,
        };
        own.start_again();
        own
    }

    /// The folder that belongs to it.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The URL of its administrator.
    #[must_use]
    pub fn url(&self) -> String {
        format!("postgres://admin@127.0.0.1:{}/postgres", self.port)
    }

    /// Ends it without warning, and waits until all of its processes are gone.
    ///
    /// # Panics
    /// When it does not run.
    #[track_caller]
    pub fn kill(&mut self) {
        let file = std::fs::read_to_string(self.pid_file()).expect("it runs");
        let id = file.lines().next().and_then(|line| line.parse().ok());
        let id = id.and_then(Pid::from_raw).expect("a process id");
        kill_process(id, Signal::KILL).expect("it runs");
        // Its children notice that it is gone; a new one would refuse to start before that.
        until("all of PostgreSQL to be gone", || {
            (!self.is_anybody_left()).then_some(())
        });
        self.keeper = None;
    }

    /// Whether it has given up by itself, as it may when it finds no room while it recovers.
    #[must_use]
    pub fn has_given_up(&self) -> bool {
        !self.pid_file().exists()
    }

    /// Starts it after it was killed or has given up: the same data, the same port.
    ///
    /// # Panics
    /// When it does not start.
    #[track_caller]
    pub fn start_again(&mut self) {
        let mut postgres = command("postgres");
        postgres.arg("-D").arg(self.data());
        let folder = self.folder.path().display();
        for setting in [
            format!("port={}", self.port),
            format!("unix_socket_directories={folder}"),
            "listen_addresses=127.0.0.1".to_owned(),
        ]
        .iter()
        .chain(&self.settings)
        {
            postgres.arg("-c").arg(setting);
        }
        let mut keeper = Command::new("sh");
        keeper
            .args(["-c", KEEPER, "keeper"])
            .arg(postgres.get_program())
            .args(postgres.get_args())
            .current_dir("/");
        for (name, value) in postgres.get_envs() {
            keeper.env(name, value.unwrap_or_default());
        }
        for (name, value) in &self.environment {
            keeper.env(name, value);
        }
        let keeper = Process::start_with_input(&mut keeper);
        until("PostgreSQL to be ready", || {
            let file = std::fs::read_to_string(self.pid_file()).ok()?;
            let ready = file
                .lines()
                .nth(7)
                .is_some_and(|line| line.trim() == "ready");
            (ready && TcpStream::connect(("127.0.0.1", self.port)).is_ok()).then_some(())
        });
        self.keeper = Some(keeper);
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn pid_file(&self) -> PathBuf {
        self.data().join("postmaster.pid")
    }

    /// Whether any process still works in the data directory.
    fn is_anybody_left(&self) -> bool {
        let data = self.data().canonicalize().unwrap_or_else(|_| self.data());
        let Ok(processes) = std::fs::read_dir("/proc") else {
            return false;
        };
        processes.filter_map(Result::ok).any(|process| {
            std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd == data)
        })
    }
}

#[track_caller]
fn run(command: &mut Command) {
    let output = command.output();
    let output = output.unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{command:?} ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
}

#[track_caller]
pub(crate) fn command(name: &str) -> Command {
    let folder = std::env::var_os("CHECKLIST_POSTGRES_PROGRAMS").expect(
        "there is no PostgreSQL; `cargo xtask test` finds one, or name the folder of its programs in \
         CHECKLIST_POSTGRES_PROGRAMS",
    );
    let mut command = as_nobody(&Path::new(&folder).join(name));
    if let Some(libraries) = std::env::var_os("CHECKLIST_POSTGRES_LIBRARIES") {
        command.env("LD_LIBRARY_PATH", libraries);
    }
    // Both look at their working directory, which may be closed to that user.
    command.current_dir("/");
    command
}

/// A program that does not run as root.
pub(crate) fn as_nobody(program: &Path) -> Command {
    if !getuid().is_root() {
        return Command::new(program);
    }
    let mut command = Command::new(NOBODY[0]);
    command.args(&NOBODY[1..]).arg(program);
    command
}
