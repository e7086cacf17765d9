//! The inventory of computers in PostgreSQL: its rows, and the trait.
//!
//! Called through the trait by `services::computers` and by runs of the example workflow.

use std::collections::HashMap;

use checklist_shared::computer::Computer;
use checklist_shared::time::Timestamp;
use tokio_postgres::Row;

use super::columns::{get, get_json, get_time, get_u64, json};
use super::directory::know_tenant;
use super::session::Session;
use super::trouble::Trouble;
use super::{ONE_MOMENT, PostgresStore, is_nobody};
use crate::storage::computers::{
    ComputerFilter, ComputerRecord, ComputerRows, Computers, NameAndSerial, name_key, search_text,
};
use crate::storage::store::Reply;

/// How many rows one statement writes.
const PIECE: usize = 1_000;

/// Which rows a filter finds: tenant, words, status.
macro_rules! found {
    () => {
        "FROM computer WHERE tenant = $1 AND ($3::text IS NULL OR status = $3) \
             AND NOT EXISTS (SELECT 1 FROM unnest($2::text[]) word WHERE strpos(search, word) = 0)"
    };
}

impl Computers for PostgresStore {
    fn computers<'a>(&'a self, tenant: &'a str, filter: ComputerFilter) -> Reply<'a, ComputerRows> {
        let nobody = |text: &String| is_nobody(text);
        let after = filter.after.as_ref();
        if is_nobody(tenant)
            || filter.words.iter().any(nobody)
            || after.is_some_and(|place| nobody(&place.name_key) || nobody(&place.id))
        {
            return Box::pin(async { Ok(ComputerRows::default()) });
        }
        Box::pin(async move {
            Ok(self
                .transaction(tenant, ONE_MOMENT, async |session| {
                    page(session, tenant, &filter).await
                })
                .await?)
        })
    }

    fn computers_by_id<'a>(
        &'a self,
        tenant: &'a str,
        mut ids: Vec<String>,
    ) -> Reply<'a, Vec<ComputerRecord>> {
        ids.retain(|id| !is_nobody(id));
        if is_nobody(tenant) || ids.is_empty() {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            let rows = session
                .query(
                    "SELECT record, created_at, updated_at FROM computer \
                     WHERE tenant = $1 AND id = ANY($2)",
                    &[&tenant, &ids],
                )
                .await?;
            Ok(rows.iter().map(record_of).collect::<Result<_, _>>()?)
        })
    }

    fn names_and_serials<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<NameAndSerial>> {
        if is_nobody(tenant) {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            let rows = session
                .query("SELECT record FROM computer WHERE tenant = $1", &[&tenant])
                .await?;
            let found = rows
                .iter()
                .map(|row| Ok(get_json::<Computer>(row, 0)?.into()));
            Ok(found.collect::<Result<_, Trouble>>()?)
        })
    }

    fn put_computers<'a>(
        &'a self,
        tenant: &'a str,
        computers: Vec<Computer>,
        at: Timestamp,
    ) -> Reply<'a, Vec<Option<Computer>>> {
        Box::pin(async move {
            Ok(self
                .transaction(tenant, "BEGIN", async |session| {
                    put(session, tenant, &computers, at).await
                })
                .await?)
        })
    }
}

fn record_of(row: &Row) -> Result<ComputerRecord, Trouble> {
    Ok(ComputerRecord {
        computer: get_json(row, 0)?,
        created_at: get_time(row, 1)?,
        updated_at: get_time(row, 2)?,
    })
}

async fn page(
    session: &mut Session,
    tenant: &str,
    filter: &ComputerFilter,
) -> Result<ComputerRows, Trouble> {
    let status = filter.status.map(|status| status.name());
    let counted = session
        .query(
            concat!("SELECT count(*) ", found!()),
            &[&tenant, &filter.words, &status],
        )
        .await?;
    let after = filter.after.as_ref();
    let rows = session
        .query(
            concat!(
                "SELECT record, created_at, updated_at ",
                found!(),
                " AND ($4::text IS NULL OR (name_key, id) > ($4, $5::text)) \
                 ORDER BY name_key, id LIMIT $6"
            ),
            &[
                &tenant,
                &filter.words,
                &status,
                &after.map(|place| &place.name_key),
                &after.map(|place| &place.id),
                &(i64::from(filter.limit) + 1),
            ],
        )
        .await?;
    let limit = usize::try_from(filter.limit).unwrap_or(usize::MAX);
    let shown = rows.iter().take(limit).map(record_of);
    Ok(ComputerRows {
        rows: shown.collect::<Result<_, _>>()?,
        more: rows.len() > limit,
        total: counted.first().map_or(Ok(0), |row| get_u64(row, 0))?,
    })
}

async fn put(
    session: &mut Session,
    tenant: &str,
    computers: &[Computer],
    at: Timestamp,
) -> Result<Vec<Option<Computer>>, Trouble> {
    know_tenant(session, tenant, at).await?;
    // One import of a tenant at a time, so that each knows what it has changed.
    session
        .query(
            "SELECT 1 FROM tenant WHERE id = $1 FOR NO KEY UPDATE",
            &[&tenant],
        )
        .await?;
    let ids: Vec<&str> = computers.iter().map(|one| one.id.as_str()).collect();
    let rows = session
        .query(
            "SELECT id, record FROM computer WHERE tenant = $1 AND id = ANY($2)",
            &[&tenant, &ids],
        )
        .await?;
    let mut known: HashMap<String, Computer> = rows
        .iter()
        .map(|row| Ok((get(row, 0)?, get_json(row, 1)?)))
        .collect::<Result<_, Trouble>>()?;
    let before: Vec<Option<Computer>> = ids.iter().map(|id| known.remove(*id)).collect();
    let changed: Vec<&Computer> = computers
        .iter()
        .zip(&before)
        .filter(|(computer, before)| before.as_ref() != Some(*computer))
        .map(|(computer, _)| computer)
        .collect();
    for piece in changed.chunks(PIECE) {
        write(session, tenant, piece, at).await?;
    }
    Ok(before)
}

async fn write(
    session: &mut Session,
    tenant: &str,
    computers: &[&Computer],
    at: Timestamp,
) -> Result<(), Trouble> {
    let ids: Vec<&str> = computers.iter().map(|one| one.id.as_str()).collect();
    let names: Vec<String> = computers.iter().map(|one| name_key(one)).collect();
    let statuses: Vec<&str> = computers.iter().map(|one| one.status.name()).collect();
    let texts: Vec<String> = computers.iter().map(|one| search_text(one)).collect();
    let records = computers
        .iter()
        .map(|one| json(*one))
        .collect::<Result<Vec<String>, _>>()?;
    session
        .execute(
            "INSERT INTO computer (tenant, id, name_key, status, search, record, created_at, \
                 updated_at) \
             SELECT $1, new.*, $7, $7 \
             FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS new \
             ON CONFLICT (tenant, id) DO UPDATE \
             SET name_key = excluded.name_key, status = excluded.status, \
                 search = excluded.search, record = excluded.record, \
                 updated_at = excluded.updated_at",
            &[
                &tenant,
                &ids,
                &names,
                &statuses,
                &texts,
                &records,
                &at.as_millis(),
            ],
        )
        .await?;
    Ok(())
}
