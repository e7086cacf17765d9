//! The real server as a process of its own, on a port of its own and a directory of its own.
//!
//! `setup` says how it is to be started, a `Server` is one that answers. It can be stopped
//! politely, killed, and started again on the same directory and port.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};

use crate::API;
use crate::client::{Answer, Http, json, send};
use crate::data::{Data, Database};
use crate::grant::Grant;
use crate::host::HostKey;
use crate::person::Person;
use crate::place::{Place, incident};
use crate::process::{Ended, Process};
use crate::role::{ADMIN, CHECKER, EDITOR, OWNER, READER};
use crate::setup::{Setup, free_address, program};
use reqwest::Method;
use rustix::process::Signal;

/// Tells a server where to stand still.
const FAILPOINT: &str = "CHECKLIST_FAILPOINT";

/// A server that answers.
pub struct Server {
    process: Process,
    setup: Setup,
    data: Arc<Data>,
    /// `host:port`, the same after a restart.
    pub address: String,
    /// The base URL of the node that this is another one of.
    of: Option<String>,
    /// API keys of administrators, by tenant and name.
    admin_keys: Mutex<HashMap<(String, String), String>>,
}

impl Server {
    /// A server in `--demo`.
    #[must_use]
    #[track_caller]
    pub fn demo() -> Self {
        Setup::demo().start()
    }

    /// A server that trusts one host platform, and the platform's key.
    #[must_use]
    #[track_caller]
    pub fn with_host() -> (HostKey, Self) {
        let host = HostKey::of("north");
        let server = Setup::for_hosts(std::slice::from_ref(&host)).start();
        (host, server)
    }

    #[track_caller]
    pub(crate) fn open(setup: Setup, data: Arc<Data>, address: Option<String>) -> Self {
        // Outside the ephemeral ports, so that no connection gets the port while this server is stopped.
        let address = address.unwrap_or_else(free_address);
        let mut command = setup.command(&data, &address);
        Self::run_by(&mut command, setup, data, None)
    }

    /// Another node beside this one: the same data, the same base URL, as if a balancer stood
    /// before both.
    #[must_use]
    #[track_caller]
    pub fn another_node(&self) -> Self {
        self.node_at(&free_address())
    }

    #[track_caller]
    fn node_at(&self, address: &str) -> Self {
        let base = self.audience();
        let mut command = self.setup.command(&self.data, address);
        command.args(["--base-url", &base]);
        Self::run_by(
            &mut command,
            self.setup.clone(),
            self.data.clone(),
            Some(base),
        )
    }

    #[track_caller]
    fn run_by(command: &mut Command, setup: Setup, data: Arc<Data>, of: Option<String>) -> Self {
        let mut process = Process::start(command);
        let url = process.says("listening on http://");
        let address = url.split(['/', ' ']).next().unwrap_or(&url).to_owned();
        Self {
            process,
            setup,
            data,
            address,
            of,
            admin_keys: Mutex::default(),
        }
    }

