//! Runs the statements of `crate::sql` on an SQLite connection.

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection};

use super::facts::snapshot;
use super::writer::BatchContext;
use super::{SqliteStore, audit_rows};
use crate::act::ActRow;
use crate::administration::{Cause, WriteEffect};
use crate::sql::administration::administer;
use crate::sql::row::Column;
use crate::sql::{Dialect, Row, Session, Value, View, WriteSession, run_inline};
use crate::store::StoreError;
use crate::webhooks::NewDelivery;

/// A connection, borrowed from its thread.
pub(crate) struct SqlSession<'a>(pub(super) &'a Connection);

impl SqliteStore {
    pub(crate) const DIALECT: Dialect = Dialect::Sqlite;

    /// Reads with one statement.
    pub(crate) async fn read_once<T: Send + 'static>(
        &self,
        _view: View<'_>,
        work: impl AsyncFnOnce(&mut SqlSession<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read(move |connection, _| run_inline(work(&mut SqlSession(connection))))
            .await
    }

    /// Reads with several statements in one snapshot.
    pub(crate) async fn read_moment<T: Send + 'static>(
        &self,
        _view: View<'_>,
        work: impl AsyncFnOnce(&mut SqlSession<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.read(move |connection, _| {
            // The inner error is the work's, the outer one that of the snapshot.
            snapshot(connection, |connection| {
                Ok(run_inline(work(&mut SqlSession(connection))))
            })?
        })
        .await
    }

    /// Writes with one statement. On SQLite every write is in the transaction of its batch.
    pub(crate) async fn write_once<T: Send + 'static>(
        &self,
        view: View<'_>,
        work: impl AsyncFn(&mut BatchContext<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write_rows(view, work).await
    }

    /// Writes in one transaction. The work may run twice; the first run is rolled back then.
    pub(crate) async fn write_rows<T: Send + 'static>(
        &self,
        _view: View<'_>,
        work: impl AsyncFn(&mut BatchContext<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.write(move |batch| run_inline(work(batch))).await
    }

    /// Writes in one transaction, and audits it if an administrator is the cause.
    pub(crate) async fn administer<T: WriteEffect + Send + 'static>(
        &self,
        tenant: &str,
        cause: impl Into<Cause>,
        work: impl AsyncFn(&mut BatchContext<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (tenant, cause) = (tenant.to_owned(), cause.into());
        self.write(move |batch| run_inline(administer(batch, &tenant, &cause, &work)))
            .await
    }
}

impl SqlSession<'_> {
    /// A prepared statement with bound parameters. `$2` and `$2::text` are names to SQLite: each is
    /// bound to the value with its number.
    fn bound(
        &self,
        sql: &'static str,
        parameters: &[Value<'_>],
    ) -> Result<CachedStatement<'_>, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        for index in 1..=statement.parameter_count() {
            let value = statement
                .parameter_name(index)
                .and_then(number)
                .and_then(|number| parameters.get(number.checked_sub(1)?))
                .ok_or_else(|| StoreError::Broken(format!("parameter {index} of {sql}")))?;
            statement.raw_bind_parameter(index, value)?;
        }
        Ok(statement)
    }
}

/// The number of a parameter: 2 for `$2` and `$2::text`.
fn number(name: &str) -> Option<usize> {
    let name = name.strip_prefix('$')?;
    name.split("::").next()?.parse().ok()
}

fn column(value: ValueRef<'_>) -> Result<Column, StoreError> {
    Ok(match value {
        ValueRef::Null => Column::Null,
        ValueRef::Integer(value) => Column::Integer(value),
        ValueRef::Text(value) => Column::Text(
            String::from_utf8(value.to_vec())
                .map_err(|error| StoreError::Broken(error.to_string()))?,
        ),
        ValueRef::Blob(value) => Column::Bytes(value.to_vec()),
        ValueRef::Real(value) => return Err(StoreError::Broken(format!("{value} in a row"))),
    })
}

impl Session for SqlSession<'_> {
    const DIALECT: Dialect = Dialect::Sqlite;

    async fn query_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<Vec<Vec<Row>>, StoreError> {
        let mut found = Vec::with_capacity(parameters.len());
        for parameters in parameters {
            let mut statement = self.bound(sql, parameters)?;
            let width = statement.column_count();
            let mut rows = statement.raw_query();
            let mut read = Vec::new();
            while let Some(row) = rows.next()? {
                let columns = (0..width).map(|index| column(row.get_ref(index)?));
                read.push(Row(columns.collect::<Result<_, _>>()?));
            }
            found.push(read);
        }
        Ok(found)
    }

    async fn execute_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<u64, StoreError> {
        let mut changed = 0;
        for parameters in parameters {
            changed += self.bound(sql, parameters)?.raw_execute()? as u64;
        }
        Ok(changed)
    }
}

impl Session for BatchContext<'_> {
    const DIALECT: Dialect = Dialect::Sqlite;

    async fn query_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<Vec<Vec<Row>>, StoreError> {
        SqlSession(self.connection)
            .query_each(sql, parameters)
            .await
    }

    async fn execute_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<u64, StoreError> {
        SqlSession(self.connection)
            .execute_each(sql, parameters)
            .await
    }
}

impl WriteSession for BatchContext<'_> {
    async fn append_act(&mut self, row: &ActRow<'_>) -> Result<(), StoreError> {
        let head = self.head(row.tenant)?;
        let head = audit_rows::append_act(self.connection, head, row)?;
        self.chain_has_grown(row.tenant, head);
        Ok(())
    }

    /// There is a single writer.
    async fn lock_catalogue(&mut self, _tenant: &str) -> Result<(), StoreError> {
        Ok(())
    }

    fn forget_catalogue(&mut self) {
        self.catalogue_has_changed();
    }

    fn announce_template(&mut self, tenant: &str, id: &str) {
        self.has_published(tenant.to_owned(), id.to_owned());
    }

    fn forget_webhooks(&mut self) {
        self.webhooks_have_changed();
    }

    async fn insert_deliveries(
        &mut self,
        tenant: &str,
        deliveries: &[NewDelivery],
    ) -> Result<u64, StoreError> {
        self.has_deliveries(tenant, deliveries)?;
        Ok(deliveries.len() as u64)
    }

    fn wake_sender(&mut self) {
        self.has_due_delivery();
    }

    fn wake_workers(&mut self) {
        self.wake_worker();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::values;

    fn rows(sql: &'static str, parameters: Vec<Value<'_>>) -> Result<Vec<Row>, StoreError> {
        let file = Connection::open_in_memory().unwrap();
        run_inline(SqlSession(&file).query(sql, parameters))
    }

    #[test]
    fn a_parameter_is_bound_by_its_number_with_and_without_a_type() {
        let found = rows(
            "SELECT $2::text, $1, $2, $3::bigint, $4",
            values!["one", "two", None::<i64>, true],
        );
        let text = |text: &str| Column::Text(text.to_owned());
        let expected = vec![
            text("two"),
            text("one"),
            text("two"),
            Column::Null,
            Column::Integer(1),
        ];
        assert_eq!(found.unwrap(), [Row(expected)]);
    }

    #[test]
    fn a_parameter_without_a_value_or_a_number_is_refused() {
        for sql in ["SELECT $2", "SELECT $0", "SELECT ?1", "SELECT $name"] {
            assert!(rows(sql, values!["one"]).is_err(), "{sql}");
        }
    }
}
