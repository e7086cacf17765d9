//! Runs the statements of `crate::sql` in a PostgreSQL session.

use std::sync::Arc;

use futures_util::future::try_join_all;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::error::PostgresError;
use super::session::{ONE_MOMENT, PooledConnection, Session as PostgresSession};
use super::store::PostgresStore;
use super::transaction::Transaction;
use crate::administration::{Cause, WriteEffect};
use crate::sql::administration::administer;
use crate::sql::row::Column;
use crate::sql::{Dialect, Row, Session, Value, View};
use crate::store::StoreError;

impl PostgresStore {
    pub(crate) const DIALECT: Dialect = Dialect::Postgres;

    async fn session(&self, view: View<'_>) -> Result<PooledConnection, PostgresError> {
        match view {
            View::Tenant(tenant) => self.pool.of(tenant).await,
            View::SignIn => self.pool.sign_in().await,
        }
    }

    /// Reads with one statement.
    pub(crate) async fn read_once<T>(
        &self,
        view: View<'_>,
        work: impl AsyncFnOnce(&mut PostgresSession) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut session = self.session(view).await?;
        work(&mut session).await
    }

    /// Reads with several statements in one snapshot.
    pub(crate) async fn read_moment<T>(
        &self,
        view: View<'_>,
        work: impl AsyncFnOnce(&mut PostgresSession) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut session = self.session(view).await?;
        let work = async |session: &mut PostgresSession| Ok(work(session).await?);
        Ok(session.transaction(ONE_MOMENT, work).await?)
    }

    /// Writes with one statement, without the round trips of a transaction.
    pub(crate) async fn write_once<T>(
        &self,
        view: View<'_>,
        work: impl AsyncFnOnce(&mut PostgresSession) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.read_once(view, work).await
    }

    /// Writes in one transaction.
    pub(crate) async fn write_rows<T>(
        &self,
        view: View<'_>,
        work: impl AsyncFnOnce(&mut Transaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let announcer = Arc::clone(&self.announcer);
        let mut transaction = Transaction::begin(self.session(view).await?, announcer).await?;
        let outcome = work(&mut transaction).await;
        transaction.end(outcome).await
    }

    /// Writes in one transaction, and audits it if an administrator is the cause.
    pub(crate) async fn administer<T: WriteEffect>(
        &self,
        tenant: &str,
        cause: impl Into<Cause>,
        work: impl AsyncFnOnce(&mut Transaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let cause = cause.into();
        self.write_rows(View::Tenant(tenant), async |transaction| {
            administer(transaction, tenant, &cause, work).await
        })
        .await
    }
}

/// Whether a parameter of a query contains NUL. No stored text does, and PostgreSQL rejects it even
/// as a parameter.
fn finds_nothing(sql: &str, parameters: &[Value<'_>]) -> bool {
    let names_nobody =
        |value: &Value<'_>| matches!(value, Value::Text(text) if text.contains('\0'));
    !sql.starts_with("INSERT") && parameters.iter().any(names_nobody)
}

fn columns(row: &tokio_postgres::Row) -> Result<Row, PostgresError> {
    let read = row.columns().iter().enumerate().map(|(index, column)| {
        let read = match *column.type_() {
            Type::INT8 => row
                .try_get::<_, Option<i64>>(index)?
                .map_or(Column::Null, Column::Integer),
            Type::BOOL => row
                .try_get::<_, Option<bool>>(index)?
                .map_or(Column::Null, |value| Column::Integer(value.into())),
            Type::TEXT => row
                .try_get::<_, Option<String>>(index)?
                .map_or(Column::Null, Column::Text),
            Type::BYTEA => row
                .try_get::<_, Option<Vec<u8>>>(index)?
                .map_or(Column::Null, Column::Bytes),
            // SQLite stores ids of items as their bytes.
            Type::UUID => row
                .try_get::<_, Option<Uuid>>(index)?
                .map_or(Column::Null, |id| Column::Bytes(id.as_bytes().to_vec())),
            ref other => return Err(PostgresError::Broken(format!("column {index} is {other}"))),
        };
        Ok(read)
    });
    read.collect::<Result<_, _>>().map(Row)
}

fn as_parameters<'a>(values: &'a [Value<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    values.iter().map(|value| value as _).collect()
}

impl Session for PostgresSession {
    const DIALECT: Dialect = Dialect::Postgres;

    async fn query_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<Vec<Vec<Row>>, StoreError> {
        let statement = self.statement(sql).await?;
        let client = self.client();
        let asked = parameters.iter().map(async |parameters| {
            if finds_nothing(sql, parameters) {
                return Ok(Vec::new());
            }
            let rows = client
                .query(&statement, &as_parameters(parameters))
                .await
                .map_err(PostgresError::from)?;
            rows.iter().map(columns).collect()
        });
        let rows: Result<_, PostgresError> = try_join_all(asked).await;
        Ok(rows?)
    }

    async fn execute_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<u64, StoreError> {
        let statement = self.statement(sql).await?;
        let client = self.client();
        let asked = parameters.iter().map(async |parameters| {
            if finds_nothing(sql, parameters) {
                return Ok(0);
            }
            let changed = client.execute(&statement, &as_parameters(parameters)).await;
            changed.map_err(PostgresError::from)
        });
        let changed: Result<Vec<u64>, PostgresError> = try_join_all(asked).await;
        Ok(changed?.into_iter().sum())
    }
}
