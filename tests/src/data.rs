//! Where a server keeps its data: a directory of its own, and a PostgreSQL database of its own where
//! `CHECKLIST_TESTS_ON` says `postgres`.
//!
//! `cargo xtask test` starts one PostgreSQL for the whole run and names it in `CHECKLIST_POSTGRES`,
//! a URL whose role may make databases.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::UNIX_EPOCH;

use tempfile::TempDir;
use tokio_postgres::config::Host;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Config, NoTls};

use crate::own_postgres::command;
use crate::process::feed;
use crate::setup::Setup;

/// The role that the servers use: no superuser, owner of its databases.
const ROLE: &str = "checklist_tests";
const PASSWORD: &str = "only for tests";

static NUMBER: AtomicU32 = AtomicU32::new(1);

/// Whether the servers of these tests keep their data in PostgreSQL.
#[must_use]
pub fn on_postgres() -> bool {
    std::env::var_os("CHECKLIST_TESTS_ON").is_some_and(|name| name == "postgres")
}

/// What belongs to one server, or to several nodes of one.
pub struct Data {
    directory: TempDir,
    database: Option<Database>,
}

impl Data {
    /// Nothing yet.
    ///
    /// # Panics
    /// When there is no room for it.
    #[must_use]
    #[track_caller]
    pub(crate) fn for_setup(setup: &Setup) -> Self {
        let database = match setup.own_postgres() {
            Some((url, options)) => Some(Database::on(url, options)),
            None if !setup.is_in_postgres() => None,
            None if setup.has_demo_data() => Some(Database::like_example()),
            None => Some(Database::migrated()),
        };
        Self {
            directory: TempDir::new().expect("a temporary directory"),
            database,
        }
    }

    /// An empty database, to be filled and copied.
    #[must_use]
    #[track_caller]
    pub(crate) fn to_be_filled() -> Self {
        Self {
            directory: TempDir::new().expect("a temporary directory"),
            database: Some(Database::empty()),
        }
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The database, where there is one.
    #[must_use]
    pub const fn database(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    #[track_caller]
    pub(crate) fn change_database_options(&self, options: &str) {
        let database = self.database().expect("a database of PostgreSQL");
        let mut kept = database.options.lock().expect("nobody has panicked");
        options.clone_into(&mut kept);
    }

    pub(crate) fn into_database(self) -> Option<Database> {
        self.database
    }

    /// Tells a command where the data is.
    pub(crate) fn name_to(&self, command: &mut Command) {
        command.arg("--data-dir").arg(self.directory().join("data"));
        if let Some(database) = &self.database {
            command.env("CHECKLIST_DATABASE_URL", database.url());
        }
    }
}

/// A PostgreSQL database, thrown away with this value.
pub struct Database {
    name: String,
    /// The URL of the server's administrator.
    administrator: String,
    /// What the servers' URL says behind the question mark.
    options: Mutex<String>,
}

/// The server that was named to the tests, as its administrator.
fn administrator() -> String {
    std::env::var("CHECKLIST_POSTGRES").unwrap_or_else(|_| {
        panic!(
            "there is no PostgreSQL; `cargo xtask test` starts one, or name one in CHECKLIST_POSTGRES"
        )
    })
}

/// The name of a database that is copied, of this very server: a PostgreSQL may outlive a build.
fn original(what: &str) -> String {
    let program = crate::setup::program();
    let built = std::fs::metadata(program.get_program()).and_then(|file| file.modified());
    let built = built
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("checklist_{what}_{}", built.unwrap_or_default().as_millis())
}

/// What an administrator's URL says.
fn config(url: &str) -> Config {
    url.parse().expect("the tests' PostgreSQL has a URL")
}

/// Runs SQL as the administrator.
#[track_caller]
fn run(administrator: &str, database: &str, sql: &str) {
    let done = attempt(administrator, database, sql);
    done.unwrap_or_else(|error| panic!("the tests' PostgreSQL does not run {sql}: {error:?}"));
}

fn attempt(administrator: &str, database: &str, sql: &str) -> Result<(), tokio_postgres::Error> {
    let config = config(administrator).dbname(database).to_owned();
    // In a thread of its own: whoever asks may be inside a runtime already.
    let asked = std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async {
                let (client, connection) = config.connect(NoTls).await?;
                tokio::spawn(connection);
                client.batch_execute(sql).await
            })
        });
        asking.join()
    });
    asked.expect("no panic in between")
}

