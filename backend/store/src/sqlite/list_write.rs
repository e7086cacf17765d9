//! One writing call on one list, within the writer's transaction.
//!
//! A repeated operation gets its stored answer. Otherwise it takes the decision on the current list
//! and saves the changed rows, the audit trail, the journal and the idempotency record. On any
//! error, the writer rolls everything back.

use std::sync::Arc;

use checklist_shared::checklist::Checklist;
use checklist_shared::event::What;
use checklist_shared::permission::Permissions;
use checklist_shared::wire::write::WriteAnswer;
use rusqlite::Connection;

use super::decision::{Call, EncodedWrite};
use super::facts::FactsSource as _;
use super::item_rows;
use super::list_rows::{self, ListLogs, StoredList};
use super::operation;
use super::writer::BatchContext;
use super::{audit_rows, journal_rows};
use crate::audit::{Committed, NewEvent};
use crate::difference;
use crate::error::ServiceError;
use crate::item_columns;
use crate::list_key::ListKey;
use crate::outbox;
use crate::store::{Save, StoreError};

pub(super) fn run(
    work: &mut BatchContext<'_>,
    call: &mut Call,
) -> Result<Result<WriteAnswer, ServiceError>, StoreError> {
    let stored = work.stored(&call.list)?;
    if let (Some(key), Some(operation)) = (&call.key, &call.write.operation)
        && let Some(known) =
            operation::find(work, &call.list, stored.as_deref(), key, call.write.now)?
    {
        return Ok(known.again(operation, call.write.permissions));
    }
    let (EncodedWrite { made, packed }, stored) = call.decide(work)?;
    let remembered = match &made.outcome {
        Ok(decision) => Some(decision.used),
        Err(refusal) => refusal.is_remembered().then(Permissions::default),
    };
    let done = match (&call.key, &call.write.operation, remembered) {
        (Some(key), Some(operation), Some(used)) => Some(operation::NewIdempotencyRecord {
            key,
            body_hash: &operation.body_hash,
            used,
            packed: &packed,
            at: call.write.now,
        }),
        _ => None,
    };
    let (outcome, save) = match made.outcome {
        Ok(decision) => (Ok(decision.answer), decision.save),
        Err(refusal) => (Err(refusal), None),
    };
    match (save, done) {
        (Some(save), done) => {
            let operation = call.write.operation.as_ref();
            let texts = Texts {
                operation_id: operation.map(|operation| operation.id.as_str()),
                actor: &made.actor,
                events: &made.events,
                done,
            };
            self::save(work, &call.list, stored, *save, &texts)?;
        }
        (None, Some(done)) => {
            operation::remember(work.connection, &call.list.tenant, None, &done)?;
        }
        (None, None) => {}
    }
    Ok(outcome)
}

/// The serialized parts of a change, for the logs and the idempotency record.
struct Texts<'a> {
    operation_id: Option<&'a str>,
    actor: &'a Committed,
    events: &'a [NewEvent],
    done: Option<operation::NewIdempotencyRecord<'a>>,
}

fn save(
    work: &mut BatchContext<'_>,
    list: &ListKey,
    stored: Option<Arc<StoredList>>,
    save: Save,
    texts: &Texts<'_>,
) -> Result<(), StoreError> {
    let connection = work.connection;
    let before = stored.as_deref();
    let mut after = save.list;

    let number = match before {
        Some(stored) => stored.number,
        None => list_rows::insert_header(connection, list, &after)?,
    };
    if let Some(closed) = &save.closes {
        item_rows::delete_all(connection, &list.tenant, number)?;
        list_rows::close_run(connection, &list.tenant, number, closed, &after)?;
    }
    save_items(
        connection,
        &list.tenant,
        number,
        before.map(|stored| &*stored.list),
        &mut after,
    )?;

    let mut logs = before.map_or_else(ListLogs::default, |stored| stored.logs.clone());
    let audit = audit_rows::Operation {
        list,
        list_previous: logs.audit_sequence,
        revision: after.revision,
        operation_id: texts.operation_id,
        actor: texts.actor,
        at: save.at,
    };
    let head = audit_rows::append(connection, work.head(&list.tenant)?, &audit, texts.events)?;
    logs.audit_sequence = head;

    // An entry covers consecutive changes of one actor; a change without journal ends it.
    let mut cursor = None;
    if save.journal {
        // The host itself has caused the creation of the list: that is no journal event.
        let events = save
            .events
            .iter()
            .filter(|event| event.what != What::Created);
        let addition = journal_rows::Addition {
            tenant: &list.tenant,
            checklist: number,
            actor: &save.actor,
            actor_json: &texts.actor.value,
            at: save.at,
            counts: save.counts,
            events: events.count() as u64,
            audit_sequence: head,
        };
        let next = work.journal_cursor(&list.tenant)? + 1;
        logs.journal_tail = Some(journal_rows::write(connection, next, &logs, &addition)?);
        logs.journal_cursor = next;
        cursor = Some(next);
    }
    logs.journal_open = save.journal;

    if let Some(done) = &texts.done {
        let previous = logs.operation;
        logs.operation = operation::remember(connection, &list.tenant, Some(previous), done)?;
        work.operation_was_remembered(number, previous, done.key, logs.operation);
    }

    if list_rows::count_revision(connection, &list.tenant, number, after.revision, &logs)? != 1 {
        return Err(StoreError::Broken(
            "the file was changed behind the server's back".to_owned(),
        ));
    }
    if let Some(old) = before.map(|stored| &stored.list)
        && (old.template != after.template
            || old.locked != after.locked
            || old.waived != after.waived
            || old.facts != after.facts
            || old.reordered != after.reordered)
    {
        list_rows::update_header(connection, &list.tenant, number, &after)?;
    }
    let listeners = work.listeners(&list.tenant)?;
    let was = before.map(|stored| &*stored.list);
    let deliveries = outbox::of_list(&listeners, was, &after, save.journal, save.at)?;
    if !deliveries.is_empty() {
        work.has_deliveries(&list.tenant, &deliveries)?;
    }
    let stored = StoredList {
        number,
        list: Arc::new(after),
        purged_revision: before.map_or(0, |stored| stored.purged_revision),
        logs,
    };
    let operation = texts.operation_id.map(str::to_owned);
    work.has_changed(list.clone(), stored, head, cursor, operation);
    Ok(())
}

/// Writes the items that differ. An item whose sort key was only rebalanced keeps its version but
/// gets the new revision, so that clients that read changes only get the new key.
fn save_items(
    connection: &Connection,
    tenant: &str,
    number: i64,
    before: Option<&Checklist>,
    after: &mut Checklist,
) -> Result<(), StoreError> {
    let revision = after.revision;
    for (index, item) in after.items.iter_mut().enumerate() {
        let Some(old) = before.and_then(|list| difference::before(list, index, item)) else {
            item_rows::insert(connection, tenant, number, item)?;
            continue;
        };
        if difference::is_none(old, item) {
            continue;
        }
        let item = Arc::make_mut(item);
        item.revision = revision;
        let written = item_rows::update_state(connection, tenant, number, item)?;
        if !item_columns::differ_in_state_alone(old, item) {
            item_rows::update_content(connection, tenant, number, item)?;
        }
        if written != 1 {
            return Err(StoreError::Broken("an item's row is missing".to_owned()));
        }
    }
    Ok(())
}
