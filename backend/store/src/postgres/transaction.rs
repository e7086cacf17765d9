//! A writing transaction of the cold tables, with what is announced after its commit.
//!
//! Other nodes hear of it by notifications within the transaction, this node directly afterwards.
//! Dropping a transaction rolls it back: the pool does not reuse a session with an open one.

use std::sync::Arc;

use super::announcer::{Announcer, NOTIFY, NOTIFY_JOBS};
use super::error::PostgresError;
use super::session::PooledConnection;
use super::webhook_rows;
use super::{audit_rows, batch, catalogue_queries};
use crate::act::ActRow;
use crate::feed::Commit;
use crate::sql::{Dialect, Row, Session, Value, WriteSession};
use crate::store::StoreError;
use crate::webhooks::NewDelivery;

/// A writing transaction.
pub(crate) struct Transaction {
    pub(super) session: PooledConnection,
    announcer: Arc<Announcer>,
    commits: Vec<Commit>,
    has_due_delivery: bool,
    has_due_run: bool,
}

impl Transaction {
    /// Begins a transaction.
    pub(super) async fn begin(
        mut session: PooledConnection,
        announcer: Arc<Announcer>,
    ) -> Result<Self, PostgresError> {
        session.begin("BEGIN").await?;
        Ok(Self {
            session,
            announcer,
            commits: Vec::new(),
            has_due_delivery: false,
            has_due_run: false,
        })
    }

    /// Ends the transaction: commits it after success, otherwise rolls it back.
    pub(super) async fn end<T>(mut self, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        match outcome {
            Ok(value) => {
                self.notify_nodes().await?;
                self.session.commit().await?;
                self.announce();
                Ok(value)
            }
            Err(error) => {
                self.session.roll_back().await;
                Err(error)
            }
        }
    }

    /// Notifies the other nodes when the transaction commits.
    async fn notify_nodes(&mut self) -> Result<(), PostgresError> {
        if !self.commits.is_empty() {
            let messages = self.announcer.messages(&self.commits);
            self.session.execute(NOTIFY, &[&messages]).await?;
        }
        if self.has_due_run {
            let node = self.announcer.node();
            self.session.execute(NOTIFY_JOBS, &[&node]).await?;
        }
        Ok(())
    }

    /// Announces the commit on this node, and wakes its worker and sender. They need a connection, so
    /// this one is returned first.
    fn announce(self) {
        drop(self.session);
        self.announcer.tell(self.commits);
        if self.has_due_run {
            self.announcer.job_notifier().notify();
        }
        if self.has_due_delivery {
            self.announcer.has_deliveries();
        }
    }
}

impl Session for Transaction {
    const DIALECT: Dialect = Dialect::Postgres;

    async fn query_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<Vec<Vec<Row>>, StoreError> {
        self.session.query_each(sql, parameters).await
    }

    async fn execute_each(
        &mut self,
        sql: &'static str,
        parameters: &[Vec<Value<'_>>],
    ) -> Result<u64, StoreError> {
        self.session.execute_each(sql, parameters).await
    }
}

impl WriteSession for Transaction {
    async fn append_act(&mut self, row: &ActRow<'_>) -> Result<(), StoreError> {
        let head = batch::take_logs(&mut self.session, row.tenant).await?;
        Ok(audit_rows::append_act(&mut self.session, &head, row).await?)
    }

    async fn lock_catalogue(&mut self, tenant: &str) -> Result<(), StoreError> {
        Ok(catalogue_queries::count_epoch(&mut self.session, tenant).await?)
    }

    async fn lock_lists(&mut self, tenant: &str) -> Result<(), StoreError> {
        batch::take_logs(&mut self.session, tenant).await?;
        Ok(())
    }

    /// The nodes see the new epoch.
    fn forget_catalogue(&mut self) {}

    /// The nodes see that older revisions are purged.
    fn forget_lists(&mut self) {}

    fn announce_template(&mut self, tenant: &str, id: &str) {
        self.commits.push(Commit::Template {
            tenant: tenant.to_owned(),
            id: id.to_owned(),
        });
    }

    /// The nodes see the new epoch.
    fn forget_webhooks(&mut self) {}

    async fn insert_deliveries(
        &mut self,
        tenant: &str,
        deliveries: &[NewDelivery],
    ) -> Result<u64, StoreError> {
        if deliveries.is_empty() {
            return Ok(0);
        }
        self.has_due_delivery = true;
        Ok(webhook_rows::insert_deliveries(&mut self.session, tenant, deliveries).await?)
    }

    fn wake_sender(&mut self) {
        self.has_due_delivery = true;
    }

    fn wake_workers(&mut self) {
        self.has_due_run = true;
    }
}