/// Makes the role of the servers, where no other process has made it. The lock lasts until the role can be
/// seen: all of this is one transaction.
#[track_caller]
fn make_role(administrator: &str) {
    let sql = format!(
        "SELECT pg_advisory_xact_lock(1); DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') \
         THEN CREATE ROLE {ROLE} LOGIN PASSWORD '{PASSWORD}'; END IF; END $$"
    );
    run(administrator, "postgres", &sql);
}

impl Database {
    #[track_caller]
    pub(crate) fn empty() -> Self {
        Self::make(&administrator(), "template1", "")
    }

    /// One with the demo's types and templates.
    #[track_caller]
    fn like_example() -> Self {
        Self::copy_of("example", crate::example::database)
    }

    /// One that has the tables, and nothing in them: making these takes longer than most tests.
    #[track_caller]
    fn migrated() -> Self {
        Self::copy_of("migrated", || {
            let data = Data::to_be_filled();
            let mut migrate = crate::setup::program();
            migrate.arg("migrate");
            data.name_to(&mut migrate);
            let done = migrate.output().expect("the server's program runs");
            assert!(done.status.success(), "{done:?}");
            data.into_database().expect("it was made with one")
        })
    }

    /// A copy. The first test that wants one makes what all others copy, in whichever process they
    /// are; where several are the first, one of theirs stays.
    #[track_caller]
    fn copy_of(what: &str, make: impl FnOnce() -> Self) -> Self {
        let original = original(what);
        let administrator = administrator();
        match Self::try_to_make(&administrator, &original, "") {
            Ok(copy) => copy,
            Err(error) if error.code() == Some(&SqlState::UNDEFINED_DATABASE) => {
                let made = make();
                let rename = format!("ALTER DATABASE {} RENAME TO {original}", made.name);
                match attempt(&administrator, "postgres", &rename) {
                    Ok(()) => {}
                    Err(error) if error.code() == Some(&SqlState::DUPLICATE_DATABASE) => {}
                    // As PostgreSQL says it when both rename at the same moment.
                    Err(error) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {}
                    Err(error) => panic!("the {what} database cannot be kept: {error:?}"),
                }
                Self::make(&administrator, &original, "")
            }
            Err(error) => panic!("the tests' PostgreSQL copies no {original}: {error:?}"),
        }
    }

    /// One on a server of the test's own; the options stand behind the question mark of its URL.
    #[track_caller]
    fn on(administrator: &str, options: &str) -> Self {
        Self::make(administrator, "template1", options)
    }

    #[track_caller]
    fn make(administrator: &str, template: &str, options: &str) -> Self {
        Self::try_to_make(administrator, template, options)
            .unwrap_or_else(|error| panic!("the tests' PostgreSQL makes no database: {error:?}"))
    }

