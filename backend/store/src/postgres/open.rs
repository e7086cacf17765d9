//! Opens the database: checks that it exists, is suitable and permits what is needed, then
//! migrates.
//!
//! Called once at startup. Distinguishes everything that can be wrong with a database, so that the
//! command line can say what to do. No message contains the password.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tokio_postgres::config::Host;
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error};

use super::announcer::Announcer;
use super::connect::{ConnectError, Connector};
use super::error::{self, said};
use super::listener;
use super::options::PostgresOptions;
use super::pulse;
use super::session::{self, Pool};
use crate::sql::people;
use crate::store::StoreError;
use checklist_runtime::clock;

mod embedded {
    refinery::embed_migrations!("migrations/postgres");
}

/// How long the database may take to answer at startup.
const PATIENCE: Duration = Duration::from_secs(10);

/// The oldest supported `server_version_num`.
const OLDEST: i32 = 140_000;

/// The advisory lock that one node holds while it migrates.
const MIGRATING: i64 = 0x6368_6563_6b6c_6973;

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL is invalid.
    #[error("the database's URL cannot be read: {reason}")]
    Url {
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing answers there.
    #[error("the database {place} cannot be reached: {reason}")]
    Unreachable {
        /// Host, port and database.
        place: String,
        /// The message of the operating system.
        reason: String,
    },
    /// The connection is less secure than the URL demands.
    #[error("the connection to the database {place} cannot be protected: {reason}")]
    Unprotected {
        /// Host, port and database.
        place: String,
        /// What is missing.
        reason: String,
    },
    /// The server rejects the role or its password.
    #[error("the database {place} does not let {role} in: {reason}")]
    Refused {
        /// Host, port and database.
        place: String,
        /// The role.
        role: String,
        /// The message of the server.
        reason: String,
    },
    /// The database does not exist.
    #[error("there is no database {place}")]
    Missing {
        /// Host, port and database.
        place: String,
    },
    /// The server is too old, the encoding is wrong, or it is a read-only replica.
    #[error("the database {place} cannot be used: {reason}")]
    Unfit {
        /// Host, port and database.
        place: String,
        /// Why.
        reason: String,
    },
    /// The role bypasses row-level security.
    #[error(
        "the role {role} stands above row-level security, so it could see every tenant's rows at once"
    )]
    TooMighty {
        /// The role.
        role: String,
    },
    /// The role lacks privileges.
    #[error("the role {role} may not make or use the tables of {place}: {reason}")]
    Powerless {
        /// Host, port and database.
        place: String,
        /// The role.
        role: String,
        /// The message of the server.
        reason: String,
    },
    /// A newer server has written it.
    #[error("the database {place} has layout {found}, this server knows {known}")]
    Newer {
        /// Host, port and database.
        place: String,
        /// The schema version of the database.
        found: i32,
        /// The newest schema version that this server knows.
        known: i32,
    },
    /// Its schema is not this program's.
    #[error("the layout of the database {place} cannot be brought up to date: {reason}")]
    Foreign {
        /// Host, port and database.
        place: String,
        /// What is in the way.
        reason: String,
    },
}

/// The pool, the announcer and the task that listens to other nodes.
type OpenedStore = (Pool, Arc<Announcer>, AbortHandle);

/// The schema versions of a database and of this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SchemaVersions {
    /// That of the database; 0 of an empty one.
    pub database: i32,
    /// The newest one that this program knows.
    pub program: i32,
}

/// Checks whether the database can be used, and changes nothing in it.
///
/// # Errors
/// Why it cannot be used.
pub async fn inspect(url: &str) -> Result<SchemaVersions, OpenError> {
    let (_, asked, client) = connect(url).await?;
    asked.schema_versions(&client).await
}

pub(super) async fn open(options: &PostgresOptions) -> Result<OpenedStore, OpenError> {
    let (reach, asked, mut client) = connect(&options.url).await?;
    asked
        .bring_up_to_date(&mut client, reach.partitions())
        .await?;
    let (announcer, listener) = asked.listen(&reach).await?;
    let pool =
        Pool::new(reach, options.connections.max(2)).map_err(|reason| asked.unfit_error(reason))?;
    complete_migrations(&pool)
        .await
        .map_err(|error| asked.unfit_error(error.to_string()))?;
    Ok((pool, announcer, listener))
}

