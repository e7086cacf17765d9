//! Idempotency records: the answer for a repeat, and the undo record.
//!
//! The key is a digest of everything that scopes an operation id. An operation that changed a list
//! is found through `idempotency_index`, any other through the database index.

use checklist_shared::permission::Permissions;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, Result, Row, params};

use super::columns::parse;
use super::list_rows::StoredList;
use super::writer::BatchContext;
use crate::encoding::unpack;
use crate::idempotency_record::{IdempotencyRecord, digest};
use crate::list_key::ListKey;
use crate::store::{CALLS, REMEMBERED_MILLIS, UndoTarget};

/// The operation with that digest, unless it has expired.
pub(super) fn find(
    work: &mut BatchContext<'_>,
    list: &ListKey,
    stored: Option<&StoredList>,
    key: &[u8; 32],
    now: Timestamp,
) -> Result<Option<IdempotencyRecord>> {
    let operation = newest(work, list, stored, key, now)?;
    operation
        .map(|operation| {
            Ok(IdempotencyRecord {
                body_hash: operation.body_hash,
                used: operation.used,
                answer: parse(&operation.answer, PACKED)?,
            })
        })
        .transpose()
}

/// The undo record of the newest operation with that id, whichever call it was.
pub(super) fn undo_record(
    work: &mut BatchContext<'_>,
    list: &ListKey,
    stored: Option<&StoredList>,
    undoes: &UndoTarget,
    now: Timestamp,
) -> Result<Option<UndoRecord>> {
    let mut best: Option<OperationRow> = None;
    for call in CALLS {
        let key = digest(list, &undoes.scope, call, &undoes.id);
        if let Some(operation) = newest(work, list, stored, &key, now)?
            && best
                .as_ref()
                .is_none_or(|other| operation.number > other.number)
        {
            best = Some(operation);
        }
    }
    best.map(|operation| parse(&operation.undo, PACKED))
        .transpose()
}

/// The row of an operation.
struct OperationRow {
    number: i64,
    body_hash: [u8; 32],
    used: Permissions,
    answer: String,
    undo: String,
}

const PACKED: usize = 3;

fn operation_row(row: &Row<'_>) -> Result<OperationRow> {
    let (answer, undo) = unpack(row.get_ref(PACKED)?.as_blob()?)
        .map_err(|what| Error::FromSqlConversionFailure(PACKED, Type::Blob, what.into()))?;
    Ok(OperationRow {
        number: row.get(0)?,
        body_hash: row.get(1)?,
        used: Permissions::from_bits(row.get(2)?),
        answer,
        undo,
    })
}

/// The time before which operations have expired, in milliseconds.
pub(super) const fn remembered_since(now: Timestamp) -> i64 {
    now.as_millis() - REMEMBERED_MILLIS
}

/// Finds one operation: by row number if the list's index has it, else through the database index.
fn newest(
    work: &mut BatchContext<'_>,
    list: &ListKey,
    stored: Option<&StoredList>,
    key: &[u8; 32],
    now: Timestamp,
) -> Result<Option<OperationRow>> {
    let since = remembered_since(now);
    if let Some(stored) = stored
        && let Some(number) = work.recent_operation(&list.tenant, stored, key, since)?
    {
        let on_the_trail = work
            .connection
            .prepare_cached(
                "SELECT number, body_hash, used, packed FROM operation
                 WHERE tenant = ?1 AND key = ?2 AND at > ?3 AND number = ?4",
            )?
            .query_row(params![list.tenant, key, since, number], operation_row)
            .optional()?;
        if on_the_trail.is_some() {
            return Ok(on_the_trail);
        }
    }
    work.connection
        .prepare_cached(
            "SELECT number, body_hash, used, packed FROM operation
             WHERE tenant = ?1 AND key = ?2 AND at > ?3 AND list_previous IS NULL",
        )?
        .query_row(params![list.tenant, key, since], operation_row)
        .optional()
}

/// An idempotency record to insert.
#[derive(Clone, Copy)]
pub(super) struct NewIdempotencyRecord<'a> {
    pub(super) key: &'a [u8; 32],
    pub(super) body_hash: &'a [u8; 32],
    pub(super) used: Permissions,
    /// The compressed answer or problem, and the undo record.
    pub(super) packed: &'a [u8],
    pub(super) at: Timestamp,
}

/// Inserts a record, linked to the previous operation on the same list if it changed one. Replaces
/// an expired one with the same key. Returns its row number.
pub(super) fn remember(
    connection: &Connection,
    tenant: &str,
    list_previous: Option<i64>,
    done: &NewIdempotencyRecord<'_>,
) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO operation (tenant, key, body_hash, used, at, list_previous, packed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .insert(params![
            tenant,
            done.key,
            done.body_hash,
            done.used.bits(),
            done.at.as_millis(),
            list_previous,
            done.packed,
        ])
}
