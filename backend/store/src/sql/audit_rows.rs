//! The rows of a tenant's audit trail as they are stored, for verification and erasure.
//!
//! Nothing here judges them: an impossible value is read as one that no row can have.

use checklist_shared::audit_trail::leaf::Salt;
use checklist_shared::audit_trail::merkle::Hash;
use checklist_shared::context::Context;

use super::{DialectSql, Row, Session, values};
use crate::audit::{StoredRow, StoredValue};
use crate::store::StoreError;

/// Selects rows, with the columns in the order in which [`row_of`] reads them.
macro_rules! rows {
    ($rest:literal) => {
        concat!(
            "SELECT sequence, list_previous, revision, at, object_type, object_id, purpose,
                 operation_id, event, actor, actor_salt, actor_erased, words, words_salt,
                 words_erased, hash
             FROM audit WHERE tenant = $1 ",
            $rest
        )
    };
}

/// The number of the newest row. It stands apart from the rows; the next write continues it.
const HEAD: DialectSql = DialectSql {
    sqlite: "SELECT sequence FROM audit_head WHERE tenant = $1",
    postgres: "SELECT audit_sequence FROM log_head WHERE tenant = $1",
};

/// A list whose newest row, by its own account, is missing or another list's.
const MISSING: &str = "SELECT c.object_type, c.object_id, c.purpose, c.audit_sequence
     FROM checklist c LEFT JOIN audit a
          ON a.tenant = c.tenant AND a.sequence = c.audit_sequence AND a.object_type = c.object_type
         AND a.object_id = c.object_id AND a.purpose = c.purpose
     WHERE c.tenant = $1 AND a.sequence IS NULL
     ORDER BY c.audit_sequence LIMIT 1";

/// The number of the newest row that was ever written; 0 without any.
pub(crate) async fn head<S: Session>(session: &mut S, tenant: &str) -> Result<u64, StoreError> {
    let newest = session
        .query_opt(HEAD.of(S::DIALECT), values![tenant], |row| row.get_u64(0))
        .await?;
    Ok(newest.unwrap_or(0))
}

/// A list that names a row which is not there, if there is one, and the row's number.
pub(crate) async fn missing_row<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Option<(Context, u64)>, StoreError> {
    session
        .query_opt(MISSING, values![tenant], |row| {
            let list = Context::new(row.get_text(0)?, row.get_text(1)?, row.get_text(2)?);
            Ok((list, number(row, 3)?))
        })
        .await
}

/// Rows in the order of their numbers: those after `after`, or from the first on.
pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    after: Option<u64>,
    limit: u32,
) -> Result<Vec<StoredRow>, StoreError> {
    let sql = rows!("AND sequence > $2 ORDER BY sequence LIMIT $3");
    // Whatever numbers rows may claim.
    let after = after.map_or(i64::MIN, |after| i64::try_from(after).unwrap_or(i64::MAX));
    session
        .query_map(sql, values![tenant, after, limit], row_of)
        .await
}

/// Rows after one whose actor or words match a pattern of `LIKE`, in the order of their numbers.
pub(crate) async fn matching<S: Session>(
    session: &mut S,
    tenant: &str,
    after: u64,
    pattern: &str,
    limit: u32,
) -> Result<Vec<StoredRow>, StoreError> {
    let sql = rows!(
        r"AND sequence > $2 AND (actor LIKE $3 ESCAPE '\' OR words LIKE $3 ESCAPE '\')
          ORDER BY sequence LIMIT $4"
    );
    let parameters = values![tenant, after, pattern, limit];
    session.query_map(sql, parameters, row_of).await
}

/// What of a row is erased: the commitments that take the place of actor and words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowErasure {
    pub(crate) sequence: u64,
    pub(crate) actor: Option<Hash>,
    pub(crate) words: Option<Hash>,
}

/// Deletes values and salts of rows. Everything that is in their leaves stays.
pub(crate) async fn erase<S: Session>(
    session: &mut S,
    tenant: &str,
    rows: &[RowErasure],
) -> Result<(), StoreError> {
    let actors = rows
        .iter()
        .filter_map(|row| Some((row.sequence, row.actor.as_ref()?)));
    let actors: Vec<_> = actors
        .map(|(sequence, commitment)| values![tenant, sequence, commitment])
        .collect();
    let sql = "UPDATE audit SET actor = NULL, actor_salt = NULL, actor_erased = $3
         WHERE tenant = $1 AND sequence = $2 AND actor IS NOT NULL";
    session.execute_each(sql, &actors).await?;
    let words = rows
        .iter()
        .filter_map(|row| Some((row.sequence, row.words.as_ref()?)));
    let words: Vec<_> = words
        .map(|(sequence, commitment)| values![tenant, sequence, commitment])
        .collect();
    let sql = "UPDATE audit SET words = NULL, words_salt = NULL, words_erased = $3
         WHERE tenant = $1 AND sequence = $2 AND words IS NOT NULL";
    session.execute_each(sql, &words).await?;
    Ok(())
}

fn row_of(row: &Row) -> Result<StoredRow, StoreError> {
    Ok(StoredRow {
        sequence: number(row, 0)?,
        list_previous: number(row, 1)?,
        revision: number(row, 2)?,
        at: row.get_i64(3)?,
        object_type: row.get_text(4)?.to_owned(),
        object_id: row.get_text(5)?.to_owned(),
        purpose: row.get_text(6)?.to_owned(),
        operation_id: row.get_text_option(7)?.map(str::to_owned),
        event: row.get_text(8)?.to_owned(),
        actor: value(row, 9)?,
        words: value(row, 12)?,
        hash: row.get_hash(15).ok(),
    })
}

fn number(row: &Row, column: usize) -> Result<u64, StoreError> {
    Ok(u64::try_from(row.get_i64(column)?).unwrap_or(u64::MAX))
}

/// A committed value: value, salt and commitment stand one after the other.
fn value(row: &Row, column: usize) -> Result<StoredValue, StoreError> {
    let salt = row.get_bytes_option(column + 1)?.unwrap_or_default();
    if let (Some(value), Ok(salt)) = (row.get_text_option(column)?, Salt::try_from(salt)) {
        return Ok(StoredValue::Present(value.to_owned(), salt));
    }
    // No leaf commits to zeros.
    Ok(StoredValue::Erased(
        row.get_hash(column + 2).unwrap_or_default(),
    ))
}