    /// What tokens for this server name as their audience.
    #[must_use]
    pub fn audience(&self) -> String {
        self.of.clone().unwrap_or_else(|| self.base_url())
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

    /// `GetItems` of the incident 1 with a token, as pages of that origin ask if one is named.
    #[must_use]
    #[track_caller]
    pub fn get_items_with(&self, token: &str, origin: Option<&str>) -> Answer {
        let mut request = self
            .http()
            .request(Method::POST, &format!("{API}/GetItems"))
            .bearer_auth(token);
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let body = serde_json::json!({ "Context": incident("1").context() });
        send(json(request, &body))
    }

    /// The directory with the database.
    #[must_use]
    pub fn data_dir(&self) -> PathBuf {
        self.data.directory().join("data")
    }

    /// The PostgreSQL database, where there is one.
    #[must_use]
    pub fn postgres(&self) -> Option<&Database> {
        self.data.database()
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

    /// Changes the audit trail behind the server's back: whoever may write the database may also
    /// take its guards away.
    ///
    /// # Panics
    /// When the statement meets nothing.
    #[track_caller]
    pub fn tamper(&self, statement: &str) {
        let guards = ["changed", "deleted", "emptied"];
        self.unguard("audit", &guards.map(|end| format!("audit_is_never_{end}")));
        self.spoil(statement);
    }

    /// Takes guards away from a table of a stopped server, those of them that there are.
    ///
    /// # Panics
    /// When the database does not do it.
    #[track_caller]
    pub fn unguard(&self, table: &str, guards: &[String]) {
        for guard in guards {
            let drop = format!("DROP TRIGGER IF EXISTS {guard}");
            if let Some(database) = self.postgres() {
                database.run(&format!("{drop} ON {table}"));
            } else {
                let file = rusqlite::Connection::open(self.database()).expect("the file opens");
                file.execute_batch(&drop).expect("the guard goes");
            }
        }
    }

    /// Changes rows of a server behind its back, as somebody who edits the database. A running
    /// server goes on with what it has in memory, such as lists.
    ///
    /// # Panics
    /// When the statement meets nothing.
    #[track_caller]
    pub fn spoil(&self, statement: &str) {
        if let Some(database) = self.postgres() {
            let met = "GET DIAGNOSTICS met = ROW_COUNT; ASSERT met > 0;";
            database.run(&format!(
                "DO $$ DECLARE met BIGINT; BEGIN {statement}; {met} END $$"
            ));
            return;
        }
        let file = rusqlite::Connection::open(self.database()).expect("the database opens");
        let met = file.execute(statement, []).expect("the statement runs");
        assert!(met > 0, "{statement} met nothing");
    }

    /// Whether that text lies anywhere in a stopped server's data.
    ///
    /// # Panics
    /// When the data cannot be read.
    #[must_use]
    #[track_caller]
    pub fn keeps(&self, text: &str) -> bool {
        if let Some(database) = self.postgres() {
            return database.holds(text);
        }
        let files = std::fs::read_dir(self.data_dir()).expect("the server made its directory");
        files.filter_map(Result::ok).any(|file| {
            let bytes = std::fs::read(file.path()).expect("a stopped server's file");
            bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        })
    }

    /// What the server has written to stderr so far.
    #[must_use]
    pub fn errors(&self) -> String {
        self.process.errors()
    }

    /// The process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The memory that the server holds at this moment, in bytes.
    ///
    /// # Panics
    /// Where there is no `/proc`.
    #[must_use]
    #[track_caller]
    pub fn memory(&self) -> u64 {
        self.process
            .memory()
            .expect("the system tells what a process holds")
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

    /// The server does nothing any more until [`Server::go_on`], as if its machine slept.
    pub fn stand_still(&self) {
        self.process.signal(Signal::STOP);
    }

    /// Ends that.
    pub fn go_on(&self) {
        self.process.signal(Signal::CONT);
    }

    /// Starts a stopped or killed server again: same directory, same address.
    #[track_caller]
    pub fn start_again(&mut self) {
        let again = match &self.of {
            Some(_) => self.node_at(&self.address),
            None => Self::open(
                self.setup.clone(),
                self.data.clone(),
                Some(self.address.clone()),
            ),
        };
        *self = again;
    }

    /// From its next start on it stands still at that place of a run, and says so on stderr.
    pub fn arm(&mut self, place: &str) {
        let environment = &mut self.setup.environment;
        environment.retain(|(name, _)| name != FAILPOINT);
        environment.push((FAILPOINT.to_owned(), place.to_owned()));
    }

    /// From its next start on it stands still nowhere.
    pub fn disarm(&mut self) {
        self.arm("nowhere");
    }

    /// From its next start on it lacks an option and its value.
    pub fn take_away(&mut self, option: &str) {
        self.setup.take_away(option);
    }

    /// Stops it politely and starts it again.
    #[track_caller]
    pub fn restart(&mut self) {
        self.stop();
        self.start_again();
    }

    /// Stops it and starts it again on the same database, with this behind the question mark of its URL.
    ///
    /// # Panics
    /// When its data is in no PostgreSQL.
    #[track_caller]
    pub fn restart_with_database_options(&mut self, options: &str) {
        self.stop();
        self.data.change_database_options(options);
        self.start_again();
    }

    /// Kills it and starts it again.
    #[track_caller]
    pub fn crash_and_restart(&mut self) {
        self.kill();
        self.start_again();
    }

    /// Runs another command of the program on this server's data, such as `audit verify`.
    #[must_use]
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> Ended {
        self.begin(arguments).ended()
    }

    /// The same, while it runs.
    #[must_use]
    #[track_caller]
    pub fn begin(&self, arguments: &[&str]) -> Process {
        let mut command = program();
        command.args(arguments);
        self.data.name_to(&mut command);
        Process::start(&mut command)
    }

    /// The file with the vault's key, for a command that needs it as well.
    ///
    /// # Panics
    /// When the server has no vault.
    #[must_use]
    pub fn vault_key(&self) -> String {
        self.setup.vault_key().expect("a vault").to_owned()
    }

    /// The API key of an administrator of a tenant, made at the command line the first time that
    /// it is asked for: no token of a host administrates anything.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    #[track_caller]
    pub fn admin_key(&self, tenant: &str, name: &str) -> String {
        let mut keys = self
            .admin_keys
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let key = keys.entry((tenant.to_owned(), name.to_owned()));
        key.or_insert_with(|| self.add_key(tenant, name, "admin"))
            .clone()
    }

    /// An API key of a tenant, made at the command line.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    #[track_caller]
    pub fn add_key(&self, tenant: &str, name: &str, role: &str) -> String {
        let wish = ["--tenant", tenant, "--name", name, "--role", role];
        let made = self.run(&[&["key", "add"], &wish[..]].concat());
        let mut words = made.said.split_whitespace();
        let key = words.find(|word| word.starts_with("ck_"));
        key.unwrap_or_else(|| panic!("no key was made: {}", made.said))
            .to_owned()
    }

    /// The first host's key.
    #[must_use]
    pub fn host(&self) -> Option<&HostKey> {
        self.setup.keys.first()
    }

    /// Somebody who sees lists.
    #[must_use]
    pub fn as_reader(&self, name: &str) -> Grant<'_> {
        Grant::new(self, name, READER)
    }

    /// Somebody who ticks.
    #[must_use]
    pub fn as_checker(&self, name: &str) -> Grant<'_> {
        Grant::new(self, name, CHECKER)
    }

    /// Somebody who does everything but lock.
    #[must_use]
    pub fn as_editor(&self, name: &str) -> Grant<'_> {
        Grant::new(self, name, EDITOR)
    }

    /// Somebody who also locks.
    #[must_use]
    pub fn as_owner(&self, name: &str) -> Grant<'_> {
        Grant::new(self, name, OWNER)
    }

    /// Somebody who may do everything.
    #[must_use]
    pub fn as_admin(&self) -> Grant<'_> {
        Grant::new(self, "Ada Admin", ADMIN)
    }

    /// Somebody with exactly these permissions.
    #[must_use]
    pub fn as_somebody_who_may(&self, permissions: &[&str]) -> Grant<'_> {
        Grant::new(self, "Somebody", permissions)
    }

    /// An editor on one list: what most tests need.
    #[must_use]
    #[track_caller]
    pub fn editor_on(&self, place: &Place) -> Person {
        self.as_editor("Erin Editor").on(place)
    }
}
