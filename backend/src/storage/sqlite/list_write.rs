//! One writing call on one list, inside the writer's transaction.
//!
//! Replay a known operation; load; let the services decide; save the changed rows, the audit
//! trail, the journal and the remembered answer. Whatever fails, the writer undoes all of it.

use std::sync::Arc;

use checklist_shared::checklist::Checklist;
use checklist_shared::event::What;
use checklist_shared::item::Item;
use checklist_shared::permission::Permissions;
use checklist_shared::problem::ProblemCode;
use checklist_shared::undo::UndoRecord;
use checklist_shared::wire::write::WriteAnswer;
use rusqlite::Connection;

use super::columns::json;
use super::list_rows::{self, ListKey, ListLogs, Stored};
use super::operation;
use super::writer::Work;
use super::{audit_rows, facts, journal_rows};
use crate::error::ServiceError;
use crate::storage::store::{ListWrite, Save, StoreError};

pub(super) fn run(
    work: &mut Work<'_>,
    write: ListWrite,
) -> Result<Result<WriteAnswer, ServiceError>, StoreError> {
    let list = ListKey::of(&write.tenant, &write.wanted.context);
    let operation = write.operation.map(|operation| {
        let key = operation::digest(&list, &operation.scope, operation.call, &operation.id);
        (key, operation)
    });
    if let Some((key, operation)) = &operation
        && let Some(known) = operation::find(work.connection, &list.tenant, key, write.now)?
    {
        if known.body_hash != operation.body_hash {
            return Ok(Err(ServiceError::new(
                ProblemCode::OperationIdReused,
                "This OperationId was used for another request; choose a new one.",
            )));
        }
        if !write.permissions.holds(known.used) {
            return Ok(Err(ServiceError::new(
                ProblemCode::PermissionDenied,
                "The operation was done with a permission that is missing now.",
            )));
        }
        return Ok(known.answer);
    }
    let undo = match &write.undoes {
        Some(undoes) => operation::undo_record(work.connection, &list, undoes, write.now)?,
        None => None,
    };
    let (facts, stored) = facts::gather(work, &list, &write.wanted)?;
    let nothing = UndoRecord::default();
    let decision = match (write.decide)(facts, undo) {
        Ok(decision) => decision,
        Err(refusal) => {
            if let Some((key, operation)) = operation.filter(|_| refusal.is_remembered()) {
                let done = operation::Done {
                    body_hash: &operation.body_hash,
                    used: Permissions::default(),
                    answer: Err(&refusal),
                    undo: &nothing,
                    at: write.now,
                };
                operation::remember(work.connection, &list.tenant, &key, &done)?;
            }
            return Ok(Err(refusal));
        }
    };
    if let Some((key, operation)) = &operation {
        let done = operation::Done {
            body_hash: &operation.body_hash,
            used: decision.used,
            answer: Ok(&decision.answer),
            undo: decision.save.as_ref().map_or(&nothing, |save| &save.undo),
            at: write.now,
        };
        operation::remember(work.connection, &list.tenant, key, &done)?;
    }
    if let Some(save) = decision.save {
        let operation_id = operation
            .as_ref()
            .map(|(_, operation)| operation.id.as_str());
        self::save(work, list, stored, *save, operation_id)?;
    }
    Ok(Ok(decision.answer))
}

fn save(
    work: &mut Work<'_>,
    list: ListKey,
    stored: Option<Arc<Stored>>,
    save: Save,
    operation_id: Option<&str>,
) -> Result<(), StoreError> {
    let connection = work.connection;
    let before = stored.as_deref();
    let mut after = save.list;
    let actor = json(&save.actor)?;

    let number = match before {
        Some(stored) => stored.number,
        None => list_rows::insert_header(connection, &list, &after)?,
    };
    save_items(
        connection,
        &list.tenant,
        number,
        before.map(|stored| &*stored.list),
        &mut after,
    )?;

    let mut logs = before.map_or_else(ListLogs::default, |stored| stored.logs.clone());
    let audit = audit_rows::Operation {
        list: &list,
        list_previous: logs.audit_sequence,
        revision: after.revision,
        operation_id,
        actor: &actor,
        at: save.at,
    };
    let head = audit_rows::append(connection, work.head(&list.tenant)?, &audit, &save.events)?;
    logs.audit_sequence = head.sequence;

    // An entry tells what its actor did in a row; a change that nobody wants told ends it.
    let mut cursor = None;
    if save.journal {
        // That a list came to be is no news to its host: it has asked for it.
        let told = save
            .events
            .iter()
            .filter(|event| event.what != What::Created);
        let addition = journal_rows::Addition {
            tenant: &list.tenant,
            checklist: number,
            actor: &save.actor,
            actor_json: &actor,
            at: save.at,
            counts: save.counts,
            events: told.count() as u64,
            audit_sequence: head.sequence,
        };
        let next = work.journal_cursor(&list.tenant)? + 1;
        logs.journal_tail = Some(journal_rows::write(connection, next, &logs, &addition)?);
        logs.journal_cursor = next;
        cursor = Some(next);
    }
    logs.journal_open = save.journal;

    if list_rows::count_revision(connection, &list.tenant, number, after.revision, &logs)? != 1 {
        return Err(StoreError::Broken(
            "the file was changed behind the server's back".to_owned(),
        ));
    }
    if let Some(old) = before.map(|stored| &stored.list)
        && (old.template != after.template
            || old.locked != after.locked
            || old.reordered != after.reordered)
    {
        list_rows::update_header(connection, &list.tenant, number, &after)?;
    }
    let stored = Stored {
        number,
        list: Arc::new(after),
        purged_revision: before.map_or(0, |stored| stored.purged_revision),
        logs,
    };
    work.has_changed(list, stored, head, cursor);
    Ok(())
}

/// Writes the items that differ. One whose place was only rebalanced keeps its version but
/// takes the new revision, so that whoever reads the changes alone learns its new key.
fn save_items(
    connection: &Connection,
    tenant: &str,
    number: i64,
    before: Option<&Checklist>,
    after: &mut Checklist,
) -> Result<(), StoreError> {
    let revision = after.revision;
    for (index, item) in after.items.iter_mut().enumerate() {
        let Some(old) = before.and_then(|list| find(list, index, item)) else {
            list_rows::insert_item(connection, tenant, number, item)?;
            continue;
        };
        if old == item {
            continue;
        }
        item.revision = revision;
        let written = list_rows::update_state(connection, tenant, number, item)?;
        if !list_rows::differ_in_state_alone(old, item) {
            list_rows::update_item(connection, tenant, number, item)?;
        }
        if written != 1 {
            return Err(StoreError::Broken("an item's row is missing".to_owned()));
        }
    }
    Ok(())
}

/// The item as it was; nearly always at the same index.
fn find<'a>(list: &'a Checklist, index: usize, item: &Item) -> Option<&'a Item> {
    list.items
        .get(index)
        .filter(|old| old.id == item.id)
        .or_else(|| list.any(item.id))
}
