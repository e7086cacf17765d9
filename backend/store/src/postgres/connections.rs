//! Service connections, consents and handles in PostgreSQL.
//!
//! A tenant's data is accessed in that tenant's session. The tenant of a returning consent is known
//! only after the consent was found.

use checklist_shared::administration::Action;
use checklist_shared::time::Timestamp;

use super::administration::administer_if;
use super::columns::int;
use super::session::Session;
use super::{PostgresStore, in_transaction, is_nobody};
use crate::administration::{Act, Cause, Target};
use crate::connections::{
    ConnectionRecord, Connections, HandleRecord, PendingConsent, SaveOutcome,
};
use crate::directory::SecretHash;
use crate::sql::{connections as rows, consents};
use crate::store::{Reply, Stamp};

impl Connections for PostgresStore {
    fn connections<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<ConnectionRecord>> {
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            rows::all(&mut *session, tenant).await
        })
    }

    fn connection<'a>(
        &'a self,
        tenant: &'a str,
        id: &'a str,
    ) -> Reply<'a, Option<ConnectionRecord>> {
        Box::pin(async move {
            let mut session = self.pool.of(tenant).await?;
            rows::one(&mut *session, tenant, id).await
        })
    }

    fn add_connection(&self, record: ConnectionRecord, act: Act) -> Reply<'_, SaveOutcome> {
        Box::pin(async move {
            Ok(self
                .administer(&record.tenant, &act, async |session| {
                    Ok(rows::add(session, &record).await?)
                })
                .await?)
        })
    }

    fn save_connection(&self, record: ConnectionRecord, cause: Cause) -> Reply<'_, SaveOutcome> {
        Box::pin(async move {
            let mut session = self.pool.of(&record.tenant).await?;
            let write = async |session: &mut Session| {
                let save = async |session: &mut Session| Ok(rows::save(session, &record).await?);
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
