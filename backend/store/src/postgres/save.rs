//! The rows that a batch writes: first items and whatever does not depend on the logs, then, with
//! the head of the tenant's logs locked, the logs and the headers.
//!
//! Nothing here accesses the database.

use std::sync::Arc;

use checklist_shared::audit_trail::leaf::Leaf;
use checklist_shared::checklist::Run;
use checklist_shared::time::Timestamp;

use super::arrays::{
    Audit, ClosedRuns, Deliveries, Headers, Journal, NewHeaders, Operations, Runs,
};
use super::batch_decision::{BatchDecision, ChangedList};
use super::columns::{int, json, json_option};
use super::error::PostgresError;
use super::item_rows::{Items, States};
use super::list_rows::{ListLogs, StoredList};
use super::operation;
use crate::audit::NewEvent;
use crate::difference;
use crate::encoding::pack;
use crate::feed::Commit;
use crate::item_columns;
use crate::list_key::ListKey;

/// The ends of a tenant's logs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) audit_sequence: u64,
    pub(super) journal_cursor: u64,
}

/// What does not depend on the ends of the logs.
#[derive(Default)]
pub(super) struct ListWrites<'a> {
    pub(super) headers: NewHeaders<'a>,
    pub(super) closed_runs: ClosedRuns<'a>,
    /// The lists that have started again.
    pub(super) runs: Runs<'a>,
    pub(super) new_items: Items<'a>,
    pub(super) items: Items<'a>,
    pub(super) states: States<'a>,
    pub(super) operations: Operations<'a>,
    pub(super) deliveries: Deliveries<'a>,
}

impl<'a> ListWrites<'a> {
    pub(super) fn of(decided: &'a BatchDecision) -> Result<Self, PostgresError> {
        let mut first = Self::default();
        for changed in &decided.lists {
            first.list(changed)?;
        }
        for (number, closed) in &decided.closed_runs {
            let rows = &mut first.closed_runs;
            rows.checklist.push(*number);
            rows.number.push(i64::from(closed.number));
            rows.document.push(json(closed)?);
        }
        for done in &decided.operations {
            let rows = &mut first.operations;
            rows.key.push(&done.key);
            rows.body_hash.push(&done.body_hash);
            rows.used.push(i64::from(done.used.bits()));
            rows.packed.push(pack(&done.answer, &done.undo));
            rows.at.push(done.at);
        }
        for delivery in &decided.deliveries {
            let rows = &mut first.deliveries;
            rows.id.push(&delivery.id);
            rows.webhook.push(&delivery.webhook);
            rows.event.push(delivery.event.name());
            rows.body.push(&delivery.body);
            rows.at.push(delivery.at.as_millis());
        }
        Ok(first)
    }

    /// Operations up to that time have expired. The slowest clock in the batch decides: what has
    /// expired for it has expired for all.
    pub(super) fn cutoff(&self) -> i64 {
        let now = self.operations.at.iter().min().copied().unwrap_or(0);
        operation::remembered_since(Timestamp::from_millis(now))
    }

    fn list(&mut self, changed: &'a ChangedList) -> Result<(), PostgresError> {
        if changed.before.is_none() {
            let rows = &mut self.headers;
            rows.number.push(changed.number);
            rows.object_type.push(&changed.key.object_type);
            rows.object_id.push(&changed.key.object_id);
            rows.purpose.push(&changed.key.purpose);
            rows.revision.push(int(changed.list.revision));
            rows.reordered.push(changed.list.reordered);
            rows.created_at.push(changed.list.created_at.as_millis());
        }
        let before = changed.before.as_ref().map(|stored| &stored.list);
        let run = changed.list.run;
        if run != before.map_or(Run::FIRST, |list| list.run) {
            let rows = &mut self.runs;
            rows.number.push(changed.number);
            rows.run.push(i64::from(run.number));
            rows.since.push(int(run.since));
            rows.created_at.push(changed.list.created_at.as_millis());
        }
        for (index, item) in changed.list.items.iter().enumerate() {
            match before.and_then(|list| difference::before(list, index, item)) {
                None => self.new_items.push(changed.number, item)?,
                Some(old) if old == item => {}
                Some(old) if item_columns::differ_in_state_alone(old, item) => {
                    self.states.push(changed.number, item)?;
                }
                Some(_) => self.items.push(changed.number, item)?,
            }
        }
        Ok(())
    }
}

/// What depends on the ends of the logs, and the lists afterwards.
pub(super) struct LogWrites<'a> {
    pub(super) audit: Audit<'a>,
    pub(super) new_journal: Journal<'a>,
    pub(super) journal: Journal<'a>,
    pub(super) headers: Headers<'a>,
    /// The new ends of the logs.
    pub(super) head: Head,
    /// The lists for the cache, once everything is committed.
    pub(super) lists: Vec<(ListKey, Arc<StoredList>)>,
    /// The announcements for subscribers, once everything is committed.
    pub(super) commits: Vec<Commit>,
}

impl<'a> LogWrites<'a> {
    pub(super) fn of(
        tenant: &str,
        decided: &'a BatchDecision,
        head: Head,
    ) -> Result<Self, PostgresError> {
        let mut last = Self {
            audit: Audit::default(),
            new_journal: Journal::default(),
            journal: Journal::default(),
            headers: Headers::default(),
            head,
            lists: Vec::with_capacity(decided.lists.len()),
            commits: Vec::with_capacity(decided.lists.len()),
        };
        let audit_ends = last.append_audit(tenant, decided);
        let journal_ends = last.write_journal(decided);
        for (changed, (audit_sequence, journal_cursor)) in decided
            .lists
            .iter()
            .zip(audit_ends.into_iter().zip(journal_ends))
        {
            last.commits.push(changed.to_commit(audit_sequence));
            last.header(
                changed,
                ListLogs {
                    audit_sequence,
                    journal_cursor,
                    journal_tail: changed.tail.clone(),
                },
            )?;
        }
        Ok(last)
    }

