//! The state of a batch, for its jobs: lists, types, templates and webhooks as the transaction sees
//! them, and the changes to announce.
//!
//! Nothing here is visible to others before `writer` has committed the batch.

use std::sync::Arc;

use checklist_shared::Template;

use super::{BatchContext, ChangedList};
use crate::list_key::ListKey;
use crate::outbox::Listener;
use crate::platform_types::TypesByName;
use crate::sqlite::audit_rows;
use crate::sqlite::catalogue::{self, ReadEpoch};
use crate::sqlite::facts::{FactsSource, File};
use crate::sqlite::journal_rows;
use crate::sqlite::list_rows::{self, StoredList};
use crate::sqlite::webhook_rows;
use crate::store::{StoreError, TemplateChoice};
use crate::webhooks::NewDelivery;

impl BatchContext<'_> {
    /// Records the new state of a list. Has to be the last call of a job, when it can no longer
    /// fail.
    pub(in crate::sqlite) fn has_changed(
        &mut self,
        key: ListKey,
        stored: StoredList,
        newest: u64,
        cursor: Option<u64>,
        operation: Option<String>,
    ) {
        self.trail_has_grown(&key.tenant, newest);
        if let Some(cursor) = cursor {
            self.cursors.insert(key.tenant.clone(), cursor);
        }
        let stored = Arc::new(stored);
        let times = self.changed.get(&key).map_or(0, |before| before.times) + 1;
        let changed = ChangedList {
            stored,
            times,
            operation,
        };
        self.changed.insert(key, changed);
    }

    /// Records the newest row of the tenant's audit trail.
    pub(in crate::sqlite) fn trail_has_grown(&mut self, tenant: &str, newest: u64) {
        self.heads.insert(tenant.to_owned(), newest);
        if !self.continued.contains(tenant) {
            self.continued.insert(tenant.to_owned());
        }
    }

    /// Records that a version of the template was published.
    pub(in crate::sqlite) fn has_published(&mut self, tenant: String, id: String) {
        self.published.push((tenant, id));
        self.catalogue_has_changed();
    }

    /// Records that types or templates were written.
    pub(in crate::sqlite) fn catalogue_has_changed(&mut self) {
        self.shared.catalogue.forget();
        self.catalogue_changed = true;
    }

    /// Records that lists were written without [`BatchContext::has_changed`].
    pub(in crate::sqlite) fn lists_have_changed(&mut self) {
        self.lists_changed_at_large = true;
        self.changed.clear();
    }

    /// The tenant's webhooks that are on.
    pub(in crate::sqlite) fn listeners(
        &mut self,
        tenant: &str,
    ) -> rusqlite::Result<Arc<[Listener]>> {
        let listeners = match &mut self.listeners {
            Some(listeners) => listeners,
            unknown => unknown.insert(webhook_rows::listeners(self.connection)?),
        };
        Ok(listeners.get(tenant).cloned().unwrap_or_default())
    }

    /// Records that a webhook was created, changed, turned off or deleted.
    pub(in crate::sqlite) fn webhooks_have_changed(&mut self) {
        self.listeners = None;
    }

    /// Inserts deliveries; the sender is notified after the commit.
    pub(in crate::sqlite) fn has_deliveries(
        &mut self,
        tenant: &str,
        deliveries: &[NewDelivery],
    ) -> rusqlite::Result<()> {
        webhook_rows::insert_deliveries(self.connection, tenant, deliveries)?;
        self.has_due_delivery();
        Ok(())
    }

    /// Records that a delivery may be due; the sender is notified after the commit.
    pub(in crate::sqlite) const fn has_due_delivery(&mut self) {
        self.deliveries = true;
    }

    /// Records that a run may be due; the worker is woken after the commit.
    pub(in crate::sqlite) const fn wake_worker(&mut self) {
        self.has_due_run = true;
    }

    /// The list's row, if it has not changed since the early decision, and neither types nor
    /// templates were written since.
    pub(in crate::sqlite) fn unchanged(
        &mut self,
        key: &ListKey,
        seen: &Arc<StoredList>,
        since: ReadEpoch,
    ) -> Result<Option<Arc<StoredList>>, StoreError> {
        if self.catalogue_changed || !self.shared.catalogue.is_unchanged(since) {
            return Ok(None);
        }
        let stored = self.stored(key)?;
        Ok(stored.filter(|stored| Arc::ptr_eq(stored, seen)))
    }

    /// The row number of a stored operation that changed the list.
    pub(in crate::sqlite) fn recent_operation(
        &self,
        tenant: &str,
        stored: &StoredList,
        key: &[u8; 32],
        since: i64,
    ) -> rusqlite::Result<Option<i64>> {
        self.shared
            .recent
            .find(self.connection, tenant, stored, key, since)
    }

    /// Adds an operation that changed a list to the idempotency index.
    pub(in crate::sqlite) fn operation_was_remembered(
        &self,
        list: i64,
        previous: i64,
        key: &[u8; 32],
        number: i64,
    ) {
        self.shared.recent.add(list, previous, key, number);
    }

    /// The newest row of the tenant's audit trail.
    pub(in crate::sqlite) fn head(&self, tenant: &str) -> rusqlite::Result<u64> {
        match self.heads.get(tenant) {
            Some(head) => Ok(*head),
            None => audit_rows::head(self.connection, tenant),
        }
    }

    /// The newest cursor of the tenant's journal.
    pub(in crate::sqlite) fn journal_cursor(&self, tenant: &str) -> rusqlite::Result<u64> {
        match self.cursors.get(tenant) {
            Some(cursor) => Ok(*cursor),
            None => journal_rows::newest(self.connection, tenant),
        }
    }
}

/// The file as the present transaction sees it.
impl FactsSource for BatchContext<'_> {
    type Error = StoreError;

    fn stored(&mut self, key: &ListKey) -> Result<Option<Arc<StoredList>>, StoreError> {
        if let Some(changed) = self.changed.get(key) {
            return Ok(Some(Arc::clone(&changed.stored)));
        }
        if self.lists_changed_at_large {
            return Ok(list_rows::load(self.connection, key)?.map(Arc::new));
        }
        File {
            connection: self.connection,
            shared: self.shared,
        }
        .stored(key)
    }

    fn types(&mut self, tenant: &str) -> Result<Arc<TypesByName>, StoreError> {
        if self.catalogue_changed {
            let types = self.shared.catalogue.load_types(self.connection, tenant)?;
            return Ok(Arc::new(types));
        }
        File {
            connection: self.connection,
            shared: self.shared,
        }
        .types(tenant)
    }

    fn template(
        &mut self,
        tenant: &str,
        choice: &TemplateChoice,
    ) -> Result<Option<Arc<Template>>, StoreError> {
        if self.catalogue_changed {
            return Ok(catalogue::load_template(self.connection, tenant, choice)?.map(Arc::new));
        }
        File {
            connection: self.connection,
            shared: self.shared,
        }
        .template(tenant, choice)
    }

    fn purposes(&mut self, key: &ListKey) -> Result<usize, StoreError> {
        Ok(list_rows::purposes(self.connection, key)?)
    }
}
