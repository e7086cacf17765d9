//! Service connections, consents and handles in PostgreSQL.
//!
//! A tenant's data is accessed in that tenant's session. The tenant of a returning consent is known
//! only after the consent was found.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;
use tokio_postgres::Row;

use super::administration::administer_if;
use super::columns::{get, get_time, get_u64, int};
use super::error::PostgresError;
use super::session::Session;
use super::{PostgresStore, in_transaction, is_nobody};
use crate::storage::administration::{Act, Cause, Target};
use crate::storage::connections::{
    ConnectionRecord, Connections, HandleRecord, PendingConsent, SaveOutcome, SealedSecret,
};
use crate::storage::directory::SecretHash;
use crate::storage::sql::consents;
use crate::storage::sql::tenants::know_tenant;
use crate::storage::store::{Reply, Stamp};

impl Connections for PostgresStore {
    fn connections<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<ConnectionRecord>> {
        if is_nobody(tenant) {
            return Box::pin(async { Ok(Vec::new()) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            Ok(all(&mut session, tenant).await?)
        })
    }

    fn connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<ConnectionRecord>> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(None) });
        }
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            Ok(one(&mut session, tenant, id).await?)
        })
    }

    fn add_connection(&self, record: ConnectionRecord, act: Act) -> Reply<'_, SaveOutcome> {
        Box::pin(async move {
            Ok(self
                .administer(&record.tenant, &act, async |session| {
                    add(session, &record).await
                })
                .await?)
        })
    }

    fn save_connection(&self, record: ConnectionRecord, cause: Cause) -> Reply<'_, SaveOutcome> {
        Box::pin(async move {
            let mut session = self.pool.of(&record.tenant).await?;
            let write = async |session: &mut Session| {
                let save = async |session: &mut Session| save(session, &record).await;
                administer_if(session, &record.tenant, &cause, save).await
            };
            Ok(in_transaction(&mut session, "BEGIN", write).await?)
        })
    }

    fn delete_connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
        stamp: Stamp,
    ) -> Reply<'a, bool> {
        if is_nobody(tenant) || is_nobody(id) {
            return Box::pin(async { Ok(false) });
        }
        Box::pin(async move {
            let act = Act::new(stamp, Target::Connection(id.to_owned()), Action::Deleted);
            let delete = async |session: &mut Session| {
                let deleted = session
                    .execute(
                        "DELETE FROM service_connection WHERE tenant = $1 AND id = $2",
                        &[&tenant, &id],
                    )
                    .await?;
                Ok(deleted > 0)
            };
            Ok(self.administer(tenant, &act, delete).await?)
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
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            let claimed = session
                .execute(
                    "UPDATE service_connection SET refreshing_until = $5 \
                     WHERE tenant = $1 AND id = $2 AND revision = $3 AND refreshing_until <= $4",
                    &[
                        &tenant,
                        &id,
                        &int(revision),
                        &now.as_millis(),
                        &until.as_millis(),
                    ],
                )
                .await?;
            Ok(claimed > 0)
        })
    }

    fn begin_consent(&self, pending: PendingConsent) -> Reply<'_, ()> {
        Box::pin(async move {
            let mut session = self.pool.of(&pending.tenant).await?;
            consents::begin_consent(&mut *session, &pending).await
        })
    }

    fn finish_consent(&self, state: SecretHash) -> Reply<'_, Option<PendingConsent>> {
        Box::pin(async move {
            let mut session = self.pool.sign_in().await?;
            consents::finish_consent(&mut *session, &state).await
        })
    }

    fn keep_handle(&self, record: HandleRecord) -> Reply<'_, ()> {
        Box::pin(async move {
            let mut session = self.pool.of(&record.tenant).await?;
            consents::keep_handle(&mut *session, &record).await
        })
    }

    fn handle<'a>(
        &'a self,
        tenant: &'a str,
        handle: SecretHash,
    ) -> Reply<'a, Option<HandleRecord>> {
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            consents::handle(&mut *session, tenant, handle).await
        })
    }

    fn purge_connections(&self, now: Timestamp) -> Reply<'_, ()> {
        Box::pin(async move {
            let mut session = self.pool.sign_in().await?;
            consents::purge(&mut *session, now).await
        })
    }
}

