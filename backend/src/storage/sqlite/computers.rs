//! The inventory of computers in the SQLite file: its rows, and the trait.
//!
//! Called through the trait by `services::computers` and by runs of the example workflow.

use checklist_shared::computer::Computer;
use checklist_shared::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::SqliteStore;
use super::columns::{get_json, get_time, get_u64, json};
use super::directory::know_tenant;
use super::facts::snapshot;
use crate::storage::computers::{
    ComputerFilter, ComputerRecord, ComputerRows, Computers, NameAndSerial, name_key, search_text,
};
use crate::storage::store::Reply;

/// Which rows a filter finds: tenant, words (JSON), status.
macro_rules! found {
    () => {
        "FROM computer WHERE tenant = ?1 AND (?3 IS NULL OR status = ?3)
             AND NOT EXISTS (SELECT 1 FROM json_each(?2) word WHERE instr(search, word.value) = 0)"
    };
}

impl Computers for SqliteStore {
    fn computers<'a>(&'a self, tenant: &'a str, filter: ComputerFilter) -> Reply<'a, ComputerRows> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| {
            Ok(snapshot(connection, |connection| {
                page(connection, &tenant, &filter)
            })?)
        })
    }

    fn computers_by_id<'a>(
        &'a self,
        tenant: &'a str,
        ids: Vec<String>,
    ) -> Reply<'a, Vec<ComputerRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| {
            let rows = connection
                .prepare_cached(
                    "SELECT record, created_at, updated_at FROM computer
                     WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))",
                )?
                .query_map(params![tenant, json(&ids)?], record_of)?
                .collect::<Result<_>>()?;
            Ok(rows)
        })
    }

    fn names_and_serials<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<NameAndSerial>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| {
            let rows = connection
                .prepare_cached("SELECT record FROM computer WHERE tenant = ?1")?
                .query_map([tenant], |row| Ok(get_json::<Computer>(row, 0)?.into()))?
                .collect::<Result<_>>()?;
            Ok(rows)
        })
    }

    fn put_computers<'a>(
        &'a self,
        tenant: &'a str,
        computers: Vec<Computer>,
        at: Timestamp,
    ) -> Reply<'a, Vec<Option<Computer>>> {
        let tenant = tenant.to_owned();
        self.write(move |work| Ok(put(work.connection, &tenant, &computers, at)?))
    }
}

fn record_of(row: &Row<'_>) -> Result<ComputerRecord> {
    Ok(ComputerRecord {
        computer: get_json(row, 0)?,
        created_at: get_time(row, 1)?,
        updated_at: get_time(row, 2)?,
    })
}

fn page(connection: &Connection, tenant: &str, filter: &ComputerFilter) -> Result<ComputerRows> {
    let words = json(&filter.words)?;
    let status = filter.status.map(|status| status.name());
    let total = connection
        .prepare_cached(concat!("SELECT count(*) ", found!()))?
        .query_row(params![tenant, words, status], |row| get_u64(row, 0))?;
    let after = filter.after.as_ref();
    let mut rows: Vec<ComputerRecord> = connection
        .prepare_cached(concat!(
            "SELECT record, created_at, updated_at ",
            found!(),
            " AND (?4 IS NULL OR (name_key, id) > (?4, ?5)) ORDER BY name_key, id LIMIT ?6"
        ))?
        .query_map(
            params![
                tenant,
                words,
                status,
                after.map(|place| &place.name_key),
                after.map(|place| &place.id),
                i64::from(filter.limit) + 1
            ],
            record_of,
        )?
        .collect::<Result<_>>()?;
    let limit = usize::try_from(filter.limit).unwrap_or(usize::MAX);
    let more = rows.len() > limit;
    rows.truncate(limit);
    Ok(ComputerRows { rows, more, total })
}

fn put(
    connection: &Connection,
    tenant: &str,
    computers: &[Computer],
    at: Timestamp,
) -> Result<Vec<Option<Computer>>> {
    know_tenant(connection, tenant, at)?;
    let mut known =
        connection.prepare_cached("SELECT record FROM computer WHERE tenant = ?1 AND id = ?2")?;
    let mut write = connection.prepare_cached(
        "INSERT INTO computer (tenant, id, name_key, status, search, record, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
         ON CONFLICT (tenant, id) DO UPDATE
         SET name_key = excluded.name_key, status = excluded.status, search = excluded.search,
             record = excluded.record, updated_at = excluded.updated_at",
    )?;
    let mut before = Vec::with_capacity(computers.len());
    for computer in computers {
        let old: Option<Computer> = known
            .query_row([tenant, &computer.id], |row| get_json(row, 0))
            .optional()?;
        if old.as_ref() != Some(computer) {
            write.execute(params![
                tenant,
                computer.id,
                name_key(computer),
                computer.status.name(),
                search_text(computer),
                json(computer)?,
                at.as_millis()
            ])?;
        }
        before.push(old);
    }
    Ok(before)
}
