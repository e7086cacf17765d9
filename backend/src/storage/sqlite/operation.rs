//! Remembered operations: the answer that a repeat gets, and what an undo puts back.
//!
//! Called by `list_write` inside the transaction of the operation itself. Operations are known by
//! a digest of everything that an operation id is scoped by. One that changed a list is found
//! through `recent`, any other through the index.

use checklist_shared::permission::Permissions;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::columns::get_json;
use super::list_rows::Stored;
use super::writer::Work;
use crate::storage::known::{Known, digest};
use crate::storage::list_key::ListKey;
use crate::storage::store::{CALLS, REMEMBERED_MILLIS, Undoes};

/// The operation under that digest, unless it is too old to be remembered.
pub(super) fn find(
    work: &mut Work<'_>,
    list: &ListKey,
    stored: Option<&Stored>,
    key: &[u8; 32],
    now: Timestamp,
) -> Result<Option<Known>> {
    newest(
        work,
        list,
        stored,
        key,
        now,
        [
            "SELECT body_hash, used, answer FROM operation WHERE tenant = ?1 AND key = ?2 AND at > ?3 AND number = ?4",
            "SELECT body_hash, used, answer FROM operation
             WHERE tenant = ?1 AND key = ?2 AND at > ?3 AND list_previous IS NULL",
        ],
        |row| {
            Ok(Known {
                body_hash: row.get(0)?,
                used: Permissions::from_bits(row.get(1)?),
                answer: get_json(row, 2)?,
            })
        },
    )
}

/// What the newest operation of that name has overwritten, whichever call it was.
pub(super) fn undo_record(
    work: &mut Work<'_>,
    list: &ListKey,
    stored: Option<&Stored>,
    undoes: &Undoes,
    now: Timestamp,
) -> Result<Option<UndoRecord>> {
    let mut best: Option<(i64, UndoRecord)> = None;
    for call in CALLS {
        let key = digest(list, &undoes.scope, call, &undoes.id);
        let found = newest(
            work,
            list,
            stored,
            &key,
            now,
            [
                "SELECT number, undo FROM operation WHERE tenant = ?1 AND key = ?2 AND at > ?3 AND number = ?4",
                "SELECT number, undo FROM operation
                 WHERE tenant = ?1 AND key = ?2 AND at > ?3 AND list_previous IS NULL",
            ],
            |row| Ok((row.get::<_, i64>(0)?, get_json(row, 1)?)),
        )?;
        if let Some((number, record)) = found
            && best.as_ref().is_none_or(|(other, _)| number > *other)
        {
            best = Some((number, record));
        }
    }
    Ok(best.map(|(_, record)| record))
}

/// Asks for one operation: by its number when the list's own trail knows it, else by the index.
fn newest<T>(
    work: &mut Work<'_>,
    list: &ListKey,
    stored: Option<&Stored>,
    key: &[u8; 32],
    now: Timestamp,
    [by_number, by_index]: [&str; 2],
    read: impl Fn(&Row<'_>) -> Result<T>,
) -> Result<Option<T>> {
    let since = now.as_millis() - REMEMBERED_MILLIS;
    if let Some(stored) = stored
        && let Some(number) = work.recent_operation(&list.tenant, stored, key, since)?
    {
        let found = work
            .connection
            .prepare_cached(by_number)?
            .query_row(params![list.tenant, key, since, number], &read)
            .optional()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    work.connection
        .prepare_cached(by_index)?
        .query_row(params![list.tenant, key, since], read)
        .optional()
}

/// What is remembered of an operation.
#[derive(Clone, Copy)]
pub(super) struct Done<'a> {
    pub(super) key: &'a [u8; 32],
    pub(super) body_hash: &'a [u8; 32],
    pub(super) used: Permissions,
    /// The answer, or why the request as a whole was refused, as JSON.
    pub(super) answer: &'a str,
    /// What an undo puts back, as JSON.
    pub(super) undo: &'a str,
    pub(super) at: Timestamp,
}

/// Remembers an operation, with the one before on the list that it has changed, if it has. One
/// of the same name that is too old gives way. Returns its number.
pub(super) fn remember(
    connection: &Connection,
    tenant: &str,
    list_previous: Option<i64>,
    done: &Done<'_>,
) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO operation (tenant, key, body_hash, used, answer, undo, at, list_previous)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .insert(params![
            tenant,
            done.key,
            done.body_hash,
            done.used.bits(),
            done.answer,
            done.undo,
            done.at.as_millis(),
            list_previous,
        ])
}
