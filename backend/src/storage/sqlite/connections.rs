//! Service connections, consents and handles in the SQLite file.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use super::SqliteStore;
use super::administration::{administer, administer_if};
use super::columns::{get_time, get_u64, int};
use super::sql::SqlSession;
use crate::storage::administration::{Act, Cause, Target};
use crate::storage::connections::{
    ConnectionRecord, Connections, HandleRecord, PendingConsent, SaveOutcome, SealedSecret,
};
use crate::storage::directory::SecretHash;
use crate::storage::sql::tenants::know_tenant;
use crate::storage::sql::{consents, run_inline};
use crate::storage::store::{Reply, Stamp, StoreError};

const CONNECTION: &str = "tenant, id, name, name_key, owner, owner_name, origin, settings, key_id, sealed, \
                          problem, revision, created_at, updated_at";

impl Connections for SqliteStore {
    fn connections<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<ConnectionRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| Ok(all(connection, &tenant)?))
    }

    fn connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<ConnectionRecord>> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.read(move |connection, _| Ok(one(connection, &tenant, &id)?))
    }

    fn add_connection(&self, record: ConnectionRecord, act: Act) -> Reply<'_, SaveOutcome> {
        self.write(move |work| {
            administer(work, &record.tenant, &act, |work| {
                add(work.connection, &record)
            })
        })
    }

    fn save_connection(&self, record: ConnectionRecord, cause: Cause) -> Reply<'_, SaveOutcome> {
        self.write(move |work| {
            administer_if(work, &record.tenant, &cause, |work| {
                Ok(save(work.connection, &record)?)
            })
        })
    }

    fn delete_connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, bool> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        let act = Act::new(stamp, Target::Connection(id.clone()), Action::Deleted);
        self.write(move |work| {
            administer(work, &tenant, &act, |work| {
                let deleted = work
                    .connection
                    .prepare_cached("DELETE FROM service_connection WHERE tenant = ?1 AND id = ?2")?
                    .execute([&tenant, &id])?;
                Ok(deleted > 0)
            })
        })
    }

    fn claim_refresh<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        revision: u64,
        now: Timestamp,
        until: Timestamp,
    ) -> Reply<'a, bool> {
        let (tenant, id) = (tenant.to_owned(), id.to_owned());
        self.write(move |work| {
            let claimed = work
                .connection
                .prepare_cached(
                    "UPDATE service_connection SET refreshing_until = ?5
                     WHERE tenant = ?1 AND id = ?2 AND revision = ?3 AND refreshing_until <= ?4",
                )?
                .execute(params![
                    tenant,
                    id,
                    int(revision),
                    now.as_millis(),
                    until.as_millis()
                ])?;
            Ok(claimed > 0)
        })
    }

    fn begin_consent(&self, pending: PendingConsent) -> Reply<'_, ()> {
        self.write(move |work| {
            run_inline(consents::begin_consent(
                &mut SqlSession(work.connection),
                &pending,
            ))
        })
    }

    fn finish_consent(&self, state: SecretHash) -> Reply<'_, Option<PendingConsent>> {
        self.write(move |work| {
            run_inline(consents::finish_consent(
                &mut SqlSession(work.connection),
                &state,
            ))
        })
    }

    fn keep_handle(&self, record: HandleRecord) -> Reply<'_, ()> {
        self.write(move |work| {
            run_inline(consents::keep_handle(
                &mut SqlSession(work.connection),
                &record,
            ))
        })
    }

    fn handle<'a>(
        &'a self,
        tenant: &'a str,
        handle: SecretHash,
    ) -> Reply<'a, Option<HandleRecord>> {
        let tenant = tenant.to_owned();
        self.read(move |connection, _| {
            run_inline(consents::handle(
                &mut SqlSession(connection),
                &tenant,
                handle,
            ))
        })
    }

    fn purge_connections(&self, now: Timestamp) -> Reply<'_, ()> {
        self.write(move |work| run_inline(consents::purge(&mut SqlSession(work.connection), now)))
    }
}

