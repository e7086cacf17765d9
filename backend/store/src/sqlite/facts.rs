//! Collects the facts about a list: its rows, its type, and the templates that apply.
//!
//! A [`FactsSource`] is one of three: the caches alone (the fast path of a read), a reader's
//! connection, or the writer's connection with the uncommitted changes of its transaction.

use std::sync::Arc;

use checklist_shared::template::Template;
use checklist_shared::undo::UndoRecord;
use rusqlite::Connection;

use super::catalogue;
use super::list_rows::{self, StoredList};
use super::shared::Shared;
use crate::list_key::ListKey;
use crate::platform_types::TypesByName;
use crate::store::{ListFacts, ListRequest, Purpose, StoreError, TemplateChoice};
use crate::stored_list;
use crate::unreadable_type::UnreadableType;

/// A source of facts.
pub(super) trait FactsSource {
    /// Why a fact is not available.
    type Error: From<UnreadableType>;

    fn stored(&mut self, key: &ListKey) -> Result<Option<Arc<StoredList>>, Self::Error>;
    fn types(&mut self, tenant: &str) -> Result<Arc<TypesByName>, Self::Error>;
    fn template(
        &mut self,
        tenant: &str,
        choice: &TemplateChoice,
    ) -> Result<Option<Arc<Template>>, Self::Error>;
    fn purposes(&mut self, key: &ListKey) -> Result<usize, Self::Error>;
}

/// The facts about one list, with the row of the list.
pub(super) fn gather<S: FactsSource>(
    source: &mut S,
    key: &ListKey,
    wanted: &ListRequest,
    undo: Option<&UndoRecord>,
) -> Result<(ListFacts, Option<Arc<StoredList>>), S::Error> {
    let stored = source.stored(key)?;
    let types = source.types(&key.tenant)?;
    let template = |choice: &TemplateChoice| source.template(&key.tenant, choice);
    let mut facts = stored_list::facts(wanted, stored.as_deref(), &types, undo, template)?;
    if stored.is_none() && wanted.purpose != Purpose::Show {
        facts.purposes = source.purposes(key)?;
    }
    Ok((facts, stored))
}

/// The caches alone; anything else is a miss.
pub(super) struct Memory<'a>(pub(super) &'a Shared);

/// A fact that is not cached.
pub(super) struct CacheMiss;

impl From<UnreadableType> for CacheMiss {
    /// A reader of the file reports the unreadable type.
    fn from(_: UnreadableType) -> Self {
        Self
    }
}

impl FactsSource for Memory<'_> {
    type Error = CacheMiss;

    fn stored(&mut self, key: &ListKey) -> Result<Option<Arc<StoredList>>, CacheMiss> {
        self.0.lists.get(key).ok_or(CacheMiss)
    }

    fn types(&mut self, tenant: &str) -> Result<Arc<TypesByName>, CacheMiss> {
        self.0.catalogue.types(tenant).ok_or(CacheMiss)
    }

    fn template(
        &mut self,
        tenant: &str,
        choice: &TemplateChoice,
    ) -> Result<Option<Arc<Template>>, CacheMiss> {
        self.0
            .catalogue
            .template(tenant, choice)
            .map(Some)
            .ok_or(CacheMiss)
    }

    fn purposes(&mut self, _: &ListKey) -> Result<usize, CacheMiss> {
        Err(CacheMiss)
    }
}

/// The caches, then the file.
pub(super) struct File<'a> {
    pub(super) connection: &'a Connection,
    pub(super) shared: &'a Shared,
}

impl FactsSource for File<'_> {
    type Error = StoreError;

    fn stored(&mut self, key: &ListKey) -> Result<Option<Arc<StoredList>>, StoreError> {
        if let Some(cached) = self.shared.lists.get(key) {
            return Ok(cached);
        }
        let since = self.shared.lists.since(key);
        let stored = snapshot(self.connection, |connection| {
            list_rows::load(connection, key)
        })?
        .map(Arc::new);
        self.shared.lists.offer(key.clone(), since, stored.clone());
        Ok(stored)
    }

    fn types(&mut self, tenant: &str) -> Result<Arc<TypesByName>, StoreError> {
        if let Some(types) = self.shared.catalogue.types(tenant) {
            return Ok(types);
        }
        let since = self.shared.catalogue.since();
        let types = self.shared.catalogue.load_types(self.connection, tenant)?;
        let types = Arc::new(types);
        self.shared
            .catalogue
            .offer_types(since, tenant, Arc::clone(&types));
        Ok(types)
    }

    fn template(
        &mut self,
        tenant: &str,
        choice: &TemplateChoice,
    ) -> Result<Option<Arc<Template>>, StoreError> {
        if let Some(template) = self.shared.catalogue.template(tenant, choice) {
            return Ok(Some(template));
        }
        let since = self.shared.catalogue.since();
        let template = catalogue::load_template(self.connection, tenant, choice)?.map(Arc::new);
        if let Some(template) = &template {
            self.shared
                .catalogue
                .offer_template(since, tenant, choice, Arc::clone(template));
        }
        Ok(template)
    }

    fn purposes(&mut self, key: &ListKey) -> Result<usize, StoreError> {
        Ok(list_rows::purposes(self.connection, key)?)
    }
}

/// Runs several reads in one read transaction, so that header and items match. Within the writer's
/// transaction they match anyway.
pub(super) fn snapshot<T>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    if !connection.is_autocommit() {
        return read(connection);
    }
    connection.prepare_cached("BEGIN")?.execute([])?;
    let outcome = read(connection);
    let ended = connection.prepare_cached("COMMIT")?.execute([]);
    let value = outcome?;
    ended?;
    Ok(value)
}