fn record_of(row: &Row) -> Result<ConnectionRecord, PostgresError> {
    let key_id: Option<String> = get(row, 8)?;
    let bytes: Option<Vec<u8>> = get(row, 9)?;
    Ok(ConnectionRecord {
        tenant: get(row, 0)?,
        id: get(row, 1)?,
        name: get(row, 2)?,
        name_key: get(row, 3)?,
        owner: get(row, 4)?,
        owner_name: get(row, 5)?,
        origin: get(row, 6)?,
        settings: get(row, 7)?,
        sealed: key_id
            .zip(bytes)
            .map(|(key_id, bytes)| SealedSecret { key_id, bytes }),
        problem: get(row, 10)?,
        revision: get_u64(row, 11)?,
        created_at: get_time(row, 12)?,
        updated_at: get_time(row, 13)?,
    })
}

async fn all(session: &mut Session, tenant: &str) -> Result<Vec<ConnectionRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT tenant, id, name, name_key, owner, owner_name, origin, settings, key_id, sealed, \
                 problem, revision, created_at, updated_at \
             FROM service_connection WHERE tenant = $1 ORDER BY name_key",
            &[&tenant],
        )
        .await?;
    rows.iter().map(record_of).collect()
}

pub(super) async fn one(
    session: &mut Session,
    tenant: &str,
    id: &str,
) -> Result<Option<ConnectionRecord>, PostgresError> {
    let rows = session
        .query(
            "SELECT tenant, id, name, name_key, owner, owner_name, origin, settings, key_id, sealed, \
                 problem, revision, created_at, updated_at \
             FROM service_connection WHERE tenant = $1 AND id = $2",
            &[&tenant, &id],
        )
        .await?;
    rows.first().map(record_of).transpose()
}

/// Whether another connection of the tenant has the record's name. Of two concurrent writes, the
/// unique index rejects one.
async fn name_taken(
    session: &mut Session,
    record: &ConnectionRecord,
) -> Result<bool, PostgresError> {
    let rows = session
        .query(
            "SELECT 1 FROM service_connection WHERE tenant = $1 AND name_key = $2 AND id <> $3",
            &[&record.tenant, &record.name_key, &record.id],
        )
        .await?;
    Ok(!rows.is_empty())
}

async fn add(
    session: &mut Session,
    record: &ConnectionRecord,
) -> Result<SaveOutcome, PostgresError> {
    know_tenant(session, &record.tenant, record.created_at).await?;
    let sealed = record.sealed.as_ref();
    let written = session
        .execute(
            "INSERT INTO service_connection (tenant, id, name, name_key, owner, owner_name, origin, \
                 settings, key_id, sealed, problem, revision, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) \
             ON CONFLICT (tenant, name_key) DO NOTHING",
            &[
                &record.tenant,
                &record.id,
                &record.name,
                &record.name_key,
                &record.owner,
                &record.owner_name,
                &record.origin,
                &record.settings,
                &sealed.map(|sealed| &sealed.key_id),
                &sealed.map(|sealed| &sealed.bytes),
                &record.problem,
                &int(record.revision),
                &record.created_at.as_millis(),
                &record.updated_at.as_millis(),
            ],
        )
        .await?;
    Ok(if written == 0 {
        SaveOutcome::NameTaken
    } else {
        SaveOutcome::Done
    })
}

async fn save(
    session: &mut Session,
    record: &ConnectionRecord,
) -> Result<SaveOutcome, PostgresError> {
    if name_taken(session, record).await? {
        return Ok(SaveOutcome::NameTaken);
    }
    let sealed = record.sealed.as_ref();
    let written = session
        .execute(
            "UPDATE service_connection SET name = $4, name_key = $5, owner = $6, owner_name = $7, \
                 origin = $8, settings = $9, key_id = $10, sealed = $11, problem = $12, \
                 updated_at = $13, revision = $3 + 1, refreshing_until = 0 \
             WHERE tenant = $1 AND id = $2 AND revision = $3",
            &[
                &record.tenant,
                &record.id,
                &int(record.revision.saturating_sub(1)),
                &record.name,
                &record.name_key,
                &record.owner,
                &record.owner_name,
                &record.origin,
                &record.settings,
                &sealed.map(|sealed| &sealed.key_id),
                &sealed.map(|sealed| &sealed.bytes),
                &record.problem,
                &record.updated_at.as_millis(),
            ],
        )
        .await?;
    if written > 0 {
        return Ok(SaveOutcome::Done);
    }
    let there = one(session, &record.tenant, &record.id).await?.is_some();
    Ok(if there {
        SaveOutcome::Changed
    } else {
        SaveOutcome::Missing
    })
}
