//! Decides the calls of a batch, one after the other, on what was read for all of them.
//!
//! Each call sees the decisions of those before it as if they had been committed. Nothing here
//! waits or writes; `save` writes the result.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use checklist_shared::checklist::Checklist;
use checklist_shared::event::What;
use checklist_shared::permission::Permissions;
use checklist_shared::run::ClosedRun;
use checklist_shared::undo::UndoRecord;
use checklist_shared::wire::write::WriteAnswer;

use super::call::Call;
use super::catalogue::Catalogue;
use super::error::PostgresError;
use super::facts::{self, Templates};
use super::list_rows::{ListLogs, StoredList};
use super::memory::Memory;
use super::operation::{NewIdempotencyRecord, Operations};
use crate::audit::{Committed, NewEvent};
use crate::difference;
use crate::error::ServiceResult;
use crate::feed::Commit;
use crate::idempotency_record::IdempotencyRecord;
use crate::journal::{Tail, author};
use crate::list_key::ListKey;
use crate::outbox;
use crate::prepared_write::PreparedWrite;
use crate::store::{Save, StoreError};
use crate::webhooks::NewDelivery;

/// The answer to a caller.
pub(super) type WriteReply = Result<ServiceResult<WriteAnswer>, StoreError>;

/// What was read for the calls of a batch.
pub(super) struct BatchInput<'a> {
    pub(super) tenant: &'a str,
    pub(super) memory: &'a Memory,
    pub(super) catalogue: Arc<Catalogue>,
    /// The lists of the batch that have rows.
    pub(super) lists: HashMap<ListKey, Arc<StoredList>>,
    /// Row numbers, reserved for the lists that have none.
    pub(super) numbers: HashMap<ListKey, i64>,
    /// For the objects of those: the number of their lists.
    pub(super) purposes: HashMap<(String, String), usize>,
    pub(super) operations: Operations,
    /// Template versions that do not exist.
    pub(super) in_vain: HashSet<(String, u32)>,
}

/// The decisions of a batch.
#[derive(Default)]
pub(super) struct BatchDecision {
    pub(super) answers: Vec<WriteReply>,
    pub(super) lists: Vec<ChangedList>,
    pub(super) operations: Vec<NewIdempotencyRecord>,
    pub(super) audit: Vec<AuditDraft>,
    pub(super) journal: Vec<JournalDraft>,
    /// The deliveries to webhooks.
    pub(super) deliveries: Vec<NewDelivery>,
    /// Closed runs, with the row numbers of their lists.
    pub(super) closed_runs: Vec<(i64, ClosedRun)>,
}

/// A changed list.
pub(super) struct ChangedList {
    pub(super) key: ListKey,
    pub(super) number: i64,
    /// Its state before the batch.
    pub(super) before: Option<Arc<StoredList>>,
    /// Its new state.
    pub(super) list: Arc<Checklist>,
    /// Its newest audit row, an index into [`BatchDecision::audit`].
    pub(super) audit: Option<usize>,
    /// Its newest journal entry, an index into [`BatchDecision::journal`].
    pub(super) journal: Option<usize>,
    /// That entry, if the next operation may continue it.
    pub(super) tail: Option<Tail>,
    /// The number of changes.
    times: u32,
    /// The client's id of the last operation.
    operation: Option<String>,
}

impl ChangedList {
    /// Whether it follows a template version that it did not follow before the batch.
    pub(super) fn follows_anew(&self) -> bool {
        let before = self.before.as_ref().map(|stored| &stored.list);
        let before = before.and_then(|list| list.template.as_ref());
        self.list.template.is_some() && self.list.template.as_ref() != before
    }

    /// The announcement for subscribers; `sequence` is the list's newest audit row.
    pub(super) fn to_commit(&self, sequence: u64) -> Commit {
        Commit::List {
            list: self.key.clone(),
            revision: self.list.revision,
            sequence,
            operation: self.operation.clone().filter(|_| self.times == 1),
        }
    }
}

/// An audit row without its sequence number.
pub(super) struct AuditDraft {
    /// An index into [`BatchDecision::lists`].
    pub(super) list: usize,
    pub(super) revision: u64,
    pub(super) operation_id: Option<String>,
    pub(super) actor: Arc<Committed>,
    pub(super) at: i64,
    pub(super) event: NewEvent,
}

/// A journal entry without its new cursor.
pub(super) struct JournalDraft {
    /// An index into [`BatchDecision::lists`].
    pub(super) list: usize,
    /// Its present cursor; `None` for a new entry.
    pub(super) stands_at: Option<u64>,
    /// The previous entry of the same list, if it is part of this batch.
    pub(super) previous: Option<usize>,
    pub(super) actor: Arc<Committed>,
    pub(super) started_at: i64,
    pub(super) continued_at: i64,
    pub(super) done: u32,
    pub(super) applicable: u32,
    pub(super) events: u64,
    /// Its newest audit row, an index into [`BatchDecision::audit`].
    pub(super) audit: usize,
}

/// Why a batch cannot be decided yet.
pub(super) enum DecideError {
    /// These template versions have to be loaded.
    Templates(Vec<(String, u32)>),
    /// Something that was read is invalid.
    Failed(PostgresError),
}

