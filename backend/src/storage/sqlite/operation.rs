//! Remembered operations: the answer that a repeat gets, and what an undo puts back.
//!
//! Called by `list_write` inside the transaction of the operation itself. Rows are found by a
//! digest of everything that an operation id is scoped by.

use checklist_shared::permission::Permissions;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use rusqlite::{Connection, OptionalExtension, Result, params};

use super::columns::get_json;
use crate::storage::known::{Known, digest};
use crate::storage::list_key::ListKey;
use crate::storage::store::{CALLS, REMEMBERED_MILLIS, Undoes};

/// The operation under that digest, unless it is too old to be remembered.
pub(super) fn find(
    connection: &Connection,
    tenant: &str,
    key: &[u8; 32],
    now: Timestamp,
) -> Result<Option<Known>> {
    connection
        .prepare_cached("SELECT body_hash, used, answer FROM operation WHERE tenant = ?1 AND key = ?2 AND at > ?3")?
        .query_row(params![tenant, key, now.as_millis() - REMEMBERED_MILLIS], |row| {
            Ok(Known {
                body_hash: row.get(0)?,
                used: Permissions::from_bits(row.get(1)?),
                answer: get_json(row, 2)?,
            })
        })
        .optional()
}

/// What the newest operation of that name has overwritten, whichever call it was.
pub(super) fn undo_record(
    connection: &Connection,
    list: &ListKey,
    undoes: &Undoes,
    now: Timestamp,
) -> Result<Option<UndoRecord>> {
    let mut newest: Option<(i64, UndoRecord)> = None;
    for call in CALLS {
        let key = digest(list, &undoes.scope, call, &undoes.id);
        let found = connection
            .prepare_cached(
                "SELECT number, undo FROM operation WHERE tenant = ?1 AND key = ?2 AND at > ?3",
            )?
            .query_row(
                params![list.tenant, key, now.as_millis() - REMEMBERED_MILLIS],
                |row| Ok((row.get::<_, i64>(0)?, get_json(row, 1)?)),
            )
            .optional()?;
        if let Some((number, record)) = found
            && newest.as_ref().is_none_or(|(other, _)| number > *other)
        {
            newest = Some((number, record));
        }
    }
    Ok(newest.map(|(_, record)| record))
}

/// What is remembered of an operation.
pub(super) struct Done<'a> {
    pub(super) body_hash: &'a [u8; 32],
    pub(super) used: Permissions,
    /// The answer, or why the request as a whole was refused, as JSON.
    pub(super) answer: &'a str,
    /// What an undo puts back, as JSON.
    pub(super) undo: &'a str,
    pub(super) at: Timestamp,
}

/// Remembers an operation; one of the same name that is too old gives way.
pub(super) fn remember(
    connection: &Connection,
    tenant: &str,
    key: &[u8; 32],
    done: &Done<'_>,
) -> Result<usize> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO operation (tenant, key, body_hash, used, answer, undo, at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            tenant,
            key,
            done.body_hash,
            done.used.bits(),
            done.answer,
            done.undo,
            done.at.as_millis()
        ])
}
