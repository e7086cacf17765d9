//! Runs the functions of `crate::sql`: reads on a reader, writes in a batch of the writer.
//!
//! A write may run twice; the first run is rolled back then.

use super::audit_rows;
use super::facts::snapshot;
use super::session::SqlSession;
use super::store::SqliteStore;
use super::writer::BatchContext;
use crate::act::ActRow;
use crate::administration::{Cause, WriteEffect};
use crate::sql::administration::administer;
use crate::sql::{Dialect, Row, Session, Value, View, WriteSession, run_inline};
use crate::store::StoreError;
use crate::webhooks::NewDelivery;

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
        self.trail_has_grown(row.tenant, head);
        Ok(())
    }

    /// There is a single writer.
    async fn lock_catalogue(&mut self, _tenant: &str) -> Result<(), StoreError> {
        Ok(())
    }

    /// There is a single writer.
    async fn lock_lists(&mut self, _tenant: &str) -> Result<(), StoreError> {
        Ok(())
    }

    fn forget_catalogue(&mut self) {
        self.catalogue_has_changed();
    }

    fn forget_lists(&mut self) {
        self.lists_have_changed();
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
