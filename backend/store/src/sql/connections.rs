//! The rows of service connections.
//!
//! A row contains the encrypted secret. Of two concurrent changes the later one finds another revision.

use checklist_shared::time::Timestamp;

use super::tenants::know_tenant;
use super::{Row, Session, values};
use crate::connections::{ConnectionRecord, SaveOutcome, SealedSecret};
use crate::keyset::Keyset;
use crate::store::StoreError;

/// Selects connections.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT tenant, id, name, name_key, owner, owner_name, origin, settings, key_id, sealed,
                 problem, revision, created_at, updated_at FROM service_connection ",
            $rest
        )
    };
}

fn record_of(row: &Row) -> Result<ConnectionRecord, StoreError> {
    let sealed = row.get_text_option(8)?.zip(row.get_bytes_option(9)?);
    Ok(ConnectionRecord {
        tenant: row.get_text(0)?.to_owned(),
        id: row.get_text(1)?.to_owned(),
        name: row.get_text(2)?.to_owned(),
        name_key: row.get_text(3)?.to_owned(),
        owner: row.get_text(4)?.to_owned(),
        owner_name: row.get_text(5)?.to_owned(),
        origin: row.get_text(6)?.to_owned(),
        settings: row.get_text(7)?.to_owned(),
        sealed: sealed.map(|(key_id, bytes)| SealedSecret {
            key_id: key_id.to_owned(),
            bytes: bytes.to_owned(),
        }),
        problem: row.get_text_option(10)?.map(str::to_owned),
        revision: row.get_u64(11)?,
        created_at: row.get_time(12)?,
        updated_at: row.get_time(13)?,
    })
}

pub(crate) async fn page<S: Session>(
    session: &mut S,
    tenant: &str,
    page: &Keyset<String>,
) -> Result<Vec<ConnectionRecord>, StoreError> {
    let sql = select!("WHERE tenant = $1 AND name_key > $2 ORDER BY name_key LIMIT $3");
    let parameters = values![tenant, &page.after, page.limit];
    session.query_map(sql, parameters, record_of).await
}

pub(crate) async fn one<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<Option<ConnectionRecord>, StoreError> {
    let sql = select!("WHERE tenant = $1 AND id = $2");
    session.query_opt(sql, values![tenant, id], record_of).await
}

/// Adds a connection, unless another one of the tenant has its name.
pub(crate) async fn add<S: Session>(
    session: &mut S,
    record: &ConnectionRecord,
) -> Result<SaveOutcome, StoreError> {
    know_tenant(session, &record.tenant, record.created_at).await?;
    let sealed = record.sealed.as_ref();
    let parameters = values![
        &record.tenant,
        &record.id,
        &record.name,
        &record.name_key,
        &record.owner,
        &record.owner_name,
        &record.origin,
        &record.settings,
        sealed.map(|sealed| &sealed.key_id),
        sealed.map(|sealed| &sealed.bytes),
        record.problem.as_ref(),
        record.revision,
        record.created_at,
        record.updated_at,
    ];
    let written = session
        .execute(
            "INSERT INTO service_connection (tenant, id, name, name_key, owner, owner_name, origin,
                 settings, key_id, sealed, problem, revision, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             ON CONFLICT (tenant, name_key) DO NOTHING",
            parameters,
        )
        .await?;
    Ok(if written == 0 {
        SaveOutcome::NameTaken
    } else {
        SaveOutcome::Done
    })
}

/// Saves a connection if its stored revision is the one before the record's. Of two concurrent
/// writes with the same name, the unique index rejects one.
pub(crate) async fn save<S: Session>(
    session: &mut S,
    record: &ConnectionRecord,
) -> Result<SaveOutcome, StoreError> {
    let sql = select!("WHERE tenant = $1 AND name_key = $2 AND id <> $3");
    let others = values![&record.tenant, &record.name_key, &record.id];
    if !session.query(sql, others).await?.is_empty() {
        return Ok(SaveOutcome::NameTaken);
    }
    let sealed = record.sealed.as_ref();
    let parameters = values![
        &record.tenant,
        &record.id,
        record.revision.saturating_sub(1),
        &record.name,
        &record.name_key,
        &record.owner,
        &record.owner_name,
        &record.origin,
        &record.settings,
        sealed.map(|sealed| &sealed.key_id),
        sealed.map(|sealed| &sealed.bytes),
        record.problem.as_ref(),
        record.updated_at,
    ];
    let written = session
        .execute(
            "UPDATE service_connection
             SET name = $4, name_key = $5, owner = $6, owner_name = $7, origin = $8, settings = $9,
                 key_id = $10, sealed = $11, problem = $12, updated_at = $13, revision = $3 + 1,
                 refreshing_until = 0
             WHERE tenant = $1 AND id = $2 AND revision = $3",
            parameters,
        )
        .await?;
    if written > 0 {
        return Ok(SaveOutcome::Done);
    }
    let stored = one(session, &record.tenant, &record.id).await?;
    Ok(stored.map_or(SaveOutcome::Missing, |_| SaveOutcome::Changed))
}

/// Deletes a connection; returns whether there was one.
pub(crate) async fn delete<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
) -> Result<bool, StoreError> {
    let sql = "DELETE FROM service_connection WHERE tenant = $1 AND id = $2";
    Ok(session.execute(sql, values![tenant, id]).await? > 0)
}

/// Claims the exclusive right to refresh the credentials; `false` if another claim is active or the
/// revision has changed.
pub(crate) async fn claim_refresh<S: Session>(
    session: &mut S,
    tenant: &str,
    id: &str,
    revision: u64,
    now: Timestamp,
    until: Timestamp,
) -> Result<bool, StoreError> {
    let sql = "UPDATE service_connection SET refreshing_until = $5
         WHERE tenant = $1 AND id = $2 AND revision = $3 AND refreshing_until <= $4";
    let parameters = values![tenant, id, revision, now, until];
    Ok(session.execute(sql, parameters).await? > 0)
}
