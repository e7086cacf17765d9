//! The real server as a process of its own, on a port of its own and a directory of its own.
//!
//! `Setup` says how it is to be started, `Server` is one that answers. A server can be stopped
//! politely, killed, and started again on the same directory and port. Called by every test.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::client::{Http, send};
use crate::host::HostKey;
use crate::person::{Grant, Place};
use crate::wait::{PATIENCE, until};

/// How a server is to be started.
#[derive(Clone, Debug)]
pub struct Setup {
    keys: Vec<HostKey>,
    base_path: String,
    arguments: Vec<String>,
}

/// A server that answers.
pub struct Server {
    setup: Setup,
    directory: Arc<TempDir>,
    /// `host:port`, the same after a restart.
    pub address: String,
    process: Process,
}

/// A started program and what it has said so far.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
    errors: Arc<Mutex<String>>,
}

/// How a program ended that was not expected to stay.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it said on stdout and stderr.
    pub said: String,
}

impl Setup {
    /// `--demo`: signs its own tokens, has demo data.
    #[must_use]
    pub fn demo() -> Self {
        Self {
            keys: Vec::new(),
            base_path: String::new(),
            arguments: Vec::new(),
        }
    }

    /// As in production: only tokens signed with these keys are accepted.
    #[must_use]
    pub fn for_hosts(keys: &[HostKey]) -> Self {
        Self {
            keys: keys.to_vec(),
            ..Self::demo()
        }
    }

    /// The base URL carries this path, for example `/platform`.
    #[must_use]
    pub fn below(mut self, base_path: &str) -> Self {
        base_path.clone_into(&mut self.base_path);
        self
    }

    /// One more command line argument.
    #[must_use]
    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Starts the server in an empty directory.
    #[must_use]
    #[track_caller]
    pub fn start(self) -> Server {
        let directory = Arc::new(TempDir::new().expect("a temporary directory"));
        Server::open(self, directory, None)
    }

    fn command(&self, directory: &Path, address: &str) -> Command {
        let mut command = program();
        command.arg("serve").args(["--listen", address]);
        command.arg("--data-dir").arg(directory.join("data"));
        if self.keys.is_empty() {
            command.arg("--demo");
        }
        for key in &self.keys {
            command.arg("--embed-key").arg(key_file(directory, key));
            command.args(["--tenant", &key.tenant]);
        }
        // A base URL names a port, so the port has to be known before the server is started.
        if !self.base_path.is_empty() {
            command.args(["--base-url", &format!("http://{address}{}", self.base_path)]);
        }
        command.args(&self.arguments);
        command
    }
}

/// The built server, to be given arguments.
///
/// # Panics
/// When it is not built; the message says how to build it.
#[must_use]
pub fn program() -> Command {
    let path = std::env::var_os("CHECKLIST_SERVER_BIN").map_or_else(beside_the_test, PathBuf::from);
    assert!(
        path.is_file(),
        "there is no server at {}; `cargo xtask test` builds it, or name one in CHECKLIST_SERVER_BIN",
        path.display()
    );
    let mut command = Command::new(path);
    // Settings of whoever runs the tests are not the tests'.
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CHECKLIST_"))
    {
        command.env_remove(name);
    }
    command
}

/// `checklist-server` in the folder that cargo has built this very program into.
fn beside_the_test() -> PathBuf {
    let this = std::env::current_exe().expect("a running program has a path");
    let folder = this.parent().unwrap_or(Path::new("."));
    let folder = if folder.ends_with("deps") {
        folder.parent().unwrap_or(folder)
    } else {
        folder
    };
    folder.join(format!("checklist-server{}", std::env::consts::EXE_SUFFIX))
}

/// Writes the public key that `--embed-key` reads, named after its kid; gives its path.
#[must_use]
pub fn key_file(directory: &Path, key: &HostKey) -> PathBuf {
    let path = directory.join(format!("{}.pem", key.kid));
    std::fs::write(&path, &key.public_pem).expect("the test's own directory");
    path
}

impl Server {
    /// A server in `--demo`.
    #[must_use]
    #[track_caller]
    pub fn demo() -> Self {
        Setup::demo().start()
    }

