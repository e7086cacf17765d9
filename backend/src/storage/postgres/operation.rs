//! Idempotency records: the answer for a repeat, and the undo record.
//!
//! The key is a digest of everything that scopes an operation id.

use std::collections::HashMap;

use checklist_shared::permission::Permissions;
use checklist_shared::time::Timestamp;
use checklist_shared::undo::UndoRecord;
use serde::de::DeserializeOwned;
use tokio_postgres::Row;

use super::arrays::all_of;
use super::columns::{get, get_hash};
use super::error::PostgresError;
use crate::encoding::unpack;
use crate::idempotency_record::IdempotencyRecord;
use crate::store::REMEMBERED_MILLIS;

/// The operations with these digests, whatever their age.
pub(super) const FIND: &str = "SELECT key, number, body_hash, used, at, packed \
     FROM (SELECT $1::text AS of_tenant, wanted_key \
           FROM unnest($2::bytea[]) AS wanted_key OFFSET 0) AS wanted \
     JOIN operation ON tenant = wanted.of_tenant AND key = wanted.wanted_key";

/// Inserts idempotency records, given as arrays. Replaces a record with the same key if it is older
/// than $7; otherwise the transaction is rolled back.
pub(super) const REMEMBER: &str = all_of!(
    "INSERT INTO operation AS known (tenant, key, body_hash, used, packed, at) \
     SELECT $1, * FROM unnest($2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[], \
         $6::bigint[]) \
     ON CONFLICT (tenant, key) DO UPDATE SET body_hash = excluded.body_hash, \
         used = excluded.used, packed = excluded.packed, at = excluded.at, number = DEFAULT \
     WHERE known.at <= $7"
);

/// The stored operations that a batch needs.
#[derive(Default)]
pub(super) struct Operations(HashMap<[u8; 32], Row>);

impl Operations {
    pub(super) fn of(rows: Vec<Row>) -> Result<Self, PostgresError> {
        let rows = rows.into_iter().map(|row| Ok((get_hash(&row, 0)?, row)));
        rows.collect::<Result<_, PostgresError>>().map(Self)
    }

    fn row(&self, key: &[u8; 32], now: Timestamp) -> Result<Option<&Row>, PostgresError> {
        let Some(row) = self.0.get(key) else {
            return Ok(None);
        };
        let at: i64 = get(row, 4)?;
        Ok((at > remembered_since(now)).then_some(row))
    }

    /// The operation with that digest, unless it has expired.
    pub(super) fn find(
        &self,
        key: &[u8; 32],
        now: Timestamp,
    ) -> Result<Option<IdempotencyRecord>, PostgresError> {
        let Some(row) = self.row(key, now)? else {
            return Ok(None);
        };
        Ok(Some(IdempotencyRecord {
            body_hash: get_hash(row, 2)?,
            used: permissions(get(row, 3)?)?,
            answer: parse(&texts(row)?.0)?,
        }))
    }

    /// The undo record of the newest of these operations.
    pub(super) fn undo_record(
        &self,
        keys: &[[u8; 32]],
        now: Timestamp,
    ) -> Result<Option<UndoRecord>, PostgresError> {
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
        newest.map(|(_, row)| parse(&texts(row)?.1)).transpose()
    }
}

/// The answer and the undo record of a row.
fn texts(row: &Row) -> Result<(String, String), PostgresError> {
    unpack(get(row, 5)?).map_err(PostgresError::Broken)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T, PostgresError> {
    serde_json::from_str(text).map_err(|error| PostgresError::Broken(error.to_string()))
}

/// The time before which operations have expired, in milliseconds.
pub(super) const fn remembered_since(now: Timestamp) -> i64 {
    now.as_millis() - REMEMBERED_MILLIS
}

/// A new idempotency record of a batch.
pub(super) struct NewIdempotencyRecord {
    pub(super) key: [u8; 32],
    pub(super) body_hash: [u8; 32],
    pub(super) used: Permissions,
    pub(super) answer: String,
    pub(super) undo: String,
    pub(super) at: i64,
}

fn permissions(bits: i64) -> Result<Permissions, PostgresError> {
    u16::try_from(bits)
        .map(Permissions::from_bits)
        .map_err(|error| PostgresError::Broken(error.to_string()))
}