    /// Appends one row per event. Returns the new end of each list's trail.
    fn append_audit(&mut self, tenant: &str, decided: &'a BatchDecision) -> Vec<u64> {
        let mut ends: Vec<u64> = decided
            .lists
            .iter()
            .map(|changed| logs(changed).map_or(0, |logs| logs.audit_sequence))
            .collect();
        for draft in &decided.audit {
            let list = &decided.lists[draft.list].key;
            let NewEvent { event, words } = &draft.event;
            let leaf = Leaf {
                sequence: self.head.audit_sequence + 1,
                list_previous: ends[draft.list],
                revision: draft.revision,
                at: draft.at,
                tenant,
                object_type: &list.object_type,
                object_id: &list.object_id,
                purpose: &list.purpose,
                operation_id: draft.operation_id.as_deref(),
                event,
                actor: &draft.actor.commitment,
                words: &words.commitment,
            };
            self.head.audit_sequence = leaf.sequence;
            let rows = &mut self.audit;
            rows.sequence.push(int(leaf.sequence));
            rows.list_previous.push(int(leaf.list_previous));
            rows.object_type.push(&list.object_type);
            rows.object_id.push(&list.object_id);
            rows.purpose.push(&list.purpose);
            rows.revision.push(int(draft.revision));
            rows.operation_id.push(draft.operation_id.as_deref());
            rows.actor.push(&draft.actor.value);
            rows.actor_salt.push(&draft.actor.salt);
            rows.at.push(draft.at);
            rows.event.push(event);
            rows.words.push(&words.value);
            rows.words_salt.push(&words.salt);
            rows.hash.push(leaf.hash().to_vec());
            ends[draft.list] = leaf.sequence;
        }
        ends
    }

    /// Assigns the cursors of the entries, in the order of their last events. Returns the new end
    /// of each list's journal.
    fn write_journal(&mut self, decided: &'a BatchDecision) -> Vec<u64> {
        let first_row = self.audit.sequence.first().copied().unwrap_or_default();
        let mut order: Vec<usize> = (0..decided.journal.len()).collect();
        order.sort_by_key(|entry| decided.journal[*entry].audit);
        let mut cursors = vec![0; decided.journal.len()];
        for entry in &order {
            self.head.journal_cursor += 1;
            cursors[*entry] = self.head.journal_cursor;
        }
        for entry in order {
            let draft = &decided.journal[entry];
            let changed = &decided.lists[draft.list];
            let end_before = logs(changed).map_or(0, |logs| logs.journal_cursor);
            let (rows, other) = match draft.stands_at {
                Some(stands_at) => (&mut self.journal, stands_at),
                None => (
                    &mut self.new_journal,
                    draft.previous.map_or(end_before, |entry| cursors[entry]),
                ),
            };
            rows.cursor.push(int(cursors[entry]));
            rows.list_previous.push(int(other));
            rows.checklist.push(changed.number);
            rows.actor.push(&draft.actor.value);
            rows.started_at.push(draft.started_at);
            rows.continued_at.push(draft.continued_at);
            rows.done.push(i64::from(draft.done));
            rows.applicable.push(i64::from(draft.applicable));
            rows.events.push(int(draft.events));
            rows.audit_sequence
                .push(first_row + int(draft.audit as u64));
        }
        decided
            .lists
            .iter()
            .map(|changed| match changed.journal {
                Some(entry) => cursors[entry],
                None => logs(changed).map_or(0, |logs| logs.journal_cursor),
            })
            .collect()
    }

    fn header(&mut self, changed: &'a ChangedList, logs: ListLogs) -> Result<(), PostgresError> {
        let list = &changed.list;
        let template = list.template.as_ref();
        let tail = changed.tail.as_ref();
        let rows = &mut self.headers;
        rows.number.push(changed.number);
        rows.revision.push(int(list.revision));
        rows.template_id
            .push(template.map(|template| template.id.as_str()));
        rows.template_version
            .push(template.map(|template| i64::from(template.version)));
        rows.completion_rule
            .push(template.map(|template| template.completion_rule.name()));
        rows.locked.push(json_option(list.locked.as_ref())?);
        rows.reordered.push(list.reordered);
        rows.audit_sequence.push(int(logs.audit_sequence));
        rows.journal_cursor.push(int(logs.journal_cursor));
        rows.journal_actor
            .push(tail.map(|tail| tail.author.as_str()));
        rows.journal_started_at
            .push(tail.map(|tail| tail.started_at));
        rows.journal_events.push(tail.map(|tail| int(tail.events)));
        rows.waived.push(json_option(list.waived.as_ref())?);
        let facts = Some(&list.facts).filter(|facts| !facts.is_empty());
        rows.facts.push(json_option(facts)?);
        let changeable = template.map_or(0, |template| template.changeable.bits());
        rows.changeable.push(changeable.into());
        let stored = StoredList {
            number: changed.number,
            list: Arc::clone(list),
            purged_revision: changed
                .before
                .as_ref()
                .map_or(0, |stored| stored.purged_revision),
            logs,
        };
        self.lists.push((changed.key.clone(), Arc::new(stored)));
        Ok(())
    }
}

/// The ends of a list's logs before the batch.
fn logs(changed: &ChangedList) -> Option<&ListLogs> {
    changed.before.as_ref().map(|stored| &stored.logs)
}