    #[track_caller]
    fn open(setup: Setup, directory: Arc<TempDir>, address: Option<String>) -> Self {
        let address = address.unwrap_or_else(|| {
            if setup.base_path.is_empty() {
                "127.0.0.1:0".to_owned()
            } else {
                free_address()
            }
        });
        let mut process = Process::start(&mut setup.command(directory.path(), &address));
        let address = process.address();
        Self {
            setup,
            directory,
            address,
            process,
        }
    }

    /// The base URL, without a slash at its end.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("http://{}{}", self.address, self.setup.base_path)
    }

    /// Scheme, host and port, as policies name it.
    #[must_use]
    pub fn address_as_origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests to this server.
    #[must_use]
    pub fn http(&self) -> Http {
        Http::to(&self.base_url())
    }

    /// The directory with the database.
    #[must_use]
    pub fn data_dir(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// The database file.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    #[track_caller]
    pub fn database(&self) -> PathBuf {
        let files = std::fs::read_dir(self.data_dir()).expect("the server made its directory");
        let mut paths = files.filter_map(Result::ok).map(|file| file.path());
        let database = paths.find(|path| path.extension().is_some_and(|end| end == "sqlite3"));
        database.expect("the server made a database")
    }

    /// What the server has written to stderr so far.
    #[must_use]
    pub fn errors(&self) -> String {
        self.process.errors()
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.child.id()
    }

    /// Asks the server to stop, as an operating system does, and waits until it has.
    ///
    /// # Panics
    /// When it does not end well.
    #[track_caller]
    pub fn stop(&mut self) {
        self.process.signal(Signal::TERM);
        let status = self.process.wait();
        assert!(
            status.success(),
            "a polite stop ended with {status}: {}",
            self.errors()
        );
    }

    /// Asks the server to stop and does not wait.
    pub fn ask_to_stop(&self) {
        self.process.signal(Signal::TERM);
    }

    /// Waits until the server has ended by itself.
    #[track_caller]
    pub fn wait(&mut self) -> ExitStatus {
        self.process.wait()
    }

    /// Ends the server without warning, as a power cut does.
    #[track_caller]
    pub fn kill(&mut self) {
        self.process.signal(Signal::KILL);
        self.process.wait();
    }

    /// Starts a stopped or killed server again: same directory, same address.
    #[track_caller]
    pub fn start_again(&mut self) {
        let again = Self::open(
            self.setup.clone(),
            self.directory.clone(),
            Some(self.address.clone()),
        );
        *self = again;
    }

    /// Stops it politely and starts it again.
    #[track_caller]
    pub fn restart(&mut self) {
        self.stop();
        self.start_again();
    }

    /// Kills it and starts it again.
    #[track_caller]
    pub fn crash_and_restart(&mut self) {
        self.kill();
        self.start_again();
    }

    /// Runs another command of the program on this server's directory, such as `audit verify`.
    #[must_use]
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Ended {
        let mut command = program();
        command
            .args(arguments)
            .arg("--data-dir")
            .arg(self.data_dir());
        Process::start(&mut command).ended()
    }

    /// The first host's key.
    #[must_use]
    pub fn host(&self) -> Option<&HostKey> {
        self.setup.keys.first()
    }

    /// Somebody who sees lists.
    #[must_use]
    pub fn as_reader(&self, name: &str) -> Grant<'_> {
        Grant::new(self, name, &["Read"])
    }

    /// Somebody who ticks.
    #[must_use]
    pub fn as_checker(&self, name: &str) -> Grant<'_> {
        Grant::new(self, name, &["Read", "Check"])
    }

    /// Somebody who does everything but lock.
    #[must_use]
    pub fn as_editor(&self, name: &str) -> Grant<'_> {
        let may = [
            "Read",
            "Check",
            "UncheckOthers",
            "Edit",
            "Add",
            "Delete",
            "Reorder",
            "Refresh",
        ];
        Grant::new(self, name, &may)
    }

    /// Somebody who also locks.
    #[must_use]
    pub fn as_owner(&self, name: &str) -> Grant<'_> {
        self.as_editor(name).and("Lock")
    }

    /// Somebody who may do everything.
    #[must_use]
    pub fn as_admin(&self) -> Grant<'_> {
        self.as_owner("Ada Admin")
            .and("Audit")
            .and("Templates")
            .and("Admin")
    }

    /// Somebody with exactly these permissions.
    #[must_use]
    pub fn as_somebody_who_may(&self, permissions: &[&str]) -> Grant<'_> {
        Grant::new(self, "Somebody", permissions)
    }

    /// An editor on one list: what most tests need.
    #[must_use]
    #[track_caller]
    pub fn editor_on(&self, place: &Place) -> crate::Person {
        self.as_editor("Erin Editor").on(place)
    }
}

