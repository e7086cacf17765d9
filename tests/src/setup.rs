//! How a server is to be started: in `--demo` or for host platforms, below a path, with what else.
//!
//! Also finds the built program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use crate::data::{Data, on_postgres};
use crate::example;
use crate::host::HostKey;
use crate::own_postgres::OwnPostgres;
use crate::process::{Ended, Process};
use crate::role::OWNER;
use crate::server::Server;

/// How a server is to be started.
#[derive(Clone, Debug)]
pub struct Setup {
    pub(crate) keys: Vec<HostKey>,
    pub(crate) base_path: String,
    arguments: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    /// Another program than the one that is tested everywhere else.
    program: Option<PathBuf>,
    kept: Vec<Arc<TempDir>>,
    open_files: Option<u32>,
    demo_data: bool,
    postgres: bool,
    /// The administrator's URL of a PostgreSQL of the test's own, and options of the server's URL.
    own_postgres: Option<(String, String)>,
}

impl Setup {
    /// `--demo`: signs its own tokens, has demo data. On PostgreSQL, where there is no `--demo`,
    /// a server with that data, for a host of the same tenant.
    #[must_use]
    pub fn demo() -> Self {
        Self {
            keys: if on_postgres() {
                vec![HostKey::of(example::TENANT)]
            } else {
                Vec::new()
            },
            base_path: String::new(),
            arguments: Vec::new(),
            environment: Vec::new(),
            program: None,
            kept: Vec::new(),
            open_files: None,
            demo_data: true,
            postgres: on_postgres(),
            own_postgres: None,
        }
    }