impl From<PostgresError> for DecideError {
    fn from(error: PostgresError) -> Self {
        Self::Failed(error)
    }
}

/// Decides all calls in their order.
pub(super) fn decide(calls: &[Call], read: &BatchInput<'_>) -> Result<BatchDecision, DecideError> {
    let mut turn = BatchDecider {
        read,
        places: HashMap::new(),
        done: HashMap::new(),
        decided: BatchDecision::default(),
    };
    for call in calls {
        let answer = turn.take(call)?;
        turn.decided.answers.push(answer);
    }
    Ok(turn.decided)
}

struct BatchDecider<'a> {
    read: &'a BatchInput<'a>,
    /// The indices of the changed lists in [`BatchDecision::lists`].
    places: HashMap<&'a ListKey, usize>,
    /// Operations of this batch, indices into [`BatchDecision::operations`].
    done: HashMap<[u8; 32], usize>,
    decided: BatchDecision,
}

impl<'a> BatchDecider<'a> {
    fn take(&mut self, call: &'a Call) -> Result<WriteReply, DecideError> {
        if let (Some(key), Some(operation)) = (&call.key, &call.operation)
            && let Some(stored) = self.find_operation(key, call)?
        {
            return Ok(Ok(stored.again(operation, call.permissions)));
        }
        let undo = self.undo_record(call)?;
        let stored = self.stored(&call.list);
        let mut templates = Templates::new(
            self.read.tenant,
            self.read.memory,
            &self.read.catalogue,
            &self.read.in_vain,
        );
        let gathered = facts::gather(
            &call.wanted,
            stored.as_deref(),
            undo.as_ref(),
            &mut templates,
        );
        let mut facts = match gathered {
            Ok(facts) => facts,
            Err(unreadable) => return Ok(Err(unreadable.into())),
        };
        if !templates.missing.is_empty() {
            return Err(DecideError::Templates(templates.missing));
        }
        if stored.is_none() {
            facts.purposes = self.purposes(&call.list);
        }
        let made = match call.decide(&facts, undo.as_ref()) {
            Ok(made) => made,
            Err(error) => return Ok(Err(error)),
        };
        self.remember(call, &made);
        let PreparedWrite {
            outcome,
            actor,
            events,
            ..
        } = made;
        let decision = match outcome {
            Ok(decision) => decision,
            Err(refusal) => return Ok(Ok(Err(refusal))),
        };
        if let Some(save) = decision.save {
            self.save(call, *save, Arc::new(actor), events)?;
        }
        Ok(Ok(Ok(decision.answer)))
    }

    fn find_operation(
        &self,
        key: &[u8; 32],
        call: &Call,
    ) -> Result<Option<IdempotencyRecord>, PostgresError> {
        match self.done.get(key) {
            Some(at) => {
                let done = &self.decided.operations[*at];
                let answer = serde_json::from_str(&done.answer)
                    .map_err(|error| PostgresError::Broken(error.to_string()))?;
                Ok(Some(IdempotencyRecord {
                    body_hash: done.body_hash,
                    used: done.used,
                    answer,
                }))
            }
            None => self.read.operations.find(key, call.now),
        }
    }

    fn undo_record(&self, call: &Call) -> Result<Option<UndoRecord>, PostgresError> {
        let newest = call
            .undoes
            .iter()
            .filter_map(|key| self.done.get(key))
            .max();
        match newest {
            Some(at) => serde_json::from_str(&self.decided.operations[*at].undo)
                .map(Some)
                .map_err(|error| PostgresError::Broken(error.to_string())),
            None => self.read.operations.undo_record(&call.undoes, call.now),
        }
    }

    /// The list after the calls so far.
    fn stored(&self, key: &ListKey) -> Option<Arc<StoredList>> {
        let Some(place) = self.places.get(key) else {
            return self.read.lists.get(key).cloned();
        };
        let changed = &self.decided.lists[*place];
        Some(Arc::new(StoredList {
            number: changed.number,
            list: Arc::clone(&changed.list),
            purged_revision: changed
                .before
                .as_ref()
                .map_or(0, |stored| stored.purged_revision),
            logs: ListLogs::default(),
        }))
    }

    /// The number of lists of the key's object, including those of this batch.
    fn purposes(&self, key: &ListKey) -> usize {
        let object = (key.object_type.clone(), key.object_id.clone());
        let before = self.read.purposes.get(&object).copied().unwrap_or(0);
        let new = self.decided.lists.iter().filter(|changed| {
            changed.before.is_none()
                && changed.key.object_type == key.object_type
                && changed.key.object_id == key.object_id
        });
        before + new.count()
    }

    fn remember(&mut self, call: &Call, made: &PreparedWrite) {
        let used = match &made.outcome {
            Ok(decision) => Some(decision.used),
            Err(refusal) => refusal.is_remembered().then(Permissions::default),
        };
        let (Some(key), Some(operation), Some(used)) = (call.key, &call.operation, used) else {
            return;
        };
        self.done.insert(key, self.decided.operations.len());
        self.decided.operations.push(NewIdempotencyRecord {
            key,
            body_hash: operation.body_hash,
            used,
            answer: made.answer.clone(),
            undo: made.undo.clone(),
            at: call.now.as_millis(),
        });
    }

