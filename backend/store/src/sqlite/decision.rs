//! Early decisions: decides on a writing call before the writer takes it, if possible.
//!
//! There is one writer, and many callers wait for it. For most calls the cached list is enough for
//! the caller itself to decide and to serialize the result. If something is not cached, a reader
//! loads it and decides. The writer uses the decision if the list has not changed, and otherwise
//! decides again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rusqlite::Connection;

use super::catalogue::ReadEpoch;
use super::facts::{self, FactsSource as _, File, Memory};
use super::list_rows::StoredList;
use super::operation;
use super::shared::Shared;
use super::writer::BatchContext;
use crate::encoding::pack;
use crate::error::ServiceError;
use crate::idempotency_record::digest;
use crate::list_key::ListKey;
use crate::prepared_write::PreparedWrite;
use crate::store::{Decision, ListFacts, ListWrite, StoreError};

/// A writing call on its way to the writer.
pub(super) struct Call {
    pub(super) list: ListKey,
    /// The digest that identifies the operation, if it has an id.
    pub(super) key: Option<[u8; 32]>,
    pub(super) write: ListWrite,
    early: Option<EarlyDecision>,
    /// Whether a reader has to load something before the writer takes the call.
    lacks: bool,
}

/// A decision, and the state that it is valid for.
struct EarlyDecision {
    stored: Arc<StoredList>,
    since: ReadEpoch,
    ready: EncodedWrite,
}

/// A decision, serialized for the database.
pub(super) struct EncodedWrite {
    pub(super) made: PreparedWrite,
    /// The compressed idempotency record; empty if the operation has no id.
    pub(super) packed: Vec<u8>,
}

impl Call {
    /// Builds a call, and decides on it if everything needed is cached.
    pub(super) fn new(shared: &Shared, write: ListWrite) -> Result<Self, StoreError> {
        let list = ListKey::of(&write.tenant, &write.wanted.context);
        let key = write
            .operation
            .as_ref()
            .map(|operation| digest(&list, &operation.scope, operation.call, &operation.id));
        let mut call = Self {
            list,
            key,
            write,
            early: None,
            lacks: false,
        };
        call.early = call.decide_early(shared)?;
        call.lacks = call.is_lacking(shared);
        Ok(call)
    }

    /// Whether something is not cached: what a decision needs, or the list's idempotency index. An
    /// undo is never decided early, because its undo record is known only inside the transaction.
    fn is_lacking(&self, shared: &Shared) -> bool {
        let knows = |stored: &StoredList| !self.names_an_operation() || shared.recent.knows(stored);
        match (&self.early, &self.write.undoes) {
            (Some(early), _) => !knows(&early.stored),
            (None, None) => true,
            (None, Some(_)) => match shared.lists.get(&self.list) {
                Some(stored) => stored.is_some_and(|stored| !knows(&stored)),
                None => true,
            },
        }
    }

    const fn names_an_operation(&self) -> bool {
        self.key.is_some() || self.write.undoes.is_some()
    }

    /// Whether a reader has to run [`Call::look`] first.
    pub(super) const fn waits_for_the_file(&self) -> bool {
        self.lacks
    }

    /// Loads what is not cached with a reader's connection, and decides. The loaded state is
    /// cached, so that the writer finds the list unchanged and its operations known.
    pub(super) fn look(
        &mut self,
        connection: &Connection,
        shared: &Shared,
    ) -> Result<(), StoreError> {
        let mut file = File { connection, shared };
        let stored = match &self.early {
            Some(early) => Some(Arc::clone(&early.stored)),
            None if self.write.undoes.is_some() => file.stored(&self.list)?,
            None => {
                let since = shared.catalogue.since();
                let (facts, stored) =
                    facts::gather(&mut file, &self.list, &self.write.wanted, None)?;
                if let Some(stored) = &stored {
                    self.early = Some(self.early_of(&facts, Arc::clone(stored), since)?);
                }
                stored
            }
        };
        if let Some(stored) = stored.filter(|_| self.names_an_operation()) {
            let since = operation::remembered_since(self.write.now);
            let tenant = &self.list.tenant;
            shared.recent.read(connection, tenant, &stored, since)?;
        }
        Ok(())
    }

    fn decide_early(&self, shared: &Shared) -> Result<Option<EarlyDecision>, StoreError> {
        if self.write.undoes.is_some() {
            return Ok(None);
        }
        let since = shared.catalogue.since();
        let gathered = facts::gather(&mut Memory(shared), &self.list, &self.write.wanted, None);
        let Ok((facts, Some(stored))) = gathered else {
            return Ok(None);
        };
        self.early_of(&facts, stored, since).map(Some)
    }

    fn early_of(
        &self,
        facts: &ListFacts,
        stored: Arc<StoredList>,
        since: ReadEpoch,
    ) -> Result<EarlyDecision, StoreError> {
        let ready = catch_unwind(AssertUnwindSafe(|| {
            self.make((self.write.decide)(facts, None))
        }))
        .map_err(|_| StoreError::Broken("a decision panicked".to_owned()))??;
        Ok(EarlyDecision {
            stored,
            since,
            ready,
        })
    }

    /// The decision on the list as the writer's transaction sees it, with the row of the list.
    pub(super) fn decide(
        &mut self,
        work: &mut BatchContext<'_>,
    ) -> Result<(EncodedWrite, Option<Arc<StoredList>>), StoreError> {
        if let Some(early) = self.early.take()
            && let Some(stored) = work.unchanged(&self.list, &early.stored, early.since)?
        {
            return Ok((early.ready, Some(stored)));
        }
        let undo = match &self.write.undoes {
            Some(undoes) => {
                let stored = work.stored(&self.list)?;
                operation::undo_record(work, &self.list, stored.as_deref(), undoes, self.write.now)?
            }
            None => None,
        };
        let (facts, stored) = facts::gather(work, &self.list, &self.write.wanted, undo.as_ref())?;
        let ready = self.make((self.write.decide)(&facts, undo.as_ref()))?;
        Ok((ready, stored))
    }

    fn make(&self, outcome: Result<Decision, ServiceError>) -> Result<EncodedWrite, StoreError> {
        let mut made = PreparedWrite::of(outcome, self.key.is_some())?;
        let packed = match self.key {
            Some(_) => pack(
                &std::mem::take(&mut made.answer),
                &std::mem::take(&mut made.undo),
            ),
            None => Vec::new(),
        };
        Ok(EncodedWrite { made, packed })
    }
}