    #[track_caller]
    fn try_to_make(
        administrator: &str,
        template: &str,
        options: &str,
    ) -> Result<Self, tokio_postgres::Error> {
        // A run of all tests on tables that are spread.
        let options = match std::env::var("CHECKLIST_TEST_PARTITIONS") {
            Ok(partitions) if !options.contains("partitions") => {
                format!("partitions={partitions}&{options}")
            }
            _ => options.to_owned(),
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("checklist_http_{}_{number}", std::process::id());
        let sql = format!("CREATE DATABASE {name} OWNER {ROLE} TEMPLATE {template}");
        match attempt(administrator, "postgres", &sql) {
            // The first test of this server.
            Err(error) if error.code() == Some(&SqlState::UNDEFINED_OBJECT) => {
                make_role(administrator);
                attempt(administrator, "postgres", &sql)?;
            }
            other => other?,
        }
        Ok(Self {
            name,
            administrator: administrator.to_owned(),
            options: Mutex::new(options),
        })
    }

    /// Its URL, as a server is given it.
    #[must_use]
    pub fn url(&self) -> String {
        let server = config(&self.administrator);
        let hosts = server.get_hosts().iter().zip(server.get_ports());
        let hosts = hosts.map(|(host, port)| match host {
            Host::Tcp(host) => format!("{host}:{port}"),
            Host::Unix(_) => panic!("the tests' PostgreSQL has to listen on a port"),
        });
        let hosts = hosts.collect::<Vec<_>>().join(",");
        let password = PASSWORD.replace(' ', "%20");
        let options = self.options.lock().expect("nobody has panicked");
        let name = &self.name;
        format!("postgres://{ROLE}:{password}@{hosts}/{name}?{options}")
    }

    /// Everything in it, as `pg_dump` writes it down.
    ///
    /// # Panics
    /// When it cannot be had.
    #[must_use]
    #[track_caller]
    pub fn dump(&self) -> Vec<u8> {
        self.tool("pg_dump", &[], &[])
    }

    /// Loses everything, and gets it back from a copy that PostgreSQL's own tools have made.
    /// Nobody may be connected.
    ///
    /// # Panics
    /// When a tool refuses.
    #[track_caller]
    pub fn copy_lose_and_restore(&self) {
        let copy = self.tool("pg_dump", &["--format=custom"], &[]);
        let (name, administrator) = (&self.name, &self.administrator);
        run(administrator, "postgres", &format!("DROP DATABASE {name}"));
        let create =
            format!("CREATE DATABASE {name} OWNER {ROLE} ENCODING 'UTF8' TEMPLATE template0");
        run(administrator, "postgres", &create);
        self.tool("pg_restore", &["--exit-on-error"], &copy);
    }

    /// What one of PostgreSQL's tools, run as the administrator, makes of this input.
    #[track_caller]
    fn tool(&self, tool: &str, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let server = config(&self.administrator);
        let Some(Host::Tcp(host)) = server.get_hosts().first() else {
            panic!("the tests' PostgreSQL has to listen on a port");
        };
        let port = server.get_ports().first().copied().unwrap_or(5432);
        let mut command = command(tool);
        command
            .args(arguments)
            .args(["--host", host, "--port", &port.to_string()])
            .args(["--username", server.get_user().unwrap_or("postgres")])
            .args(["--no-password", "--dbname", &self.name]);
        if let Some(password) = server.get_password() {
            let password = String::from_utf8_lossy(password).into_owned();
            command.env("PGPASSWORD", password);
        }
        let output = feed(&mut command, input);
        assert!(output.status.success(), "{tool}: {output:?}");
        output.stdout
    }

    /// Runs SQL in it as the administrator, whom no policy binds.
    ///
    /// # Panics
    /// When it does not succeed.
    #[track_caller]
    pub fn run(&self, sql: &str) {
        run(&self.administrator, &self.name, sql);
    }
}

impl Database {
    /// Whether any row of any table holds that text.
    #[must_use]
    #[track_caller]
    pub fn holds(&self, text: &str) -> bool {
        let sql = format!(
            "DO $$ DECLARE one RECORD; found BOOLEAN; BEGIN \
                 FOR one IN SELECT oid::regclass AS name FROM pg_class \
                     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP \
                     EXECUTE format('SELECT EXISTS (SELECT FROM %s AS row WHERE row::text LIKE %L)', \
                         one.name, '%{text}%') INTO found; \
                     IF found THEN RAISE EXCEPTION 'found'; END IF; \
                 END LOOP; END $$"
        );
        match attempt(&self.administrator, &self.name, &sql) {
            Ok(()) => false,
            Err(error)
                if error
                    .as_db_error()
                    .is_some_and(|said| said.message() == "found") =>
            {
                true
            }
            Err(error) => panic!("the tables cannot be looked through: {error:?}"),
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // One that stays costs room until the run is over, no more.
        let _ = attempt(&self.administrator, "postgres", &sql);
    }
}