    /// As in production: only tokens signed with these keys are accepted.
    #[must_use]
    pub fn for_hosts(keys: &[HostKey]) -> Self {
        Self {
            keys: keys.to_vec(),
            demo_data: false,
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

    pub(crate) fn take_away(&mut self, option: &str) {
        while let Some(at) = self.arguments.iter().position(|one| one == option) {
            let end = (at + 2).min(self.arguments.len());
            self.arguments.drain(at..end);
        }
    }

    /// One more variable of the server's environment.
    #[must_use]
    pub fn environment(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The system lets the server open so many files and sockets, and no more.
    #[must_use]
    pub const fn with_open_files(mut self, most: u32) -> Self {
        self.open_files = Some(most);
        self
    }

    /// Another build of the server.
    #[must_use]
    pub fn built_as(mut self, program: PathBuf) -> Self {
        self.program = Some(program);
        self
    }

    /// With a key for the vault, so that service connections can be kept.
    ///
    /// # Panics
    /// When the key cannot be written down.
    #[must_use]
    #[track_caller]
    pub fn with_vault(self) -> Self {
        let folder = TempDir::new().expect("a temporary directory");
        let file = folder.path().join("vault.key");
        let made = program()
            .args(["vault", "new-key", "--name", "of-the-tests"])
            .arg(&file)
            .output()
            .expect("the server's program runs");
        assert!(made.status.success(), "{made:?}");
        self.argument("--vault-key")
            .argument(&file.display().to_string())
            .keeping(folder)
    }

    /// The file with the vault's key, where there is one.
    pub(crate) fn vault_key(&self) -> Option<&str> {
        let at = self.arguments.iter().position(|one| one == "--vault-key")?;
        self.arguments.get(at + 1).map(String::as_str)
    }

    /// A folder that the arguments speak of; it stays as long as the server.
    #[must_use]
    pub fn keeping(mut self, folder: TempDir) -> Self {
        self.kept.push(Arc::new(folder));
        self
    }

    /// The data is kept in PostgreSQL, whatever the test program is called.
    #[must_use]
    pub const fn in_postgres(mut self) -> Self {
        self.postgres = true;
        self
    }

    /// The data is kept in that PostgreSQL; `options` stand behind the question mark of the URL.
    #[must_use]
    pub fn in_own_postgres(self, own: &OwnPostgres, options: &str) -> Self {
        self.in_postgres_at(own.url(), options)
    }

    /// The same with the URL of its administrator, which may name several servers.
    #[must_use]
    pub fn in_postgres_at(mut self, url: String, options: &str) -> Self {
        self.own_postgres = Some((url, options.to_owned()));
        self.in_postgres()
    }

    pub(crate) fn own_postgres(&self) -> Option<(&str, &str)> {
        let (url, options) = self.own_postgres.as_ref()?;
        Some((url, options))
    }

    pub(crate) const fn has_demo_data(&self) -> bool {
        self.demo_data
    }

    pub(crate) const fn is_in_postgres(&self) -> bool {
        self.postgres
    }

    /// Starts the server on data of its own.
    #[must_use]
    #[track_caller]
    pub fn start(self) -> Server {
        let data = Arc::new(Data::for_setup(&self));
        Server::open(self, data, None)
    }

    /// Starts a server that is expected to refuse that, with this exit code; gives what it says.
    ///
    /// # Panics
    /// When it ends otherwise.
    #[must_use]
    #[track_caller]
    pub fn refused(self, code: i32) -> String {
        let data = Data::for_setup(&self);
        let Ended { status, said } =
            Process::start(&mut self.command(&data, "127.0.0.1:0")).ended();
        assert_eq!(status.code(), Some(code), "{said}");
        said
    }

    pub(crate) fn command(&self, data: &Data, address: &str) -> Command {
        let mut command = match &self.program {
            Some(path) => with_settings_of_its_own(path),
            None => program(),
        };
        if let Some(most) = self.open_files {
            command = limited(&command, most);
        }
        command.arg("serve").args(["--listen", address]);
        data.name_to(&mut command);
        if self.keys.is_empty() {
            command.arg("--demo");
        }
        if !self.keys.is_empty() {
            // Everything that a host can be given.
            command.env(
                "CHECKLIST_EMBED_PERMISSIONS",
                format!("{},Audit,Templates,Sites", OWNER.join(",")),
            );
        }
        for key in &self.keys {
            command
                .arg("--embed-key")
                .arg(key_file(data.directory(), key));
            command.args(["--tenant", &key.tenant]);
        }
        // A base URL names a port, so the port has to be known before the server is started.
        if !self.base_path.is_empty() {
            command.args(["--base-url", &format!("http://{address}{}", self.base_path)]);
        }
        command.args(&self.arguments);
        for (name, value) in &self.environment {
            command.env(name, value);
        }
        command
    }
}

/// The same program under a limit of open files.
fn limited(program: &Command, most: u32) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c");
    command.arg(format!("ulimit -n {most}; exec \"$0\" \"$@\""));
    command.arg(program.get_program());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
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
    with_settings_of_its_own(&path)
}

/// Prepares a server for the tenant `acme`, which is reached at that URL and has its data there.
///
/// # Panics
/// When the program refuses to.
#[track_caller]
pub fn init(base: &str, data: &Path) {
    let mut command = program();
    command
        .args(["init", "--tenant", "acme", "--base-url", base])
        .arg("--data-dir")
        .arg(data);
    let made = Process::start(&mut command).ended();
    assert!(made.status.success(), "{}", made.said);
}

fn with_settings_of_its_own(path: &Path) -> Command {
    let mut command = Command::new(path);
    without_settings(&mut command);
    // No balancer has to notice that a server of the tests stops, unless a test says so.
    command.env("CHECKLIST_DRAIN_SECONDS", "0");
    command
}

/// Takes the variables of whoever runs the tests away from a command that starts a server: they are
/// not the server's, which refuses those that it does not know.
pub fn without_settings(command: &mut Command) {
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CHECKLIST_"))
    {
        command.env_remove(name);
    }
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

/// An address on this machine that nobody listens on at this moment.
#[must_use]
pub fn free_address() -> String {
    // Below the ports that the system gives to outgoing connections: one of those could take the
    // port between this look and the start of whoever is to listen there.
    const FIRST: u32 = 12_000;
    const COUNT: u32 = 20_000;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Test programs that run side by side begin at places of their own.
    let offset = std::process::id().wrapping_mul(7_919);
    for _ in 0..COUNT {
        let number = NEXT.fetch_add(1, Ordering::Relaxed).wrapping_add(offset);
        let address = format!("127.0.0.1:{}", FIRST + number % COUNT);
        if std::net::TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
    panic!("no port from {FIRST} on is free on this machine")
}