impl Process {
    /// Starts a program and listens to what it says.
    ///
    /// # Panics
    /// When it cannot be started at all.
    #[track_caller]
    pub fn start(command: &mut Command) -> Self {
        Self::spawn(command.stdin(Stdio::null()))
    }

    /// The same for a program that reads its input until this value is dropped or this process
    /// has ended.
    ///
    /// # Panics
    /// When it cannot be started at all.
    #[track_caller]
    pub fn start_with_input(command: &mut Command) -> Self {
        Self::spawn(command.stdin(Stdio::piped()))
    }

    #[track_caller]
    fn spawn(command: &mut Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => panic!("{command:?} cannot be started: {error}"),
        };
        let errors = Arc::new(Mutex::new(String::new()));
        if let Some(mut stderr) = child.stderr.take() {
            let errors = errors.clone();
            std::thread::spawn(move || {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = stderr.read(&mut bytes) {
                    if let Ok(mut errors) = errors.lock() {
                        errors.push_str(&String::from_utf8_lossy(&bytes[..count]));
                    }
                }
            });
        }
        let (said, lines) = channel();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                    if said.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        Self {
            child,
            lines,
            errors,
        }
    }

    /// The next line of stdout that holds `marker`, from the marker's end on.
    ///
    /// # Panics
    /// When the program ends or waits too long before it says so.
    #[track_caller]
    pub fn says(&mut self, marker: &str) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    if let Some((_, rest)) = line.split_once(marker) {
                        return rest.to_owned();
                    }
                }
                Err(_) => panic!(
                    "the program never said {marker:?}; stderr:\n{}",
                    self.errors()
                ),
            }
        }
    }

    /// What the program has written to stderr so far.
    #[must_use]
    pub fn errors(&self) -> String {
        self.errors
            .lock()
            .map_or_else(|_| String::new(), |errors| errors.clone())
    }

    #[track_caller]
    fn address(&mut self) -> String {
        let url = self.says("listening on http://");
        url.split(['/', ' ']).next().unwrap_or(&url).to_owned()
    }

    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let Some(id) = id {
            // An error means that it has ended already, which is what the caller is after.
            let _ = kill_process(id, signal);
        }
    }

    #[track_caller]
    fn wait(&mut self) -> ExitStatus {
        until("the program to end", || {
            self.child.try_wait().ok().flatten()
        })
    }

    /// Waits for a program that is expected to end by itself.
    #[must_use]
    #[track_caller]
    pub fn ended(mut self) -> Ended {
        let status = self.wait();
        let mut said: String = self
            .lines
            .iter()
            .flat_map(|line| [line, "\n".to_owned()])
            .collect();
        // The pipe is drained by a thread, which may be a moment behind the exit.
        until("all of stderr", || {
            (Arc::strong_count(&self.errors) == 1).then_some(())
        });
        said.push_str(&self.errors());
        Ended { status, said }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that reads its input ends with it, and has something left to do until then.
        if self.child.stdin.take().is_none() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// An address on this machine that nobody listens on at this moment.
#[must_use]
pub fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
    listener
        .local_addr()
        .expect("a bound listener has an address")
        .to_string()
}

/// Waits until a server answers its health check.
#[track_caller]
pub fn healthy(http: &Http) {
    until("the server to be healthy", || {
        (send(http.request(reqwest::Method::GET, "/healthz")).status == 200).then_some(())
    });
}
