//! Connections to PostgreSQL: how they are made ready, lent out and taken back.
//!
//! A session knows which tenant it is set to and which statements it has prepared, so that the
//! usual call sends nothing but itself. Nobody gets one without naming a tenant, except for the
//! table of tenants.

use std::collections::HashMap;
use std::time::Duration;

use deadpool::managed::{self, Metrics, Object, PoolError, RecycleError, RecycleResult, Timeouts};
use tokio_postgres::{Client, Row, Statement};

use super::connect::Connector;
use super::error::PostgresError;
use super::is_nobody;

/// How long a call waits for a connection that others are using, or for a new one.
const PATIENCE: Duration = Duration::from_secs(5);

/// What every session is set to.
///
/// All statements look up a few rows by their keys, and are planned once: for them the planner's
/// other ways are slower the larger the tables grow. What a statement touches is dear, where it
/// lies is not: so a table that was small when the statement was planned is not walked.
///
/// A node that stands still in the middle of a transaction loses its locks after five seconds;
/// whoever waits for them is more patient than that. No statement of ours takes a minute.
const SETTINGS: &str = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; \
    SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off; \
    SET random_page_cost = 1; SET cpu_tuple_cost = 0.1; SET cpu_index_tuple_cost = 0.1; \
    SET idle_in_transaction_session_timeout = '5s'; SET lock_timeout = '10s'; \
    SET statement_timeout = '60s'; \
    SET default_transaction_isolation = 'read committed'; SET row_security = on";

/// Names the rows that a session sees: those of a tenant, or those that credentials are judged
/// by, but never both (see the migrations).
const SET: &str =
    "SELECT set_config('app.tenant', $1, false), set_config('app.sign_in', $2, false)";

/// Which rows a session sees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View<'a> {
    Tenant(&'a str),
    SignIn,
}

/// A session, lent for as long as it is held.
pub(super) type PooledConnection = Object<SessionManager>;

/// One connection.
pub(super) struct Session {
    client: Client,
    /// By the address of their text: every text is a constant of this program.
    statements: HashMap<(usize, usize), Statement>,
    /// The tenant that the session is set to, empty for signing in; `None` while that is
    /// uncertain.
    set_to: Option<String>,
    /// Set while a transaction is open: whoever is cut off inside leaves nothing usable.
    open: bool,
}

impl Session {
    pub(super) const fn client(&self) -> &Client {
        &self.client
    }

    /// A statement, prepared at its first use.
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
        // A call that is given up half-way has been sent all the same.
        self.set_to = None;
        self.client.query(&statement, &[&tenant, &sign_in]).await?;
        self.set_to = Some(tenant.to_owned());
        Ok(())
    }

    /// Runs a query of this program.
    pub(super) async fn query(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Result<Vec<Row>, PostgresError> {
        let statement = self.statement(sql).await?;
        Ok(self.client.query(&statement, parameters).await?)
    }

    /// Runs a statement that returns no rows; how many it has changed.
    pub(super) async fn execute(
        &mut self,
        sql: &'static str,
        parameters: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Result<u64, PostgresError> {
        let statement = self.statement(sql).await?;
        Ok(self.client.execute(&statement, parameters).await?)
    }

    /// A transaction is about to be opened: from here to [`Session::closed`] the session must
    /// not be lent to anybody else.
    pub(super) const fn opens(&mut self) {
        self.open = true;
    }

    /// The transaction has come to its end, well or not.
    pub(super) const fn closed(&mut self) {
        self.open = false;
    }

    /// Opens a transaction.
    pub(super) async fn begin(&mut self, how: &str) -> Result<(), PostgresError> {
        self.opens();
        Ok(self.client.batch_execute(how).await?)
    }

    /// Ends a transaction.
    pub(super) async fn commit(&mut self) -> Result<(), PostgresError> {
        self.client.batch_execute("COMMIT").await?;
        self.closed();
        Ok(())
    }

    /// Gives a transaction up. A session that cannot even do that is not lent again.
    pub(super) async fn roll_back(&mut self) {
        if self.client.batch_execute("ROLLBACK").await.is_ok() {
            self.closed();
        }
    }
}

/// Makes sessions for the pool.
pub(super) struct SessionManager {
    reach: Connector,
}

impl managed::Manager for SessionManager {
    type Type = Session;
    type Error = tokio_postgres::Error;

    async fn create(&self) -> Result<Session, tokio_postgres::Error> {
        let client = connect(&self.reach).await?;
        client.batch_execute(SETTINGS).await?;
        Ok(Session {
            client,
            statements: HashMap::new(),
            set_to: None,
            open: false,
        })
    }

    async fn recycle(
        &self,
        session: &mut Session,
        _: &Metrics,
    ) -> RecycleResult<tokio_postgres::Error> {
        if session.open || session.client.is_closed() {
            return Err(RecycleError::message("not usable any more"));
        }
        Ok(())
    }
}

/// Connects and lets the connection run.
pub(super) async fn connect(reach: &Connector) -> Result<Client, tokio_postgres::Error> {
    let (client, connection) = reach.connect().await?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection to the database ended");
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

    /// A session that sees the rows of that tenant and no others.
    pub(super) async fn of(&self, tenant: &str) -> Result<PooledConnection, PostgresError> {
        let mut session = self.any().await?;
        // What asks for nobody's rows must not get everybody's keys.
        let tenant = if tenant.is_empty() || is_nobody(tenant) {
            "\u{1}"
        } else {
            tenant
        };
        session.set_to(View::Tenant(tenant)).await?;
        Ok(session)
    }

    /// A session that sees what credentials are judged by, and no lists.
    pub(super) async fn sign_in(&self) -> Result<PooledConnection, PostgresError> {
        let mut session = self.any().await?;
        session.set_to(View::SignIn).await?;
        Ok(session)
    }

    /// A session set to whatever it was used for last: for the catalogue's list of tenants and
    /// the state of transactions, which belong to nobody.
    pub(super) async fn any(&self) -> Result<PooledConnection, PostgresError> {
        self.0.get().await.map_err(|error| match error {
            PoolError::Timeout(managed::TimeoutType::Wait) => PostgresError::Busy,
            PoolError::Timeout(_) => PostgresError::Unreachable("no answer in time".to_owned()),
            PoolError::Backend(error) => PostgresError::from(error),
            PoolError::Closed => PostgresError::Closed,
            other => PostgresError::Broken(other.to_string()),
        })
    }

    pub(super) fn close(&self) {
        self.0.close();
    }
}
