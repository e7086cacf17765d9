//! Connections to PostgreSQL: sets them up, lends them out and takes them back.
//!
//! A session knows its tenant and its prepared statements, so that a usual call sends nothing else.
//! A caller gets a session only by naming a tenant, except for the list of tenants.

use std::collections::HashMap;
use std::time::Duration;

use deadpool::managed::{self, Metrics, Object, PoolError, RecycleError, RecycleResult, Timeouts};
use tokio_postgres::{Client, Row, Statement};

use super::connect::{ConnectError, Connector};
use super::error::PostgresError;
use crate::monitoring::PoolLoad;
use crate::sql::View;

/// How long a call waits for a free or new connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// The settings of every session.
///
/// All statements look up a few rows by their keys and are planned once (generic plans): other
/// plans get slower as the tables grow. Sequential scans and copies of whole tables for a join
/// (`Materialize`) are disabled and the costs set accordingly, so that a table that was small when the
/// statement was planned is not scanned later, and of one that is spread by tenant one partition is read.
///
/// A node that stops in the middle of a transaction loses its locks after five seconds; other nodes
/// wait for a lock up to ten. No statement takes a minute.
const SETTINGS: &str = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; \
    SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off; \
    SET jit = off; \
    SET random_page_cost = 1; SET cpu_tuple_cost = 0.1; SET cpu_index_tuple_cost = 0.1; \
    SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '10s'; \
    SET statement_timeout = '60s'; \
    SET default_transaction_isolation = 'read committed'; SET row_security = on";

/// Selects the rows that a session sees (row-level security): those of a tenant or those for
/// sign-ins, never both. See the migrations.
const SET: &str =
    "SELECT set_config('app.tenant', $1, false), set_config('app.sign_in', $2, false)";

/// One snapshot for several reading statements.
pub(super) const ONE_MOMENT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Whether a name contains NUL. No stored name does, and PostgreSQL rejects it even as a parameter.
pub(super) fn is_nobody(name: &str) -> bool {
    name.contains('\0')
}

/// A pooled session. Returned on drop.
pub(crate) type PooledConnection = Object<SessionManager>;

/// One connection.
pub(crate) struct Session {
    client: Client,
    /// Prepared statements by the address of their text, as every text is a constant.
    statements: HashMap<(usize, usize), Statement>,
    /// The tenant that the session is set to, empty for sign-ins; `None` while that is uncertain.
    set_to: Option<String>,
    /// Whether a transaction is open. A session that is returned with an open one is not reused.
    open: bool,
}

impl Session {
    pub(super) const fn client(&self) -> &Client {
        &self.client
    }

    /// Returns a statement; prepares it at its first use.
    pub(super) async fn statement(
        &mut self,
        sql: &'static str,
    ) -> Result<Statement, PostgresError> {
        let key = (sql.as_ptr().addr(), sql.len());
        if let Some(known) = self.statements.get(&key) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.insert(key, statement.clone());
        Ok(statement)
    }

    async fn set_to(&mut self, view: View<'_>) -> Result<(), PostgresError> {
        let (tenant, sign_in) = match view {
            View::Tenant(tenant) => (tenant, "off"),
            View::SignIn => ("", "on"),
        };
        if self.set_to.as_deref() == Some(tenant) {
            return Ok(());
        }
        let statement = self.statement(SET).await?;
        // If the future is dropped, the statement was sent nevertheless.
        self.set_to = None;
        self.client.query(&statement, &[&tenant, &sign_in]).await?;
        self.set_to = Some(tenant.to_owned());
        Ok(())
    }

