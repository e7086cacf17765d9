//! Remembered operations: the answer that a repeat gets, and what an undo puts back.
//!
//! Read by `batch` for all its calls at once, found by `turn`, written with everything else.
//! Rows are found by a digest of everything that an operation id is scoped by.

use std::collections::HashMap;

use checklist_shared::permission::Permissions;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use tokio_postgres::Row;

use super::columns::{get, get_hash, get_json};
use super::trouble::Trouble;
use crate::storage::known::Known;
use crate::storage::store::REMEMBERED_MILLIS;

/// The operations of these digests, however old.
pub(super) const FIND: &str = "SELECT key, number, body_hash, used, answer, undo, at \
     FROM operation WHERE tenant = $1 AND key = ANY($2::bytea[])";

/// Remembers operations, given as arrays. One of the same name gives way if it is older than
/// $8; otherwise its row is not among those that come back.
pub(super) const REMEMBER: &str = "INSERT INTO operation AS known \
         (tenant, key, body_hash, used, answer, undo, at) \
     SELECT $1, * FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::text[], \
         $7::bigint[]) \
     ON CONFLICT (tenant, key) DO UPDATE SET body_hash = excluded.body_hash, \
         used = excluded.used, answer = excluded.answer, undo = excluded.undo, at = excluded.at, \
         number = DEFAULT \
     WHERE known.at <= $8 \
     RETURNING 1";

/// The operations that a batch asks about.
#[derive(Default)]
pub(super) struct Operations(HashMap<[u8; 32], Row>);

impl Operations {
    pub(super) fn of(rows: Vec<Row>) -> Result<Self, Trouble> {
        let rows = rows.into_iter().map(|row| Ok((get_hash(&row, 0)?, row)));
        rows.collect::<Result<_, Trouble>>().map(Self)
    }

    fn row(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<&Row>, Trouble> {
        let Some(row) = self.0.get(key) else {
            return Ok(None);
        };
        let at: i64 = get(row, 6)?;
        Ok((at > remembered_since(now)).then_some(row))
    }

    /// The operation under that digest, unless it is too old to be remembered.
    pub(super) fn known(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<Known>, Trouble> {
        let Some(row) = self.row(key, now)? else {
            return Ok(None);
        };
        Ok(Some(Known {
            body_hash: get_hash(row, 2)?,
            used: permissions(get(row, 3)?)?,
            answer: get_json(row, 4)?,
        }))
    }

    /// What the newest of these operations has overwritten.
    pub(super) fn undo_record(
        &self,
        keys: &[[u8; 32]],
        now: Timestamp,
    ) -> Result<Option<UndoRecord>, Trouble> {
        let mut newest: Option<(i64, &Row)> = None;
        for key in keys {
            let Some(row) = self.row(key, now)? else {
                continue;
            };
            let number = get(row, 1)?;
            if newest.is_none_or(|(other, _)| number > other) {
                newest = Some((number, row));
            }
        }
        newest.map(|(_, row)| get_json(row, 5)).transpose()
    }
}

/// What was done before that is not remembered.
pub(super) const fn remembered_since(now: Timestamp) -> i64 {
    now.as_millis() - REMEMBERED_MILLIS
}

/// An operation that a batch has done, as it is going to be remembered.
pub(super) struct Done {
    pub(super) key: [u8; 32],
    pub(super) body_hash: [u8; 32],
    pub(super) used: Permissions,
    pub(super) answer: String,
    pub(super) undo: String,
    pub(super) at: i64,
}

fn permissions(bits: i64) -> Result<Permissions, Trouble> {
    u16::try_from(bits)
        .map(Permissions::from_bits)
        .map_err(|error| Trouble::Broken(error.to_string()))
}
