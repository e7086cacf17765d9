//! The rows of the inventory of computers.
//!
//! A computer is stored as JSON, with the columns by which it is found and ordered.

use checklist_shared::computer::Computer;
use checklist_shared::time::Timestamp;

use super::tenants::know_tenant;
use super::{DialectSql, Row, Session, json, values};
use crate::computers::{
    ComputerFilter, ComputerRecord, ComputerRows, NameAndSerial, name_key, search_text,
};
use crate::store::StoreError;

/// The rows that match a filter; the parameters are tenant, search terms (JSON), status.
macro_rules! found {
    ($select:literal, $rest:literal) => {
        DialectSql {
            sqlite: concat!(
                $select,
                " FROM computer WHERE tenant = $1 AND ($3::text IS NULL OR status = $3)
                  AND NOT EXISTS (SELECT 1 FROM json_each($2) word WHERE instr(search, word.value) = 0)",
                $rest
            ),
            postgres: concat!(
                $select,
                " FROM computer WHERE tenant = $1 AND ($3::text IS NULL OR status = $3)
                  AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements_text($2::text::jsonb) AS word
                                  WHERE strpos(search, word) = 0)",
                $rest
            ),
        }
    };
}

const COUNT: DialectSql = found!("SELECT count(*)", "");
const PAGE: DialectSql = found!(
    "SELECT record, created_at, updated_at",
    " AND ($4::text IS NULL OR (name_key, id) > ($4, $5::text)) ORDER BY name_key, id LIMIT $6"
);
const BY_ID: &str =
    "SELECT record, created_at, updated_at FROM computer WHERE tenant = $1 AND id = $2";
const PUT: &str = "INSERT INTO computer
         (tenant, id, name_key, status, search, record, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (tenant, id) DO UPDATE
     SET name_key = excluded.name_key, status = excluded.status, search = excluded.search,
         record = excluded.record, updated_at = excluded.updated_at";

fn record_of(row: &Row) -> Result<ComputerRecord, StoreError> {
    Ok(ComputerRecord {
        computer: row.get_json(0)?,
        created_at: row.get_time(1)?,
        updated_at: row.get_time(2)?,
    })
}

pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    filter: &ComputerFilter,
) -> Result<ComputerRows, StoreError> {
    let words = json(&filter.words)?;
    let status = filter.status.map(|status| status.name());
    let counted = session
        .query(COUNT.of(S::DIALECT), values![tenant, &words, status])
        .await?;
    let after = filter.after.as_ref();
    let rows = session
        .query(
            PAGE.of(S::DIALECT),
            values![
                tenant,
                &words,
                status,
                after.map(|place| &place.name_key),
                after.map(|place| &place.id),
                i64::from(filter.limit) + 1,
            ],
        )
        .await?;
    let limit = usize::try_from(filter.limit).unwrap_or(usize::MAX);
    let shown = rows.iter().take(limit).map(record_of);
    Ok(ComputerRows {
        rows: shown.collect::<Result<_, _>>()?,
        more: rows.len() > limit,
        total: counted.first().map_or(Ok(0), |row| row.get_u64(0))?,
    })
}

pub(crate) async fn by_id<S: Session>(
    session: &mut S,
    tenant: &str,
    ids: &[String],
) -> Result<Vec<ComputerRecord>, StoreError> {
    let asked: Vec<_> = ids.iter().map(|id| values![tenant, id]).collect();
    let rows = session.query_each(BY_ID, &asked).await?;
    rows.iter().flatten().map(record_of).collect()
}

pub(crate) async fn names_and_serials<S: Session>(
    session: &mut S,
    tenant: &str,
) -> Result<Vec<NameAndSerial>, StoreError> {
    let rows = session
        .query(
            "SELECT record FROM computer WHERE tenant = $1",
            values![tenant],
        )
        .await?;
    let computers = rows
        .iter()
        .map(|row| Ok(row.get_json::<Computer>(0)?.into()));
    computers.collect()
}

pub(crate) async fn put<S: Session>(
    session: &mut S,
    tenant: &str,
    computers: &[Computer],
    at: Timestamp,
) -> Result<Vec<Option<Computer>>, StoreError> {
    know_tenant(session, tenant, at).await?;
    // Serializes the imports of a tenant, so that each knows what it has changed.
    session
        .lock(
            "SELECT 1 FROM tenant WHERE id = $1 FOR NO KEY UPDATE",
            values![tenant],
        )
        .await?;
    let asked: Vec<_> = computers
        .iter()
        .map(|one| values![tenant, &one.id])
        .collect();
    let before = session.query_each(BY_ID, &asked).await?;
    let before = before
        .iter()
        .map(|rows| rows.first().map(|row| row.get_json(0)).transpose())
        .collect::<Result<Vec<Option<Computer>>, _>>()?;
    let mut texts = Vec::new();
    for (computer, before) in computers.iter().zip(&before) {
        if before.as_ref() != Some(computer) {
            let record = json(computer)?;
            texts.push((computer, name_key(computer), search_text(computer), record));
        }
    }
    let written: Vec<_> = texts
        .iter()
        .map(|(computer, name_key, search, record)| {
            let status = computer.status.name();
            values![tenant, &computer.id, name_key, status, search, record, at]
        })
        .collect();
    session.execute_each(PUT, &written).await?;
    Ok(before)
}