    /// Runs a query.
    pub(super) async fn query(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Result<Vec<Row>, PostgresError> {
        let statement = self.statement(sql).await?;
        Ok(self.client.query(&statement, parameters).await?)
    }

    /// Runs a statement that returns no rows. Returns the number of affected rows.
    pub(super) async fn execute(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Result<u64, PostgresError> {
        let statement = self.statement(sql).await?;
        Ok(self.client.execute(&statement, parameters).await?)
    }

    /// Has to be called before a transaction begins: until [`Session::closed`], the session must
    /// not be reused.
    pub(super) const fn opens(&mut self) {
        self.open = true;
    }

    /// The transaction has ended, by commit or rollback.
    pub(super) const fn closed(&mut self) {
        self.open = false;
    }

    /// Runs work in a transaction. Rolls back on an error and if the future is dropped.
    pub(super) async fn transaction<T>(
        &mut self,
        begin: &str,
        work: impl AsyncFnOnce(&mut Self) -> Result<T, PostgresError>,
    ) -> Result<T, PostgresError> {
        self.begin(begin).await?;
        match work(self).await {
            Ok(value) => {
                self.commit().await?;
                Ok(value)
            }
            Err(error) => {
                self.roll_back().await;
                Err(error)
            }
        }
    }

    /// Begins a transaction.
    pub(super) async fn begin(&mut self, how: &str) -> Result<(), PostgresError> {
        self.opens();
        Ok(self.client.batch_execute(how).await?)
    }

    /// Commits.
    pub(super) async fn commit(&mut self) -> Result<(), PostgresError> {
        self.client.batch_execute("COMMIT").await?;
        self.closed();
        Ok(())
    }

    /// Rolls back. If that fails, the session is not reused.
    pub(super) async fn roll_back(&mut self) {
        if self.client.batch_execute("ROLLBACK").await.is_ok() {
            self.closed();
        }
    }
}

/// Creates sessions for the pool.
pub(super) struct SessionManager {
    reach: Connector,
}

impl managed::Manager for SessionManager {
    type Type = Session;
    type Error = ConnectError;

    async fn create(&self) -> Result<Session, ConnectError> {
        let client = connect(&self.reach).await?;
        client.batch_execute(SETTINGS).await?;
        Ok(Session {
            client,
            statements: HashMap::new(),
            set_to: None,
            open: false,
        })
    }

    async fn recycle(&self, session: &mut Session, _: &Metrics) -> RecycleResult<ConnectError> {
        if session.open || session.client.is_closed() {
            return Err(RecycleError::message("not usable any more"));
        }
        Ok(())
    }
}

/// Connects, and spawns the task that polls the connection until it ends or its server is lost.
pub(super) async fn connect(reach: &Connector) -> Result<Client, ConnectError> {
    let (client, connection) = reach.connect().await?;
    let mut lost = reach.lost();
    tokio::spawn(async move {
        tokio::select! {
            ended = connection => if let Err(error) = ended {
                tracing::debug!(%error, "a connection to the database ended");
            },
            Ok(()) = lost.changed() => tracing::debug!("a connection to a silent database is given up"),
        }
    });
    Ok(client)
}

/// The sessions of this node.
#[derive(Clone)]
pub(super) struct Pool(managed::Pool<SessionManager>);

impl Pool {
    pub(super) fn new(reach: Connector, connections: usize) -> Result<Self, String> {
        let timeouts = Timeouts {
            wait: Some(PATIENCE),
            create: Some(PATIENCE),
            recycle: None,
        };
        managed::Pool::builder(SessionManager { reach })
            .max_size(connections)
            .timeouts(timeouts)
            .runtime(deadpool::Runtime::Tokio1)
            .build()
            .map(Self)
            .map_err(|error| error.to_string())
    }

    /// A session that sees the rows of that tenant only.
    pub(super) async fn of(&self, tenant: &str) -> Result<PooledConnection, PostgresError> {
        let mut session = self.any().await?;
        // The view for sign-ins has an empty tenant: no request may get it by naming one.
        let tenant = if tenant.is_empty() || is_nobody(tenant) {
            "\u{1}"
        } else {
            tenant
        };
        session.set_to(View::Tenant(tenant)).await?;
        Ok(session)
    }

    /// A session that sees the rows for sign-ins, and no lists.
    pub(super) async fn sign_in(&self) -> Result<PooledConnection, PostgresError> {
        let mut session = self.any().await?;
        session.set_to(View::SignIn).await?;
        Ok(session)
    }

    /// A session with whatever view was used last: for the list of tenants in `catalogue` and for
    /// the status of transactions, which belong to no tenant.
    pub(super) async fn any(&self) -> Result<PooledConnection, PostgresError> {
        self.0.get().await.map_err(|error| match error {
            PoolError::Timeout(managed::TimeoutType::Wait) => PostgresError::Busy,
            PoolError::Timeout(_) => PostgresError::Unreachable("no answer in time".to_owned()),
            PoolError::Backend(error) => PostgresError::from(error),
            PoolError::Closed => PostgresError::Closed,
            other => PostgresError::Broken(other.to_string()),
        })
    }

    pub(super) fn load(&self) -> PoolLoad {
        let status = self.0.status();
        let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        PoolLoad {
            name: "connections",
            in_use: count(status.size.saturating_sub(status.available)),
            limit: count(status.max_size),
            waiting: count(status.waiting),
        }
    }

    pub(super) fn close(&self) {
        self.0.close();
    }
}