fn record_of(row: &Row<'_>) -> Result<ConnectionRecord> {
    let key_id: Option<String> = row.get(8)?;
    let bytes: Option<Vec<u8>> = row.get(9)?;
    Ok(ConnectionRecord {
        tenant: row.get(0)?,
        id: row.get(1)?,
        name: row.get(2)?,
        name_key: row.get(3)?,
        owner: row.get(4)?,
        owner_name: row.get(5)?,
        origin: row.get(6)?,
        settings: row.get(7)?,
        sealed: key_id
            .zip(bytes)
            .map(|(key_id, bytes)| SealedSecret { key_id, bytes }),
        problem: row.get(10)?,
        revision: get_u64(row, 11)?,
        created_at: get_time(row, 12)?,
        updated_at: get_time(row, 13)?,
    })
}

fn all(connection: &Connection, tenant: &str) -> Result<Vec<ConnectionRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {CONNECTION} FROM service_connection WHERE tenant = ?1 ORDER BY name_key"
        ))?
        .query_map([tenant], record_of)?
        .collect()
}

pub(super) fn one(
    connection: &Connection,
    tenant: &str,
    id: &str,
) -> Result<Option<ConnectionRecord>> {
    connection
        .prepare_cached(&format!(
            "SELECT {CONNECTION} FROM service_connection WHERE tenant = ?1 AND id = ?2"
        ))?
        .query_row([tenant, id], record_of)
        .optional()
}

/// Whether another connection of the tenant has the record's name.
fn name_taken(connection: &Connection, record: &ConnectionRecord) -> Result<bool> {
    connection
        .prepare_cached(
            "SELECT 1 FROM service_connection WHERE tenant = ?1 AND name_key = ?2 AND id <> ?3",
        )?
        .exists([&record.tenant, &record.name_key, &record.id])
}

fn add(connection: &Connection, record: &ConnectionRecord) -> Result<SaveOutcome, StoreError> {
    if name_taken(connection, record)? {
        return Ok(SaveOutcome::NameTaken);
    }
    run_inline(know_tenant(
        &mut SqlSession(connection),
        &record.tenant,
        record.created_at,
    ))?;
    let sealed = record.sealed.as_ref();
    connection
        .prepare_cached(&format!(
            "INSERT INTO service_connection ({CONNECTION})
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
        ))?
        .execute(params![
            record.tenant,
            record.id,
            record.name,
            record.name_key,
            record.owner,
            record.owner_name,
            record.origin,
            record.settings,
            sealed.map(|sealed| &sealed.key_id),
            sealed.map(|sealed| &sealed.bytes),
            record.problem,
            int(record.revision),
            record.created_at.as_millis(),
            record.updated_at.as_millis()
        ])?;
    Ok(SaveOutcome::Done)
}

fn save(connection: &Connection, record: &ConnectionRecord) -> Result<SaveOutcome> {
    if name_taken(connection, record)? {
        return Ok(SaveOutcome::NameTaken);
    }
    let sealed = record.sealed.as_ref();
    let written = connection
        .prepare_cached(
            "UPDATE service_connection
             SET name = ?4, name_key = ?5, owner = ?6, owner_name = ?7, origin = ?8, settings = ?9, key_id = ?10,
                 sealed = ?11, problem = ?12, updated_at = ?13, revision = ?3 + 1, refreshing_until = 0
             WHERE tenant = ?1 AND id = ?2 AND revision = ?3",
        )?
        .execute(params![
            record.tenant,
            record.id,
            int(record.revision.saturating_sub(1)),
            record.name,
            record.name_key,
            record.owner,
            record.owner_name,
            record.origin,
            record.settings,
            sealed.map(|sealed| &sealed.key_id),
            sealed.map(|sealed| &sealed.bytes),
            record.problem,
            record.updated_at.as_millis()
        ])?;
    if written > 0 {
        return Ok(SaveOutcome::Done);
    }
    let there = one(connection, &record.tenant, &record.id)?.is_some();
    Ok(if there {
        SaveOutcome::Changed
    } else {
        SaveOutcome::Missing
    })
}