    fn save(
        &mut self,
        call: &'a Call,
        save: Save,
        actor: Arc<Committed>,
        events: Vec<NewEvent>,
    ) -> Result<(), PostgresError> {
        let place = self.place(&call.list, &save.list);
        let mut after = save.list;
        let changed = &mut self.decided.lists[place];
        let closed = save.closes.map(|closed| (changed.number, *closed));
        self.decided.closed_runs.extend(closed);
        take_revision(&changed.list, &mut after);
        let deliveries = outbox::of_list(
            &self.read.catalogue.listeners,
            Some(&changed.list),
            &after,
            save.journal,
            save.at,
        );
        let deliveries = deliveries.map_err(|error| PostgresError::Broken(error.to_string()))?;
        self.decided.deliveries.extend(deliveries);
        let operation_id = call
            .operation
            .as_ref()
            .map(|operation| operation.id.clone());
        for event in events {
            self.decided.audit.push(AuditDraft {
                list: place,
                revision: after.revision,
                operation_id: operation_id.clone(),
                actor: Arc::clone(&actor),
                at: save.at.as_millis(),
                event,
            });
            changed.audit = Some(self.decided.audit.len() - 1);
        }
        changed.list = Arc::new(after);
        changed.times += 1;
        changed.operation = operation_id;
        // An entry covers consecutive changes of one actor; a change without journal ends it.
        if !save.journal {
            changed.tail = None;
            return Ok(());
        }
        // The host itself has caused the creation of the list: that is no journal event.
        let events = save
            .events
            .iter()
            .filter(|event| event.what != What::Created)
            .count() as u64;
        let at = save.at.as_millis();
        let tail = changed
            .tail
            .take()
            .filter(|tail| tail.takes(&save.actor, at, events))
            .map(|tail| Tail {
                events: tail.events + events,
                ..tail
            });
        let tail = match tail {
            Some(tail) if changed.journal.is_some() => tail,
            Some(tail) => {
                let stands_at = changed
                    .before
                    .as_ref()
                    .map(|stored| stored.logs.journal_cursor);
                changed.journal = Some(self.decided.journal.len());
                self.decided.journal.push(JournalDraft::new(
                    place,
                    stands_at,
                    None,
                    &actor,
                    tail.started_at,
                ));
                tail
            }
            None => {
                let previous = changed.journal.replace(self.decided.journal.len());
                self.decided
                    .journal
                    .push(JournalDraft::new(place, None, previous, &actor, at));
                Tail {
                    author: author(&save.actor),
                    started_at: at,
                    events,
                }
            }
        };
        if let Some(entry) = changed
            .journal
            .map(|entry| &mut self.decided.journal[entry])
        {
            entry.continued_at = at;
            entry.done = save.counts.done;
            entry.applicable = save.counts.total - save.counts.not_applicable;
            entry.events = tail.events;
            entry.audit = changed.audit.unwrap_or_default();
        }
        changed.tail = Some(tail);
        Ok(())
    }

    /// The index of a changed list; adds the list if it is not there yet.
    fn place(&mut self, key: &'a ListKey, after: &Checklist) -> usize {
        if let Some(place) = self.places.get(key) {
            return *place;
        }
        let before = self.read.lists.get(key).cloned();
        let list = match &before {
            Some(stored) => Arc::clone(&stored.list),
            None => Arc::new(Checklist::empty(after.context.clone(), after.created_at)),
        };
        self.decided.lists.push(ChangedList {
            key: key.clone(),
            number: match &before {
                Some(stored) => stored.number,
                None => self.read.numbers.get(key).copied().unwrap_or_default(),
            },
            list,
            audit: None,
            journal: None,
            tail: before
                .as_ref()
                .and_then(|stored| stored.logs.journal_tail.clone()),
            before,
            times: 0,
            operation: None,
        });
        self.places.insert(key, self.decided.lists.len() - 1);
        self.decided.lists.len() - 1
    }
}

impl JournalDraft {
    /// An entry without events.
    fn new(
        list: usize,
        stands_at: Option<u64>,
        previous: Option<usize>,
        actor: &Arc<Committed>,
        started_at: i64,
    ) -> Self {
        Self {
            list,
            stands_at,
            previous,
            actor: Arc::clone(actor),
            started_at,
            continued_at: started_at,
            done: 0,
            applicable: 0,
            events: 0,
            audit: 0,
        }
    }
}

/// Gives every changed item the list's new revision. An item whose sort key was only rebalanced
/// keeps its version but gets the revision, so that clients that read changes only get the new key.
fn take_revision(before: &Checklist, after: &mut Checklist) {
    let revision = after.revision;
    for (index, item) in after.items.iter_mut().enumerate() {
        let old = difference::before(before, index, item);
        if old.is_some_and(|old| !difference::is_none(old, item)) {
            Arc::make_mut(item).revision = revision;
        }
    }
}