/// Computes what migrations leave to the program. Several nodes may do it at once.
async fn complete_migrations(pool: &Pool) -> Result<(), StoreError> {
    people::fill_sort_names(&mut *pool.sign_in().await?).await
}

/// Connects to a database that is suitable.
async fn connect(url: &str) -> Result<(Connector, ConnectionTarget, Client), OpenError> {
    let reach = Connector::parse(url).map_err(|reason| OpenError::Url { reason })?;
    let asked = ConnectionTarget::of(reach.hosts());
    let client = tokio::time::timeout(PATIENCE, session::connect(&reach))
        .await
        .map_err(|_| OpenError::Unreachable {
            place: asked.place.clone(),
            reason: "no answer in time".to_owned(),
        })?
        .map_err(|error| asked.explain_connecting(&error))?;
    asked.look_at(&client).await?;
    Ok((reach, asked, client))
}

/// Spreads the tables of tenants over partitions that are not spread yet.
async fn spread(client: &mut Client, partitions: u8) -> Result<(), Error> {
    const SPREAD: &str = include_str!("spread.sql");
    let transaction = client.transaction().await?;
    let partitions = partitions.to_string();
    transaction
        .execute(
            "SELECT set_config('app.partitions', $1, true)",
            &[&partitions],
        )
        .await?;
    transaction.batch_execute(SPREAD).await?;
    transaction.commit().await
}

/// The requested database, for messages.
struct ConnectionTarget {
    place: String,
    role: String,
}

impl ConnectionTarget {
    fn of(configs: &[Config]) -> Self {
        let hosts = configs.iter().flat_map(|config| {
            let port = config.get_ports().first().copied().unwrap_or(5432);
            config.get_hosts().iter().map(move |host| match host {
                Host::Tcp(name) => format!("{name}:{port}"),
                Host::Unix(folder) => format!("{}:{port}", folder.display()),
            })
        });
        let first = configs.first();
        let role = (first.and_then(Config::get_user)).unwrap_or("(the system's user)");
        let database = first.and_then(Config::get_dbname).unwrap_or(role);
        Self {
            place: format!("{database} at {}", hosts.collect::<Vec<_>>().join(",")),
            role: role.to_owned(),
        }
    }

    fn unfit_error(&self, reason: impl Into<String>) -> OpenError {
        OpenError::Unfit {
            place: self.place.clone(),
            reason: reason.into(),
        }
    }

    fn explain_connecting(&self, error: &ConnectError) -> OpenError {
        match error {
            ConnectError::Refused(error) => self.explain(error),
            ConnectError::Silent => OpenError::Unreachable {
                place: self.place.clone(),
                reason: error.to_string(),
            },
        }
    }

    fn explain(&self, error: &Error) -> OpenError {
        let (place, role, reason) = (self.place.clone(), self.role.clone(), said(error));
        match error.code().map(SqlState::code) {
            _ if error::is_tls(error) => OpenError::Unprotected { place, reason },
            Some("28P01" | "28000") => OpenError::Refused {
                place,
                role,
                reason,
            },
            Some("3D000") => OpenError::Missing { place },
            Some("42501") => OpenError::Powerless {
                place,
                role,
                reason,
            },
            Some("25006") => self.unfit_error("it is a copy that cannot be written"),
            // `tokio_postgres` fails because of a missing password before it connects.
            None if reason.contains("password missing") => OpenError::Refused {
                place,
                role,
                reason,
            },
            _ => OpenError::Unreachable { place, reason },
        }
    }

    /// Rejects a database that would fail later, or be unsafe without anyone noticing.
    async fn look_at(&self, client: &Client) -> Result<(), OpenError> {
        let row = client
            .query_one(
                "SELECT current_setting('server_version_num')::int, \
                     current_setting('server_version'), current_setting('server_encoding'), \
                     pg_is_in_recovery(), role.rolsuper OR role.rolbypassrls, role.rolname::text \
                 FROM pg_roles role WHERE role.rolname = current_user",
                &[],
            )
            .await
            .map_err(|error| self.explain(&error))?;
        let read = |error: Error| self.unfit_error(said(&error));
        if row.try_get::<_, i32>(0).map_err(read)? < OLDEST {
            let version: String = row.try_get(1).map_err(read)?;
            return Err(self.unfit_error(format!("it runs PostgreSQL {version}, and 14 is needed")));
        }
        let encoding: String = row.try_get(2).map_err(read)?;
        if encoding != "UTF8" {
            return Err(self.unfit_error(format!("its encoding is {encoding}, and UTF8 is needed")));
        }
        if row.try_get(3).map_err(read)? {
            return Err(self.unfit_error("it is a copy that cannot be written"));
        }
        if row.try_get(4).map_err(read)? {
            return Err(OpenError::TooMighty {
                role: row.try_get(5).map_err(read)?,
            });
        }
        Ok(())
    }

