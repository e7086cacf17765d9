//! A PostgreSQL database for one test, dropped after it.
//!
//! `cargo xtask test` starts a server for the whole run and passes its URL in `CHECKLIST_POSTGRES`,
//! with a role that may create databases. Without it a test fails with a message.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use tokio::time::sleep;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error, NoTls};

/// The role of the tests' servers: not a superuser, owner of its databases.
pub const ROLE: &str = "checklist_tests";
const PASSWORD: &str = "only for tests";

static NUMBER: AtomicU32 = AtomicU32::new(1);

/// A database for one test.
pub struct Database {
    pub name: String,
}

/// The tests' server, as the administrator.
#[expect(
    clippy::disallowed_methods,
    reason = "the database of the tests is named there"
)]
fn server() -> Config {
    let url = std::env::var("CHECKLIST_POSTGRES").unwrap_or_else(|_| {
        panic!(
            "there is no PostgreSQL; `cargo xtask test` starts one, or name one in CHECKLIST_POSTGRES"
        )
    });
    url.parse().expect("CHECKLIST_POSTGRES is a URL")
}

/// A connection as the administrator.
pub async fn administrator(database: &str) -> Client {
    let (client, connection) = server()
        .dbname(database)
        .connect(NoTls)
        .await
        .expect("the tests' PostgreSQL answers");
    tokio::spawn(connection);
    client
}

/// When this program was built, in milliseconds: a PostgreSQL may outlive it.
fn built() -> u128 {
    let program = std::env::current_exe().and_then(std::fs::metadata);
    let built = program.and_then(|file| file.modified());
    let since = built
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.unwrap_or_default().as_millis()
}

impl Database {
    /// Creates an empty database.
    pub async fn new() -> Self {
        Self::like("").await
    }

    /// Creates a database with further options of `CREATE DATABASE`.
    pub async fn like(more: &str) -> Self {
        Self::try_like(more).await.expect("a database")
    }

    /// A copy of the database that this program calls `what`. The first test that wants one makes it;
    /// where several are the first, one of theirs stays.
    pub async fn copy_of(what: &str, make: impl AsyncFnOnce() -> Self) -> Self {
        let original = format!("checklist_{what}_{}", built());
        let copy = format!("TEMPLATE {original}");
        match Self::try_like(&copy).await {
            Ok(copy) => return copy,
            Err(error) if error.code() == Some(&SqlState::UNDEFINED_DATABASE) => {}
            Err(error) => panic!("{original} cannot be copied: {error:?}"),
        }
        let made = make().await;
        let client = administrator("postgres").await;
        let rename = format!("ALTER DATABASE {} RENAME TO {original}", made.name);
        loop {
            let Err(error) = client.batch_execute(&rename).await else {
                break;
            };
            match error.code() {
                // Another test was the first.
                Some(&SqlState::DUPLICATE_DATABASE | &SqlState::UNIQUE_VIOLATION) => break,
                // Connections that were closed are still there for a moment.
                Some(&SqlState::OBJECT_IN_USE) => sleep(Duration::from_millis(20)).await,
                _ => panic!("{original} cannot be kept: {error:?}"),
            }
        }
        Self::like(&copy).await
    }

    async fn try_like(more: &str) -> Result<Self, Error> {
        let name = format!(
            "checklist_{}_{}",
            std::process::id(),
            NUMBER.fetch_add(1, Ordering::Relaxed)
        );
        let client = administrator("postgres").await;
        let role = format!(
            "BEGIN; SELECT pg_advisory_xact_lock(1); DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') \
             THEN CREATE ROLE {ROLE} LOGIN PASSWORD '{PASSWORD}'; END IF; END $$; COMMIT"
        );
        client.batch_execute(&role).await.expect("a role");
        let sql = format!("CREATE DATABASE {name} OWNER {ROLE} {more}");
        client.batch_execute(&sql).await?;
        Ok(Self { name })
    }

    /// The URL for a server.
    pub fn url(&self) -> String {
        self.url_as(ROLE, PASSWORD)
    }

    /// The same, with the tables spread over as many partitions as `CHECKLIST_TEST_PARTITIONS` says.
    #[expect(
        clippy::disallowed_methods,
        reason = "a run of all tests on such tables is asked for there"
    )]
    pub fn server_url(&self) -> String {
        let url = self.url();
        match std::env::var("CHECKLIST_TEST_PARTITIONS") {
            Ok(partitions) => format!("{url}?partitions={partitions}"),
            Err(_) => url,
        }
    }

    /// The URL for another role.
    pub fn url_as(&self, role: &str, password: &str) -> String {
        let server = server();
        let host = match server.get_hosts().first() {
            Some(tokio_postgres::config::Host::Tcp(name)) => name.clone(),
            other => panic!("the tests' PostgreSQL listens on {other:?}"),
        };
        let port = server.get_ports().first().copied().unwrap_or(5432);
        let password = password.replace(' ', "%20");
        format!("postgres://{role}:{password}@{host}:{port}/{}", self.name)
    }

    /// A connection as the administrator.
    pub async fn administrator(&self) -> Client {
        administrator(&self.name).await
    }

    /// A connection with a server's role, without any session settings.
    pub async fn stranger(&self) -> Client {
        let config: Config = self.url().parse().expect("a URL");
        let (client, connection) = config.connect(NoTls).await.expect("the role may come in");
        tokio::spawn(connection);
        client
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let drop = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        // In a runtime of its own, as the test's runtime may be gone or shutting down.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async { administrator("postgres").await.batch_execute(&drop).await })
        });
        // A database that is left over costs only disk space until the end of the run.
        let _ = dropped.join();
    }
}
