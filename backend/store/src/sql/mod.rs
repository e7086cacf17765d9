//! Cold tables, which no tick touches: one SQL text for both databases.
//!
//! A statement is written for PostgreSQL, with parameters as `$1`, or `$1::text` if PostgreSQL
//! needs the type. SQLite takes both as names, so `sqlite::sql` binds them by their number. A
//! statement that differs between the databases is a [`DialectSql`].
//!
//! The functions are async for PostgreSQL. On SQLite nothing ever waits: [`run_inline`] runs them
//! on the thread that owns the connection.

pub(super) mod computers;
pub(super) mod connections;
pub(super) mod consents;
pub(super) mod directory;
pub(super) mod keys;
pub(super) mod people;
pub(super) mod row;
pub(super) mod run_rows;
pub(super) mod sessions;
pub(super) mod tenants;
pub(super) mod value;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

pub(super) use self::row::{Row, json};
pub(super) use self::value::{Value, values};
use super::store::StoreError;

/// The database of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// A statement that differs between the databases.
#[derive(Clone, Copy, Debug)]
pub(super) struct DialectSql {
    pub(super) sqlite: &'static str,
    pub(super) postgres: &'static str,
}

impl DialectSql {
    pub(super) const fn of(self, dialect: Dialect) -> &'static str {
        match dialect {
            Dialect::Sqlite => self.sqlite,
            Dialect::Postgres => self.postgres,
        }
    }
}

/// A connection that runs statements.
pub(super) trait Session {
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
        let found = self.query_each(sql, &[parameters]).await?;
        Ok(found.into_iter().flatten().collect())
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

/// Runs a future that never waits, as on SQLite, and returns its result.
pub(super) fn run_inline<T>(
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(StoreError::Broken("work on SQLite waited".to_owned())),
    }
}
