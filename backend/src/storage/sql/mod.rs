//! Tables that no tick touches: one SQL text for both databases.
//!
//! A statement is written as PostgreSQL has it, parameters as `$1` or, where PostgreSQL has to be
//! told the type, `$1::text`. To SQLite both are names, so `sqlite::sql` binds them by their
//! number. What the two databases say differently stands in an [`DialectSql`].
//!
//! The functions here are asynchronous for PostgreSQL's sake. On SQLite nothing ever waits:
//! [`run_inline`] runs them on the thread that owns the connection.

pub(super) mod computers;
pub(super) mod consents;
mod people;
pub(super) mod row;
pub(super) mod run_rows;
pub(super) mod sessions;
pub(super) mod tenants;
pub(super) mod value;

use std::pin::pin;
use std::task::{Context, Poll, Waker};

pub(super) use self::row::Row;
pub(super) use self::value::{Value, values};
use super::store::StoreError;

/// Which database a session is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Sqlite,
    Postgres,
}

/// A statement that the two databases say differently.
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

    /// Runs a statement once for each set of parameters, and answers with the rows of each. On
    /// PostgreSQL all are sent before the first is answered.
    fn query_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> impl Future<Output = Result<Vec<Vec<Row>>, StoreError>>;

    /// The same for a statement that returns no rows; how many it has changed in all.
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

    /// Runs a statement that returns no rows; how many it has changed.
    async fn execute(
        &mut self,
        sql: &'static str,
        parameters: Vec<Value<'_>>,
    ) -> Result<u64, StoreError> {
        self.execute_each(sql, &[parameters]).await
    }

    /// Locks rows, for PostgreSQL alone: in SQLite nobody else writes meanwhile.
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

/// What comes of work on SQLite, which never waits.
pub(super) fn run_inline<T>(
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match pin!(work).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(StoreError::Broken("work on SQLite waited".to_owned())),
    }
}