    /// Starts to listen to other nodes. When it returns, no later commit is missed.
    async fn listen(&self, reach: &Connector) -> Result<(Arc<Announcer>, AbortHandle), OpenError> {
        let mut name = [0; 12];
        clock::random(&mut name).map_err(|_| {
            self.unfit_error("the system has no random numbers to name this node by")
        })?;
        let name = name.iter().map(|byte| format!("{byte:02x}")).collect();
        let (announcer, about_people) = Announcer::new(name);
        let announcer = Arc::new(announcer);
        let (first, listens) = oneshot::channel();
        let listener = listener::run(reach.clone(), Arc::clone(&announcer), about_people, first);
        let pulse = pulse::run(reach.clone());
        let both = async { tokio::join!(listener, pulse) };
        let listener = tokio::spawn(both).abort_handle();
        match tokio::time::timeout(PATIENCE, listens).await {
            Ok(Ok(())) => Ok((announcer, listener)),
            _ => {
                listener.abort();
                Err(OpenError::Unreachable {
                    place: self.place.clone(),
                    reason: "it lets this server not listen for other nodes".to_owned(),
                })
            }
        }
    }

    /// Runs the migrations, one node at a time, and spreads the tables where that is asked for.
    async fn bring_up_to_date(
        &self,
        client: &mut Client,
        partitions: Option<u8>,
    ) -> Result<(), OpenError> {
        client
            .execute("SELECT pg_advisory_lock($1)", &[&MIGRATING])
            .await
            .map_err(|error| self.explain(&error))?;
        self.schema_versions(client).await?;
        let outcome = embedded::migrations::runner()
            .run_async(client)
            .await
            .map_err(|error| self.explain_migration(&error));
        let outcome = match (outcome, partitions) {
            (Ok(_), Some(partitions)) => spread(client, partitions)
                .await
                .map_err(|error| self.explain_change(&error)),
            (outcome, _) => outcome.map(|_| ()),
        };
        // The lock ends with the connection in any case.
        let _ = client
            .execute("SELECT pg_advisory_unlock($1)", &[&MIGRATING])
            .await;
        outcome
    }

    fn explain_change(&self, error: &Error) -> OpenError {
        if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) {
            return self.explain(error);
        }
        OpenError::Foreign {
            place: self.place.clone(),
            reason: said(error),
        }
    }

    fn explain_migration(&self, error: &refinery::Error) -> OpenError {
        let mut cause: Option<&dyn std::error::Error> = Some(error);
        while let Some(one) = cause {
            if let Some(error) = one.downcast_ref::<Error>() {
                return self.explain_change(error);
            }
            cause = one.source();
        }
        OpenError::Foreign {
            place: self.place.clone(),
            reason: error.to_string(),
        }
    }

    async fn schema_versions(&self, client: &Client) -> Result<SchemaVersions, OpenError> {
        let known = embedded::migrations::runner()
            .get_migrations()
            .iter()
            .map(refinery::Migration::version)
            .max()
            .unwrap_or(0);
        let row = client
            .query_one(
                "SELECT to_regclass('refinery_schema_history') IS NOT NULL",
                &[],
            )
            .await
            .map_err(|error| self.explain(&error))?;
        if !row.try_get(0).unwrap_or(false) {
            return Ok(SchemaVersions {
                database: 0,
                program: known,
            });
        }
        let row = client
            .query_one(
                "SELECT coalesce(max(version), 0) FROM refinery_schema_history",
                &[],
            )
            .await
            .map_err(|error| self.explain(&error))?;
        let found: i32 = row.try_get(0).unwrap_or(0);
        if found > known {
            return Err(OpenError::Newer {
                place: self.place.clone(),
                found,
                known,
            });
        }
        Ok(SchemaVersions {
            database: found,
            program: known,
        })
    }
}
