//! A connection that runs the statements of `crate::sql`.
//!
//! It never waits, so its futures are complete when they are polled once.

use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Connection};

use crate::sql::row::Column;
use crate::sql::{Dialect, Row, Session, Value};
use crate::store::StoreError;

/// A connection, borrowed from its thread.
pub(crate) struct SqlSession<'a>(pub(super) &'a Connection);

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
        let mut results = Vec::with_capacity(parameters.len());
        for parameters in parameters {
            let mut statement = self.bound(sql, parameters)?;
            let width = statement.column_count();
            let mut rows = statement.raw_query();
            let mut read = Vec::new();
            while let Some(row) = rows.next()? {
                let columns = (0..width).map(|index| column(row.get_ref(index)?));
                read.push(Row(columns.collect::<Result<_, _>>()?));
            }
            results.push(read);
        }
        Ok(results)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::{run_inline, values};

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
