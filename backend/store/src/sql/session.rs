//! What the functions over rows need of a database: [`Session`] to read, [`WriteSession`] to write.
//!
//! The functions are async for PostgreSQL. On SQLite nothing ever waits: [`run_inline`] runs them
//! on the thread that owns the connection.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::row::Row;
use super::value::Value;
use crate::act::ActRow;
use crate::store::StoreError;
use crate::webhooks::NewDelivery;

/// The rows that a session sees on PostgreSQL (row-level security). SQLite has no views: each
/// statement names its tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View<'a> {
    /// The rows of a tenant.
    Tenant(&'a str),
    /// The rows for sign-ins, and which work is due, of all tenants.
    SignIn,
}

/// The database of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// A statement that differs between the databases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DialectSql {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

impl DialectSql {
    pub(crate) const fn of(self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::Sqlite => self.sqlite,
            Dialect::Postgres => self.postgres,
        }
    }
}

/// A connection that runs statements.
pub(crate) trait Session {
    const DIALECT: Dialect;

    /// Runs a query once for each set of parameters, and returns the rows of each. On PostgreSQL
    /// they are pipelined.
    fn query_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> impl Future<Output = Result<Vec<Vec<Row>>, StoreError>>;

    /// Runs a statement without rows once for each set of parameters. Returns the total number of
    /// affected rows.
    fn execute_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> impl Future<Output = Result<u64, StoreError>>;

    /// Runs a query.
    async fn query(
        &mut self,
        sql: &'static str,
        parameters: Vec<Value<'_>>,
    ) -> Result<Vec<Row>, StoreError> {
        let rows = self.query_each(sql, &[parameters]).await?;
        Ok(rows.into_iter().flatten().collect())
    }

    /// Runs a query and converts its rows.
    async fn query_map<T>(
        &mut self,
        sql: &'static str,
        parameters: Vec<Value<'_>>,
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let rows = self.query(sql, parameters).await?;
        rows.iter().map(read).collect()
    }

    /// Runs a query and converts its first row, if there is one.
    async fn query_opt<T>(
        &mut self,
        sql: &'static str,
        parameters: Vec<Value<'_>>,
        read: impl Fn(&Row) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let rows = self.query(sql, parameters).await?;
        rows.first().map(read).transpose()
    }

    /// Runs a statement without rows. Returns the number of affected rows.
    async fn execute(
        &mut self,
        sql: &'static str,
        parameters: Vec<Value<'_>>,
    ) -> Result<u64, StoreError> {
        self.execute_each(sql, &[parameters]).await
    }

    /// Locks rows on PostgreSQL. Does nothing on SQLite, which has a single writer.
    async fn lock(
        &mut self,
        sql: &'static str,
        parameters: Vec<Value<'_>>,
    ) -> Result<(), StoreError> {
        if Self::DIALECT == Dialect::Postgres {
            self.execute(sql, parameters).await?;
        }
        Ok(())
    }
}

/// A session in a writing transaction.
///
/// Announcements and wake-ups happen after its commit.
pub(crate) trait WriteSession: Session {
    /// Appends an administrator's act to the tenant's audit trail.
    fn append_act(&mut self, row: &ActRow<'_>) -> impl Future<Output = Result<(), StoreError>>;

    /// On PostgreSQL: locks the tenant's types, templates and webhooks against other writers, and
    /// makes every node load them again. Has to be called before they are read in order to be
    /// changed.
    fn lock_catalogue(&mut self, tenant: &str) -> impl Future<Output = Result<(), StoreError>>;

    /// On PostgreSQL: waits for the writes of the tenant's lists that are under way; others wait until
    /// the transaction ends, and see what it has changed.
    fn lock_lists(&mut self, tenant: &str) -> impl Future<Output = Result<(), StoreError>>;

    /// On SQLite: drops the cached types and templates after one was changed.
    fn forget_catalogue(&mut self);

    /// On SQLite: drops the cached lists after some were changed without a new revision.
    fn forget_lists(&mut self);

    /// Announces that a version of a template was published.
    fn announce_template(&mut self, tenant: &str, id: &str);

    /// On SQLite: drops the cached webhooks after one was changed.
    fn forget_webhooks(&mut self);

    /// Inserts deliveries and wakes the sender. Returns how many were inserted: on PostgreSQL those
    /// to webhooks that were deleted meanwhile are skipped.
    fn insert_deliveries(
        &mut self,
        tenant: &str,
        deliveries: &[NewDelivery],
    ) -> impl Future<Output = Result<u64, StoreError>>;

    /// Wakes the sender of deliveries.
    fn wake_sender(&mut self);

    /// Wakes the workers of all nodes: a run may be due.
    fn wake_workers(&mut self);
}

/// Runs a future that never waits, as on SQLite, and returns its result.
pub(crate) fn run_inline<T>(
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(StoreError::Broken("work on SQLite waited".to_owned())),
    }
}
